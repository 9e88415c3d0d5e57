package org.railyard.fabric.route;

import java.util.List;
import org.railyard.fabric.model.Lids;

/**
 * A multicast group to be routed.
 *
 * @param mlid its multicast LID
 * @param sl its SL, 0–15
 * @param members port indices of the end ports that belong to it
 */
public record MulticastGroup(int mlid, int sl, List<Integer> members) {
    /** Checks LID and SL. */
    public MulticastGroup {
        if (!Lids.isMulticast(mlid)) {
            throw new IllegalArgumentException("0x%x is no multicast LID".formatted(mlid));
        }
        if (sl < 0 || sl > 15) {
            throw new IllegalArgumentException("SL " + sl + " is not 0 to 15");
        }
        members = List.copyOf(members);
    }
}
