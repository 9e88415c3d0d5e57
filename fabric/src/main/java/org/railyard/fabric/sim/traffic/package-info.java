/**
 * Traffic to try a fabric with: who sends to whom, how much, and what comes of it (spec 33 §6, §7). Chance comes from
 * the caller.
 */
@NullMarked
package org.railyard.fabric.sim.traffic;

import org.jspecify.annotations.NullMarked;
