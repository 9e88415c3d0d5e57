package org.railyard.fabric.format;

import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;

/** LIDs as OpenSM gives them to a fabric that it has never seen: the subnet manager's port first, then in its order of port GUIDs. LMC 0. */
public final class FreshLids {
    private FreshLids() {}

    /**
     * Returns the fabric with LIDs from 1 on.
     *
     * @param smPort end port of the subnet manager, {@link Fabric#NONE} for the first CA port in a cable
     * @throws org.railyard.fabric.model.FabricException if there are more end ports than LIDs
     */
    public static Fabric assign(Fabric fabric, int smPort) {
        int[] lid = new int[fabric.portCount()];
        int next = Lids.MIN_UNICAST;
        int first = smPort == Fabric.NONE ? firstEndPort(fabric) : smPort;
        if (first != Fabric.NONE) {
            lid[first] = next++;
        }
        for (int port : NodeOrder.endPorts(fabric)) {
            if (port != first) {
                lid[port] = next++;
            }
        }
        return fabric.withLids(lid, new int[fabric.portCount()]);
    }

    private static int firstEndPort(Fabric fabric) {
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port) && !fabric.isSwitch(fabric.nodeOf(port)) && fabric.peer(port) != Fabric.NONE) {
                return port;
            }
        }
        return Fabric.NONE;
    }
}
