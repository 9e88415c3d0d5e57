package org.railyard.lnet;

import java.util.List;
import org.railyard.lnet.nid.Nid;

/**
 * An NI of this node.
 *
 * @param nid its NID
 * @param interfaceName its device
 * @param up whether it can carry traffic
 * @param health 0…1000
 * @param credits send credits now; below 0 that many messages wait
 * @param maxCredits send credits at rest
 * @param minCredits fewest send credits there ever were
 * @param traffic messages through it
 * @param deviceCpt the CPU partition near its device, −1 if unknown
 * @param cpts its CPU partitions
 */
public record NiInfo(
        Nid nid,
        String interfaceName,
        boolean up,
        int health,
        int credits,
        int maxCredits,
        int minCredits,
        Traffic traffic,
        int deviceCpt,
        List<Integer> cpts) {
    /** Copies the list. */
    public NiInfo {
        cpts = List.copyOf(cpts);
    }
}
