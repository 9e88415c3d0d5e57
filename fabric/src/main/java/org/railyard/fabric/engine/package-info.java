/** Routing engines that need nothing but the fabric: baselines to compare with; they use model and route, the torus engine is next door. */
@NullMarked
package org.railyard.fabric.engine;

import org.jspecify.annotations.NullMarked;
