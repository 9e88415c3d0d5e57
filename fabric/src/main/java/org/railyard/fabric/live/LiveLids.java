package org.railyard.fabric.live;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;

/** Gives a fabric the LIDs that its ports say they have; nothing of that is trusted to fit together. */
public final class LiveLids {
    private final Fabric fabric;
    private final int[] lids;
    private final int[] lmcs;
    private final SortedMap<Integer, Integer> owners = new TreeMap<>();

    /** Makes one of a fabric; LIDs that it has do not count. */
    public LiveLids(Fabric fabric) {
        this.fabric = fabric;
        this.lids = new int[fabric.portCount()];
        this.lmcs = new int[fabric.portCount()];
    }

    /**
     * Notes what an end port says; LIDs that another port has, or that are none, are left out with a remark.
     *
     * @param port port index
     * @param lid its base LID, 0 = none
     * @param remarks hears of what does not fit
     */
    public void set(int port, int lid, int lmc, List<String> remarks) {
        if (lid == 0) {
            return;
        }
        boolean isRange = lmc >= 0 && lmc <= Lids.MAX_LMC && (lid & (1 << lmc) - 1) == 0;
        if (!isRange || !Lids.isUnicast(lid) || !Lids.isUnicast(lid + (1 << lmc) - 1)) {
            remarks.add("%s: it says that it has LID %d with LMC %d, which is no range of unicast LIDs; it is left out"
                    .formatted(fabric.portName(port), lid, lmc));
            return;
        }
        for (int at = lid; at < lid + (1 << lmc); at++) {
            Integer other = owners.get(at);
            if (other != null && other != port) {
                remarks.add("LID %d: both %s and %s have it; it counts as that of the first"
                        .formatted(at, fabric.portName(other), fabric.portName(port)));
                return;
            }
        }
        for (int at = lid; at < lid + (1 << lmc); at++) {
            owners.put(at, port);
        }
        lids[port] = lid;
        lmcs[port] = lmc;
    }

    /** Returns the fabric with these LIDs. */
    public Fabric fabric() {
        return fabric.withLids(lids, lmcs);
    }
}
