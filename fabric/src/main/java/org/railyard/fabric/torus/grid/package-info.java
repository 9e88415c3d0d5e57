/**
 * The torus as coordinates: shape, switches and cables that are there, dimension-order paths, the rule for VLs, and the
 * channel dependencies of unicast (spec 30 §4, §6, §8).
 */
@NullMarked
package org.railyard.fabric.torus.grid;

import org.jspecify.annotations.NullMarked;
