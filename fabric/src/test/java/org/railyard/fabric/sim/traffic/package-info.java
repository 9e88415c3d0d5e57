/** Tests of the package of the same name. */
@NullMarked
package org.railyard.fabric.sim.traffic;

import org.jspecify.annotations.NullMarked;
