/** Tests of this package. */
@NullMarked
package org.railyard.fabric.engine;

import org.jspecify.annotations.NullMarked;
