/** Tests of the daemon. */
@NullMarked
package org.railyard.node;

import org.jspecify.annotations.NullMarked;
