package org.railyard.lnet.health;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import org.railyard.base.Invariant;
import org.railyard.base.host.NodeClock;
import org.railyard.base.host.StateLock;
import org.railyard.lnet.api.NiState;
import org.railyard.lnet.api.NodeEventKind;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.event.NodeEvents;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;

/**
 * Keeps the health of NIs and peer NIs (spec 10 §11.3), the status that NIs are announced with, and the lists of those
 * that are to be pinged until they are well again (spec 10 §13).
 */
public final class HealthTable {
    private final StateLock lock;
    private final Supplier<Settings> settings;
    private final RecoveryPlan plan;
    private final NodeEvents events;
    private final Runnable statusChanged;
    private final Set<LocalNi> localRecovery = new LinkedHashSet<>();
    private final Set<PeerNi> peerRecovery = new LinkedHashSet<>();
    private final Set<LocalNi> changed = new LinkedHashSet<>();
    private final Set<LocalNi> restated = new LinkedHashSet<>();
    private ObjIntConsumer<PeerNi> whenLowered = (peerNi, before) -> {};

    /**
     * Makes a book in which all are well.
     *
     * @param lock guards it, and all NIs and peer NIs
     * @param settings returns the tunables as they are now
     * @param clock the node's clock
     * @param events where changes are told
     * @param statusChanged called with the lock held when {@link #takeStatusChanges} has something to tell
     */
    public HealthTable(
            StateLock lock, Supplier<Settings> settings, NodeClock clock, NodeEvents events, Runnable statusChanged) {
        this.lock = lock;
        this.settings = settings;
        this.plan = new RecoveryPlan(settings, clock);
        this.events = events;
        this.statusChanged = statusChanged;
    }

    /**
     * Connects what is done about peer NIs that lose health.
     *
     * @param action takes one, and the health that it had before; called with the lock held
     */
    public void whenLowered(ObjIntConsumer<PeerNi> action) {
        whenLowered = action;
    }

    private int sensitivity() {
        return settings.get().get(Tunable.HEALTH_SENSITIVITY);
    }

    /** An NI did something wrong, or its device got worse. */
    public void lower(LocalNi ni) {
        lock.assertHeld();
        if (sensitivity() > 0) {
            change(ni, ni.health - sensitivity());
        }
    }

    /** A peer NI did something wrong, or its node says that it is down. */
    public void lower(PeerNi peerNi) {
        lock.assertHeld();
        if (sensitivity() > 0) {
            change(peerNi, peerNi.health - sensitivity());
        }
    }

    /** A message left through an NI. */
    public void sent(LocalNi ni) {
        lock.assertHeld();
        if (ni.health < LocalNi.FULL_HEALTH && raisesOnAnySuccess()) {
            change(ni, ni.health + sensitivity());
        }
    }

    /**
     * A transport has found a peer NI, or it was heard of. If it was lowered before that, nobody has tried to make it
     * well until now: it is worth pinging.
     */
    public void found(PeerNi peerNi) {
        lock.assertHeld();
        change(peerNi, peerNi.health);
    }

    /**
     * A message came in.
     *
     * @param nextHop whether the peer NI is one whose word, however little, is enough: that of a gateway, or any if
     *     this node is a router
     */
    public void received(LocalNi ni, PeerNi peerNi, boolean nextHop) {
        lock.assertHeld();
        ni.recovery.heard();
        if (peerNi.recovery != null) {
            peerNi.recovery.heard();
        }
        if (ni.health < LocalNi.FULL_HEALTH) {
            change(ni, ni.health + (raisesOnAnySuccess() ? sensitivity() : 0));
        }
        if (peerNi.health < LocalNi.FULL_HEALTH) {
            if (nextHop && sensitivity() > 0) {
                change(peerNi, LocalNi.FULL_HEALTH);
            } else {
                change(peerNi, peerNi.health + (raisesOnAnySuccess() ? sensitivity() : 0));
            }
        }
    }

    /** A recovery ping of an NI to itself was answered. */
    public void answered(LocalNi ni) {
        lock.assertHeld();
        change(ni, ni.health + increment());
    }

    /** A recovery ping of a peer NI was answered. */
    public void answered(PeerNi peerNi) {
        lock.assertHeld();
        change(peerNi, peerNi.health + increment());
    }

    private boolean raisesOnAnySuccess() {
        return settings.get().is(Tunable.HEALTH_RAISE_ON_ANY_SUCCESS);
    }

    /** What an answered recovery ping gives, besides what any success does: the receipt of the answer is one. */
    private int increment() {
        if (sensitivity() == 0 || raisesOnAnySuccess()) {
            return 0;
        }
        int increment = settings.get().get(Tunable.HEALTH_RECOVERY_INCREMENT);
        return increment == 0 ? sensitivity() : increment;
    }

    /** A transport says that a peer NI is well again. */
    public void revive(PeerNi peerNi) {
        lock.assertHeld();
        change(peerNi, LocalNi.FULL_HEALTH);
    }

    /** An administrator sets the health of an NI; outside 0…1000 means 1000. */
    public void set(LocalNi ni, int health) {
        lock.assertHeld();
        change(ni, inRange(health));
    }

    /** An administrator sets the health of a peer NI; outside 0…1000 means 1000. */
    public void set(PeerNi peerNi, int health) {
        lock.assertHeld();
        peerNi.recovery().want(inRange(health) < LocalNi.FULL_HEALTH);
        change(peerNi, inRange(health));
    }

    private static int inRange(int health) {
        return health < 0 || health > LocalNi.FULL_HEALTH ? LocalNi.FULL_HEALTH : health;
    }

