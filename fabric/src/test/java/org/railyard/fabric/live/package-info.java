/** Tests of this package. */
@NullMarked
package org.railyard.fabric.live;

import org.jspecify.annotations.NullMarked;
