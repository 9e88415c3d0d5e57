package org.railyard.lnet.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Invariant;
import org.railyard.lnet.cpt.CptTable;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.PingInfo;

/** A local NI: one NID, one device. */
public final class LocalNi implements LndNi {
    /** Health of an NI that never failed. */
    public static final int FULL_HEALTH = 1000;

    /**
     * The life of an NI (spec 10 §2.1).
     *
     * <pre>
     * from              to         when
     * INIT              ACTIVE     its transport has started it
     * INIT, ACTIVE      DELETING   it is removed, could not be started, or the node is closed
     * DELETING          DELETING   the node is closed meanwhile
     * </pre>
     */
    public enum State {
        /** Its transport is starting it: it may receive and answer, but is not chosen to send from. */
        INIT,
        /** It works. */
        ACTIVE,
        /** It is being deleted: it takes no new messages. */
        DELETING
    }

    private final LocalNet localNet;
    private final NiBinding binding;
    private final Lnd lnd;
    private final Map<String, Integer> lndTunables;

    /** Send credits, and with them its CPU partitions. */
    public final NiCredits credits;

    /** The CPU partition near its device, {@link CptTable#ANY} if that is not known. */
    public final int deviceCpt;

    /** Messages through it. */
    public final TrafficCounters traffic = new TrafficCounters();

    /** Health, 0…1000. */
    public int health = FULL_HEALTH;

    /** Whether the device can not carry traffic. */
    public boolean fatal;

    /** Whether it is announced as down: from a fatal error, or health 0, until it is all well (spec 10 §11.3). */
    public boolean down;

    /** Whether anything ever came from another node. */
    public boolean everHeard;

    /** Monotonic time of the last message from another node, ns; meaningful if {@link #everHeard}. */
    public long lastHeard;

    /** Peers that fell silent while nothing came from others. */
    public final Silence silence = new Silence();

    /** Failures through it. */
    public final HealthCounters healthCounters = new HealthCounters();

    /** How far its recovery is. */
    public final RecoveryState recovery = new RecoveryState();

    /** Times that its device failed. */
    public long downEvents;

    /** Times that its device worked again. */
    public long upEvents;

    private State state = State.INIT;

    /** Priority by the selection policy, unsigned: 0 is best, {@link LocalNet#NO_PRIORITY} if no rule speaks of it. */
    public int priority = LocalNet.NO_PRIORITY;

    /** The bond that it is in, null for the default one. */
    public @Nullable ActiveBond bond;

    /** Its place in the list of its bond, from 0; 0 in the default one. */
    public int bondPlace;

    /** Stamp of the last choice; lower was used longer ago. */
    public long seq;

    /**
     * Makes an NI.
     *
     * @param deviceCpt the CPU partition near its device, {@link CptTable#ANY} if that is not known
     * @param cpts its CPU partitions, at least one
     */
    public LocalNi(
            LocalNet localNet,
            NiBinding binding,
            Lnd lnd,
            Map<String, Integer> lndTunables,
            int deviceCpt,
            int[] cpts) {
        this.localNet = localNet;
        this.binding = binding;
        this.lnd = lnd;
        this.lndTunables = lndTunables;
        this.deviceCpt = deviceCpt;
        this.credits = new NiCredits(localNet.tunables(), cpts);
    }

    /** Returns where it is in its life. */
    public State state() {
        return state;
    }

    /**
     * Takes a step in its life.
     *
     * @throws IllegalStateException if the table of {@link State} has no such step
     */
    public void become(State next) {
        if (next == State.INIT || (next == State.ACTIVE && state != State.INIT)) {
            throw new IllegalStateException("NI " + this + " is " + state + " and can not become " + next);
        }
        state = next;
    }

    @Override
    public Nid nid() {
        return binding.nid();
    }

    @Override
    public Net net() {
        return localNet.net();
    }

    @Override
    public String interfaceName() {
        return binding.interfaceName();
    }

    @Override
    public NetTunables tunables() {
        return localNet.tunables();
    }

    @Override
    public Map<String, Integer> lndTunables() {
        return lndTunables;
    }

    /** Returns its net. */
    public LocalNet localNet() {
        return localNet;
    }

    /** Returns its transport. */
    public Lnd lnd() {
        return lnd;
    }

    /** Returns the status word for ping info. */
    public int status() {
        return down || localNet.silent ? PingInfo.STATUS_DOWN : PingInfo.STATUS_UP;
    }

    /** Tells whether it may be chosen to send from. */
    public boolean isUsable() {
        return state == State.ACTIVE && !fatal;
    }

    @Override
    public String toString() {
        return nid().toString();
    }

    /**
     * Checks its credits, its health, and what it is announced as.
     *
     * @throws AssertionError if they contradict each other
     */
    public void checkInvariants() {
        credits.checkInvariants(this);
        Invariant.check(health >= 0 && health <= FULL_HEALTH, this, "a health of 0…1000", health);
        Invariant.check(down || (!fatal && health > 0), this, "to be announced as down while it has failed", health);
        Invariant.check(
                !down || fatal || health < FULL_HEALTH, this, "to be announced as down only until it is well", health);
    }
}
