package org.railyard.control;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Channel bonding: at which addresses peers are reached, over which routes, and whether that is sane (spec 21 §8). */
public sealed interface O2ibsOperation extends Operation {
    /**
     * Adds a target, or replaces the one with the same NID.
     *
     * @param nid of the peer
     * @param ips its addresses, 1…16, in the order in which they are used
     * @param force also if there is a target with other addresses
     */
    record Add(String nid, List<String> ips, boolean force) implements O2ibsOperation, Edit {
        /** Copies the list. */
        public Add {
            ips = List.copyOf(ips);
        }
    }

    /**
     * Deletes a target.
     *
     * @param nid of the peer
     */
    record Delete(String nid) implements O2ibsOperation, Edit {}

    /**
     * Shows targets.
     *
     * @param net only those on this net; absent for all
     * @param nid only this one; absent for all
     */
    record Show(@Nullable String net, @Nullable String nid) implements O2ibsOperation, Query {}

    /**
     * Shows routes, peer by peer.
     *
     * @param net only those of this net; absent for all
     */
    record Routes(@Nullable String net) implements O2ibsOperation, Query {}

    /**
     * Shows what NIs on o2ib nets have for the calculator of tunables: settings, limits of devices, what was agreed on
     * with peers (spec 22 mod-045).
     *
     * @param net only those on this net; absent for all
     * @param nid only this one; absent for all
     */
    record Tunables(@Nullable String net, @Nullable String nid) implements O2ibsOperation, Query {}

    /**
     * Checks groups and targets (spec 21 §9).
     *
     * @param net only this one; absent for all
     * @param probe also by connecting each route
     */
    record Check(@Nullable String net, boolean probe) implements O2ibsOperation, Action {}
}
