/**
 * What failures of switches and cables do to a torus, found from what the whole torus does instead of by routing and
 * proving each time anew (spec 30 §9.5).
 */
@NullMarked
package org.railyard.fabric.torus.failure;

import org.jspecify.annotations.NullMarked;
