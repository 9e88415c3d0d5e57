package org.railyard.fabric.model;

/** Checks the LIDs of a port before they are stored in 16 bits. */
final class LidRange {
    private LidRange() {}

    static void check(int lid, int lmc) {
        if (lmc < 0 || lmc > Lids.MAX_LMC) {
            throw new FabricException("LMC " + lmc + " is not 0 to " + Lids.MAX_LMC);
        }
        if (lid != 0 && (!Lids.isUnicast(lid) || !Lids.isUnicast(lid + (1 << lmc) - 1))) {
            throw new FabricException("LID %d with LMC %d leaves the unicast range".formatted(lid, lmc));
        }
    }
}
