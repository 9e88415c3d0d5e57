/** Which switch has which coordinates, found from a seed by the cables (spec 30 §3). */
@NullMarked
package org.railyard.fabric.torus.placement;

import org.jspecify.annotations.NullMarked;
