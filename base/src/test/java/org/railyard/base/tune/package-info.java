/** Tests. */
@NullMarked
package org.railyard.base.tune;

import org.jspecify.annotations.NullMarked;
