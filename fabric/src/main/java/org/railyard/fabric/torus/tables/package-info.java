/**
 * Tables of switches that have coordinates: output ports by LID, SLs of paths, SL to VL by port (spec 30 §5 to §8).
 */
@NullMarked
package org.railyard.fabric.torus.tables;

import org.jspecify.annotations.NullMarked;
