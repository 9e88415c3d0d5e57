/** Tests of this package. */
@NullMarked
package org.railyard.fabric.format;

import org.jspecify.annotations.NullMarked;
