package org.railyard.lnet.api;

import java.util.List;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.PingInfo;

/**
 * What a pinged node said.
 *
 * @param primaryNid the peer's primary NID if it was discovered, otherwise the NID asked for
 * @param multiRail whether it is a discovered multi-rail peer
 * @param nids all NIDs in its answer, without loopback
 * @param info the answer itself
 */
public record PingReply(Nid primaryNid, boolean multiRail, List<Nid> nids, PingInfo info) {
    /** Copies the list. */
    public PingReply {
        nids = List.copyOf(nids);
    }
}
