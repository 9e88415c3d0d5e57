package org.railyard.lnet.model;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.Nid;

/**
 * Which way a message goes: what its sender asked for, what was chosen, and what failed before (spec 10 §8, §12). A
 * part of its message, used again with it; allocates nothing, but when it fails for the first time.
 */
public final class MessagePath {
    /** Null as long as it never failed: most never do, and need not be looked at each time then. */
    private @Nullable UsedPaths used;

    private Nid requestedSource = Nid.ANY;
    private Nid requestedTarget = Nid.ANY;
    private boolean exact;
    private @Nullable LocalNi ni;

    @Nullable
    PeerNi peerNi;

    private Nid destination = Nid.ANY;
    private @Nullable Route route;
    private long committed;
    private int retries;
    private Nid failedSource = Nid.ANY;
    private Nid failedTarget = Nid.ANY;
    private boolean resendOwed;
    private boolean discoveryDone;
    private int gatewaysAwaited;

    MessagePath() {}

    void clear() {
        if (used != null) {
            used.clearNis();
            used.clearPeerNis();
            failedSource = Nid.ANY;
            failedTarget = Nid.ANY;
        }
        resendOwed = false;
        requestedSource = Nid.ANY;
        requestedTarget = Nid.ANY;
        exact = false;
        ni = null;
        peerNi = null;
        destination = Nid.ANY;
        route = null;
        committed = 0;
        retries = 0;
        discoveryDone = false;
        gatewaysAwaited = 0;
    }

    /**
     * Says between which NIDs it is to go.
     *
     * @param source {@link Nid#ANY} for any
     */
    public void request(Nid source, Nid target) {
        requestedSource = source;
        requestedTarget = target;
    }

    /** Says that the target is that very NID, not a name of its peer. */
    public void requestExact() {
        exact = true;
    }

    /** Returns the source that was asked for, {@link Nid#ANY} for any. */
    public Nid requestedSource() {
        return requestedSource;
    }

    /** Returns the destination that was asked for. */
    public Nid requestedTarget() {
        return requestedTarget;
    }

    /** Tells whether the destination is to be taken literally, not as a name of its peer. */
    public boolean isExact() {
        return exact;
    }

    /**
     * A path was chosen.
     *
     * @param last the NID that the header names: that of the next hop, or one behind it when it goes through a router
     * @param way the route that it goes over, null if it needs none
     */
    public void choose(LocalNi from, PeerNi nextHop, Nid last, @Nullable Route way) {
        ni = from;
        peerNi = nextHop;
        destination = last;
        route = way;
    }

    /**
     * It came in by an NI, or stays within the node.
     *
     * @param hop the peer NI that it came from, null for loopback
     */
    public void hop(LocalNi by, @Nullable PeerNi hop) {
        ni = by;
        peerNi = hop;
    }

    /** It has no path any more, and needs another. */
    public void leave() {
        ni = null;
        peerNi = null;
        route = null;
    }

    /** Returns the NI that it is sent from or was received on. */
    public @Nullable LocalNi ni() {
        return ni;
    }

    /** Returns the peer NI of the next hop that it is sent to, or that it was received from; null for loopback. */
    public @Nullable PeerNi peerNi() {
        return peerNi;
    }

    /** Returns the NID that the header names as destination: that of the next hop, or one behind it. */
    public Nid destination() {
        return destination;
    }

    /** Returns the route that it goes over, null if it needs none. */
    public @Nullable Route route() {
        return route;
    }

    /** Notes when its path was chosen, monotonic ns. */
    public void commit(long now) {
        committed = now;
    }

    /** Returns when its path was chosen, monotonic ns. */
    public long committed() {
        return committed;
    }

    /** It was sent over its path without success, and is to be sent again: a resend avoids what failed. */
    public void failed(LocalNi from, PeerNi to) {
        markUsed(from);
        markUsed(to);
        retried();
        failedSource = from.nid();
        failedTarget = to.nid();
        resendOwed = true;
        leave();
    }

    /**
     * Tells, once for each time that it failed, whether the path that it has now is that of a resend: when it moves to
     * yet another because it only waited on this one, that is none.
     */
    public boolean takeResent() {
        boolean resent = resendOwed;
        resendOwed = false;
        return resent;
    }

    /** Notes that it is sent once more. */
    public void retried() {
        retries++;
    }

    private UsedPaths used() {
        UsedPaths known = used;
        if (known == null) {
            known = new UsedPaths();
            used = known;
        }
        return known;
    }

    /** Notes that an NI was used without success. */
    public void markUsed(LocalNi failed) {
        used().add(failed);
    }

    /** Notes that a peer NI was used without success. */
    public void markUsed(PeerNi failed) {
        used().add(failed);
    }

    /** Tells whether it was sent from an NI without success. */
    public boolean hasUsed(LocalNi other) {
        return used != null && used.has(other);
    }

    /** Tells whether it was sent to a peer NI without success. */
    public boolean hasUsed(PeerNi other) {
        return used != null && used.has(other);
    }

    /** Forgets which NIs were used: all have been, it begins again. */
    public void clearUsedNis() {
        if (used != null) {
            used.clearNis();
        }
    }

    /** Forgets which peer NIs were used: all have been, it begins again. */
    public void clearUsedPeerNis() {
        if (used != null) {
            used.clearPeerNis();
        }
    }

    /** Returns how often it has been sent again; 0 at the first attempt. */
    public int retries() {
        return retries;
    }

    /** Returns the NID that it was sent from without success last, {@link Nid#ANY} if there is none. */
    public Nid failedSource() {
        return failedSource;
    }

    /** Returns the NID that it was sent to without success last, {@link Nid#ANY} if there is none. */
    public Nid failedTarget() {
        return failedTarget;
    }

    /** It has waited for discovery: it goes with whatever is known of the peer now. */
    public void endDiscovery() {
        discoveryDone = true;
    }

    /** Tells whether it has waited for discovery. */
    public boolean isDiscoveryDone() {
        return discoveryDone;
    }

    /** It has no path until a gateway has been discovered. */
    public void awaitGateway() {
        leave();
        gatewaysAwaited++;
    }

    /** Returns how often it has waited for the discovery of a gateway. */
    public int gatewaysAwaited() {
        return gatewaysAwaited;
    }
}
