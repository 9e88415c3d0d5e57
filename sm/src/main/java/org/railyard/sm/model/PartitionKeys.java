package org.railyard.sm.model;

import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.smp.PKeyTable;

/**
 * Which P_Keys end ports get (spec 41 §8). Implementations are immutable and answer the same question the same way.
 */
@FunctionalInterface
public interface PartitionKeys {
    /** Every end port is a full member of the default partition, and of no other. */
    PartitionKeys DEFAULT = (fabric, endPort) -> List.of(PKeyTable.DEFAULT_KEY);

    /**
     * Returns the P_Keys of an end port, with bit 15 for full members.
     *
     * @param fabric the fabric as it was found
     * @param endPort port index of an end port
     * @return the first is that of the default partition, which has index 0; none twice
     */
    List<Integer> of(Fabric fabric, int endPort);
}
