/**
 * The torus-2QoS routing engine (spec 30): understands a fabric by its configuration, accepts or refuses it, and plans
 * its tables. The parts are in the packages below; the engine contract is in {@code org.railyard.fabric.route}.
 */
@NullMarked
package org.railyard.fabric.torus;

import org.jspecify.annotations.NullMarked;
