package org.railyard.lnet.model;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Invariant;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidPattern;
import org.railyard.lnet.wire.PingInfo;

/** One NID of a peer. */
public final class PeerNi {
    private final Nid nid;

    /** The peer net it belongs to; changes when peers merge. */
    public PeerNet peerNet;

    /** Send credits; none while there is no local net of its kind. */
    public final Credits credits;

    private int routerCreditsMax;
    private @Nullable Credits routerCredits;

    /** Bytes charged: payload and header of each message from taking a credit to giving it back. */
    public long queuedBytes;

    /** Messages that it brought and that are not through with yet, answers to them among those. */
    public int brought;

    /** Messages through it. */
    public final TrafficCounters traffic = new TrafficCounters();

    /** Health, 0…1000. */
    public int health = LocalNi.FULL_HEALTH;

    /** What the peer last said of it, or showed by sending from it ({@code ns_status}). */
    public int status = PingInfo.STATUS_UP;

    /** Monotonic time of the last message received from it, ns; meaningful if {@link #everAlive}. */
    public long lastAlive;

    /** Whether anything was ever received from it. */
    public boolean everAlive;

    /** Priority by the selection policy, unsigned: 0 is best, {@link LocalNet#NO_PRIORITY} if no rule speaks of it. */
    public int priority = LocalNet.NO_PRIORITY;

    /** The selection rules that prefer local NIs towards it, null if there are none. */
    public @Nullable Pairs pairs;

    /** The routers that a selection rule prefers towards it, null for any. */
    public @Nullable NidPattern routers;

    /** The remote bond that it is in, null for none. */
    public @Nullable ActiveBond bond;

    /** Its place in the list of its bond, from 0; 0 if it is in none. */
    public int bondPlace;

    /** How far its recovery is; null if it never needed any. */
    public @Nullable RecoveryState recovery;

    private @Nullable HealthCounters healthCounters;

    /** Stamp of the last choice; lower was used longer ago. */
    public long seq;

    /** Makes a peer NI with the given number of send credits. */
    public PeerNi(Nid nid, PeerNet peerNet, int creditsMax) {
        this.nid = nid;
        this.peerNet = peerNet;
        this.credits = new Credits(creditsMax);
    }

    /** Makes a peer NI with the credits that a local net gives, none if there is none of its kind. */
    public PeerNi(Nid nid, PeerNet peerNet, @Nullable LocalNet local) {
        this(nid, peerNet, local == null ? 0 : local.tunables().peerCredits());
        this.routerCreditsMax = local == null ? 0 : local.routerCredits();
    }

    /** There is a local net of its kind now, or, with null, none any more: has the credits that this gives. */
    public void resizeCredits(@Nullable LocalNet local) {
        credits.resize(local == null ? 0 : local.tunables().peerCredits());
        routerCreditsMax = local == null ? 0 : local.routerCredits();
        if (routerCredits != null) {
            routerCredits.resize(routerCreditsMax);
        }
    }

    /** Returns its router credits: how much that it sent may be waiting here to go on. Most peers never need any. */
    public Credits routerCredits() {
        Credits all = routerCredits;
        if (all == null) {
            all = new Credits(routerCreditsMax);
            routerCredits = all;
        }
        return all;
    }

    /** Returns its router credits if it ever sent something that was to go on, else null. */
    public @Nullable Credits usedRouterCredits() {
        return routerCredits;
    }

    /** Returns its router credits at rest. */
    public int routerCreditsMax() {
        return routerCreditsMax;
    }

    /** Returns its NID. */
    public Nid nid() {
        return nid;
    }

    /** Returns the peer it belongs to. */
    public Peer peer() {
        return peerNet.peer;
    }

    /** Returns how far its recovery is. */
    public RecoveryState recovery() {
        RecoveryState state = recovery;
        if (state == null) {
            state = new RecoveryState();
            recovery = state;
        }
        return state;
    }

    /** Tells whether it ever failed, or was in recovery. */
    public boolean hasFailed() {
        return recovery != null || healthCounters != null;
    }

    /** Returns the failures through it. */
    public HealthCounters healthCounters() {
        HealthCounters counters = healthCounters;
        if (counters == null) {
            counters = new HealthCounters();
            healthCounters = counters;
        }
        return counters;
    }

    /** Tells whether the peer last said that it is up. */
    public boolean isUp() {
        return status != PingInfo.STATUS_DOWN;
    }

    @Override
    public String toString() {
        return nid.toString();
    }

    /**
     * Checks its credits and its health.
     *
     * @throws AssertionError if they are out of their ranges
     */
    public void checkInvariants() {
        credits.checkInvariants(this);
        if (routerCredits != null) {
            routerCredits.checkRouterInvariants(this);
        }
        Invariant.check(queuedBytes >= 0, this, "no negative number of queued bytes", queuedBytes);
        Invariant.check(health >= 0 && health <= LocalNi.FULL_HEALTH, this, "a health of 0…1000", health);
    }
}
