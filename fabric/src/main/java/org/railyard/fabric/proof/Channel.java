package org.railyard.fabric.proof;

import org.railyard.fabric.model.Fabric;

/**
 * A directed link and a VL: what a packet holds while it waits.
 *
 * @param port port index of the sending port
 * @param vl data VL
 */
public record Channel(int port, int vl) {
    /** Returns the channel with the names of its ends. */
    public String text(Fabric fabric) {
        int far = fabric.peer(port);
        return "%s port %d vl %d -> %s"
                .formatted(
                        fabric.description(fabric.nodeOf(port)),
                        fabric.portNumber(port),
                        vl,
                        far == Fabric.NONE ? "nothing" : fabric.description(fabric.nodeOf(far)));
    }
}
