/** How structures on a wire are laid out: reading and writing numbers in either byte order. */
@NullMarked
package org.railyard.base.wire;

import org.jspecify.annotations.NullMarked;
