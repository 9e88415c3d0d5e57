/** Tests of this package. */
@NullMarked
package org.railyard.fabric.sample;

import org.jspecify.annotations.NullMarked;
