/**
 * Whether a torus can be routed: the proof on coordinates, OpenSM's tests, which repair would help (spec 30 §9).
 */
@NullMarked
package org.railyard.fabric.torus.acceptance;

import org.jspecify.annotations.NullMarked;
