package org.railyard.lnet.api;

import java.util.List;
import org.railyard.lnet.nid.Nid;

/**
 * The NIDs of this node or of a peer have changed (spec 10 §4.2, RegisterNIDUpdates).
 *
 * @param local whether it is about this node
 * @param primaryNid the primary NID of the node that this is about; {@link Nid#ANY} if this node has no NID any more
 * @param nids its NIDs now, the primary first; empty if that is no primary NID any more
 */
public record NidUpdate(boolean local, Nid primaryNid, List<Nid> nids) {
    /** Copies the list. */
    public NidUpdate {
        nids = List.copyOf(nids);
    }
}