    /** The device of an NI failed, or works again: its flag is set. That is for others to tell. */
    public void deviceChanged(LocalNi ni) {
        lock.assertHeld();
        boolean down = ni.fatal || ni.down && ni.health < LocalNi.FULL_HEALTH;
        if (down != ni.down) {
            ni.down = down;
            tellStatus(ni, down ? "its device failed" : "its device works again");
        }
    }

    private void change(LocalNi ni, int health) {
        int before = ni.health;
        NiState stateBefore = stateOf(ni);
        ni.health = Math.clamp(health, 0, LocalNi.FULL_HEALTH);
        if (stateOf(ni) != stateBefore) {
            restated.add(ni);
        }
        events.health(true, ni.nid(), before, ni.health);
        if (ni.health < LocalNi.FULL_HEALTH && ni.state() != LocalNi.State.DELETING && localRecovery.add(ni)) {
            plan.begin(ni.recovery);
        }
        boolean down = ni.fatal || ni.health == 0 || (ni.down && ni.health < LocalNi.FULL_HEALTH);
        if (down != ni.down) {
            ni.down = down;
            tellStatus(ni, down ? "it has no health left" : "it is well again");
            changed.add(ni);
            statusChanged.run();
        }
    }

    private void tellStatus(LocalNi ni, String why) {
        events.tell(ni.down ? NodeEventKind.NI_DOWN : NodeEventKind.NI_UP, ni.nid(), Nid.ANY, why);
    }

    private void change(PeerNi peerNi, int health) {
        int before = peerNi.health;
        peerNi.health = Math.clamp(health, 0, LocalNi.FULL_HEALTH);
        events.health(false, peerNi.nid(), before, peerNi.health);
        if (peerNi.health == LocalNi.FULL_HEALTH && peerNi.recovery != null) {
            peerNi.recovery.want(false);
        }
        if (peerNi.health < LocalNi.FULL_HEALTH && plan.qualifies(peerNi) && peerRecovery.add(peerNi)) {
            plan.begin(peerNi.recovery());
        }
        if (peerNi.health < before) {
            whenLowered.accept(peerNi, before);
        }
    }

    /** Returns the NIs whose announced status changed by their health since the last call, and forgets them. */
    public List<LocalNi> takeStatusChanges() {
        lock.assertHeld();
        if (changed.isEmpty()) {
            return List.of();
        }
        List<LocalNi> taken = new ArrayList<>(changed);
        changed.clear();
        return taken;
    }

    /** Returns the state of an NI as its users see it. */
    public static NiState stateOf(LocalNi ni) {
        if (ni.fatal || ni.health == 0) {
            return NiState.FAILED;
        }
        return ni.health < LocalNi.FULL_HEALTH ? NiState.DEGRADED : NiState.ACTIVE;
    }

    /** Returns the NIs whose state changed by their health since the last call, and forgets them. */
    public List<LocalNi> takeStateChanges() {
        lock.assertHeld();
        if (restated.isEmpty()) {
            return List.of();
        }
        List<LocalNi> taken = new ArrayList<>(restated);
        restated.clear();
        return taken;
    }

    /**
     * Returns the local NIs to ping now, counted as pinged; forgets those that are well or gone. One whose device
     * failed waits for it.
     */
    public List<LocalNi> localToPing() {
        lock.assertHeld();
        localRecovery.removeIf(ni -> ni.health >= LocalNi.FULL_HEALTH || ni.state() == LocalNi.State.DELETING);
        List<LocalNi> due = new ArrayList<>();
        for (LocalNi ni : localRecovery) {
            if (ni.isUsable() && due.size() < RecoveryPlan.MAX_AT_ONCE && plan.take(ni.recovery)) {
                due.add(ni);
            }
        }
        return due;
    }

    /**
     * Returns the peer NIs to ping now, counted as pinged; forgets those that are well, silent for too long or gone, or
     * on a net that is.
     */
    public List<PeerNi> peersToPing() {
        lock.assertHeld();
        peerRecovery.removeIf(this::isDone);
        List<PeerNi> due = new ArrayList<>();
        for (PeerNi ni : peerRecovery) {
            if (due.size() < RecoveryPlan.MAX_AT_ONCE && plan.take(ni.recovery())) {
                due.add(ni);
            }
        }
        return due;
    }

    private boolean isDone(PeerNi ni) {
        if (!plan.qualifies(ni)) {
            ni.recovery().heard();
            return true;
        }
        return ni.health >= LocalNi.FULL_HEALTH
                || ni.peer().detached
                || !ni.peerNet.nis.contains(ni)
                || ni.credits.max() == 0;
    }

    /** Returns the local NIs that are not well, in the order in which they failed. */
    public List<LocalNi> localRecovery() {
        lock.assertHeld();
        return List.copyOf(localRecovery);
    }

    /** Returns the peer NIs that are not well, in the order in which they failed. */
    public List<PeerNi> peerRecovery() {
        lock.assertHeld();
        return List.copyOf(peerRecovery);
    }

    /** Tells whether anything is not well. */
    public boolean isAllWell() {
        lock.assertHeld();
        return localRecovery.isEmpty() && peerRecovery.isEmpty();
    }

    /**
     * Checks that what is not well is to be pinged, and that there is a plan for what is.
     *
     * @param nis all NIs
     * @throws AssertionError if it is otherwise
     */
    public void checkInvariants(List<LocalNi> nis) {
        lock.assertHeld();
        for (LocalNi ni : nis) {
            Invariant.check(
                    ni.health == LocalNi.FULL_HEALTH
                            || ni.state() == LocalNi.State.DELETING
                            || localRecovery.contains(ni),
                    ni,
                    "to be in recovery while it is not well",
                    ni.health);
        }
        for (PeerNi peerNi : peerRecovery) {
            Invariant.check(peerNi.recovery != null, peerNi, "a plan for its recovery");
        }
    }
}
