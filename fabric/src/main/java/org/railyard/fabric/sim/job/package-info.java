/** Jobs on a simulated fabric: ranks that wait for each other's messages, and how long it takes them. */
@NullMarked
package org.railyard.fabric.sim.job;

import org.jspecify.annotations.NullMarked;
