package org.railyard.lnet.api;

import java.util.List;
import org.railyard.lnet.nid.Nid;

/**
 * An NI of this node.
 *
 * @param nid its NID
 * @param interfaceName its device
 * @param up whether it is announced as one that can carry traffic
 * @param state how it does, in one word
 * @param health 0…1000
 * @param failures what went wrong with it
 * @param credits send credits now; below 0 that many messages wait
 * @param maxCredits send credits at rest
 * @param minCredits fewest send credits that there were since it started, or since its CPU partitions were changed
 * @param traffic messages through it
 * @param usage how much it is used of late
 * @param deviceCpt the CPU partition near its device, −1 if unknown
 * @param cpts its CPU partitions
 */
public record NiInfo(
        Nid nid,
        String interfaceName,
        boolean up,
        NiState state,
        int health,
        NiHealth failures,
        int credits,
        int maxCredits,
        int minCredits,
        Traffic traffic,
        Usage usage,
        int deviceCpt,
        List<Integer> cpts) {
    /** Copies the list. */
    public NiInfo {
        cpts = List.copyOf(cpts);
    }
}
