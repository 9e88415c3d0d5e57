package org.railyard.fabric.torus.failure;

import java.util.Optional;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.torus.placement.Placement;

/**
 * How many end ports are at each position.
 *
 * @param sending by position: ports of CAs and routers that have a LID
 * @param addressed by position: the same, and the switch's own port if it has a LID
 */
record TorusEnds(int[] sending, int[] addressed) {
    /** Counts; empty if an end port is not on a switch of the torus. */
    static Optional<TorusEnds> of(Fabric fabric, Placement placement) {
        int positions = placement.grid().shape().positions();
        TorusEnds ends = new TorusEnds(new int[positions], new int[positions]);
        for (int port = 0; port < fabric.portCount(); port++) {
            int sw = fabric.isEndPort(port) && fabric.lid(port) != 0 ? fabric.switchOf(port) : Fabric.NONE;
            if (sw == Fabric.NONE) {
                continue;
            }
            int position = placement.positionOf(sw);
            if (position == Placement.NONE) {
                return Optional.empty();
            }
            ends.addressed[position]++;
            ends.sending[position] += fabric.isSwitch(fabric.nodeOf(port)) ? 0 : 1;
        }
        return Optional.of(ends);
    }
}
