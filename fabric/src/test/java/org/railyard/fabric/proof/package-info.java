/** Tests of this package. */
@NullMarked
package org.railyard.fabric.proof;

import org.jspecify.annotations.NullMarked;
