/** Tests of the package of the same name. */
@NullMarked
package org.railyard.fabric.sim.job;

import org.jspecify.annotations.NullMarked;
