package org.railyard.lnet.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.Net;

/** The NIDs of a peer on one net. */
public final class PeerNet {
    private final Net net;

    /** The peer it belongs to. */
    public final Peer peer;

    /** Its NIs; the primary first if it is here. */
    public final List<PeerNi> nis = new ArrayList<>(1);

    /** Priority by the selection policy, unsigned: 0 is best, {@link LocalNet#NO_PRIORITY} if no rule speaks of it. */
    public int priority = LocalNet.NO_PRIORITY;

    /** Whether {@link #nextCheck} says when the gateway is to be checked over this net again; if not, that is due. */
    public boolean checkPlanned;

    /** When the gateway is to be checked over this net again, monotonic ns. */
    public long nextCheck;

    /** Stamp of the last choice; lower was used longer ago. */
    public long seq;

    /** For a peer that is not multi-rail: the local NI that it knows us by, null if none is recorded. */
    public @Nullable LocalNi preferred;

    /** Makes a peer net without NIs. */
    public PeerNet(Net net, Peer peer) {
        this.net = net;
        this.peer = peer;
    }

    /** Returns its net. */
    public Net net() {
        return net;
    }

    /** Returns the best health among its NIs. */
    public int health() {
        int best = -1;
        for (int i = 0; i < nis.size(); i++) {
            best = Math.max(best, nis.get(i).health);
        }
        return best;
    }
}
