/** Failures of a torus, found from what the whole one does. */
@NullMarked
package org.railyard.fabric.torus.failure;

import org.jspecify.annotations.NullMarked;
