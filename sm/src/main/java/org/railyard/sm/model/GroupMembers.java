package org.railyard.sm.model;

import java.util.List;
import org.railyard.fabric.model.Lids;

/**
 * A multicast group as clients have made it, by port GUIDs: where these ports are is found out when it is routed.
 *
 * @param mlid multicast LID
 * @param sl its SL, 0 … 15
 * @param portGuids its members; ports that are not in the subnet are left out
 */
public record GroupMembers(int mlid, int sl, List<Long> portGuids) {
    /** Checks LID and SL, and copies the members. */
    public GroupMembers {
        if (!Lids.isMulticast(mlid)) {
            throw new IllegalArgumentException("0x%04x is no multicast LID".formatted(mlid));
        }
        if (sl < 0 || sl > 15) {
            throw new IllegalArgumentException("SL " + sl + " is not 0 to 15");
        }
        portGuids = List.copyOf(portGuids);
    }
}
