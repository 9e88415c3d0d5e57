/** Tests. */
@NullMarked
package org.railyard.node.facts;

import org.jspecify.annotations.NullMarked;
