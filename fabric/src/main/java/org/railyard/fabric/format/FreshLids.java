package org.railyard.fabric.format;

import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;

/**
 * LIDs as OpenSM gives them to a fabric that it has never seen: the subnet manager's port first, then in its order of
 * port GUIDs.
 */
public final class FreshLids {
    private FreshLids() {}

    /**
     * Returns the fabric with LIDs from 1 on.
     *
     * @param smPort end port of the subnet manager, {@link Fabric#NONE} for the first CA port in a cable
     * @throws org.railyard.fabric.model.FabricException if there are more end ports than LIDs
     */
    public static Fabric assign(Fabric fabric, int smPort) {
        return assign(fabric, smPort, 0);
    }

    /**
     * Returns the same with several LIDs for each port of a CA or router: they begin at a multiple of their number, and
     * what is left over before stays unused. A switch has one LID.
     *
     * @param smPort end port of the subnet manager, {@link Fabric#NONE} for the first CA port in a cable
     * @param lmc logarithm of the number of LIDs, 0 to {@value Lids#MAX_LMC}
     * @throws org.railyard.fabric.model.FabricException if there are more end ports than LIDs
     */
    public static Fabric assign(Fabric fabric, int smPort, int lmc) {
        return LidSettings.fresh(smPort, lmc).assign(fabric).fabric();
    }

    /** Returns the first CA or router port in a cable, {@link Fabric#NONE} if there is none. */
    public static int firstEndPort(Fabric fabric) {
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port) && !fabric.isSwitch(fabric.nodeOf(port)) && fabric.peer(port) != Fabric.NONE) {
                return port;
            }
        }
        return Fabric.NONE;
    }
}
