/**
 * The torus-2QoS routing engine (spec 30): from a configuration file and a fabric to coordinates, forwarding tables,
 * service levels, SL to VL maps and the master multicast tree, each decision a pure function over immutable inputs; the
 * fabric itself lives in {@code org.railyard.fabric.model}, the engine contract in {@code org.railyard.fabric.route}.
 */
@NullMarked
package org.railyard.fabric.torus;

import org.jspecify.annotations.NullMarked;
