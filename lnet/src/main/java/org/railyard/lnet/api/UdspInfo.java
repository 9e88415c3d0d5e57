package org.railyard.lnet.api;

import java.util.List;
import org.railyard.lnet.nid.Nid;

/**
 * What the user-defined selection policy says of a NID, one of ours or of a peer (spec 12 §3).
 *
 * @param netPriority of its net, 0 is best, −1 if no rule speaks of it
 * @param nidPriority of itself, 0 is best, −1 if no rule speaks of it
 * @param preferredSources our NIDs that are preferred towards it, best first
 * @param preferredRouters the routers that are preferred towards it, as a pattern; empty for any
 */
public record UdspInfo(long netPriority, long nidPriority, List<Nid> preferredSources, String preferredRouters) {
    /** Copies the list. */
    public UdspInfo {
        preferredSources = List.copyOf(preferredSources);
    }
}
