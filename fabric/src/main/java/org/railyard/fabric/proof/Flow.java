package org.railyard.fabric.proof;

import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;

/**
 * Packets that go from one end port to another, or to a multicast group.
 *
 * @param sourceLid LID of the sender
 * @param destinationLid unicast or multicast LID
 * @param sl service level
 */
public record Flow(int sourceLid, int destinationLid, int sl) {
    /** Returns whether the destination is a multicast group. */
    public boolean isMulticast() {
        return Lids.isMulticast(destinationLid);
    }

    /** Returns the flow with the names of the nodes. */
    public String text(Fabric fabric) {
        String to = isMulticast() ? "multicast 0x%04X from ".formatted(destinationLid) : "";
        String from = name(fabric, sourceLid);
        return to + from + (isMulticast() ? "" : " to " + name(fabric, destinationLid)) + " sl " + sl;
    }

    private static String name(Fabric fabric, int lid) {
        int port = fabric.portOfLid(lid);
        return port == Fabric.NONE ? "LID " + lid : fabric.description(fabric.nodeOf(port));
    }
}
