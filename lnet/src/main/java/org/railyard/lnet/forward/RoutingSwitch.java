package org.railyard.lnet.forward;

import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.StateLock;
import org.railyard.lnet.api.RoutingState;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;

/**
 * Whether a node forwards, and what it says of that: both ways lead over a state in which it forwards without saying
 * so, long enough for everybody to look (spec 11 §6.5).
 *
 * <pre>
 * from                 to         when
 * DISABLED             STARTING   it is turned on
 * DISABLED             ENABLED    it is on from the start of the node
 * STARTING             ENABLED    every node has had the time to look
 * STARTING, ENABLED    STOPPING   it is turned off
 * STOPPING             DISABLED   every node has had the time to look, and nothing is in a buffer, or for too long
 * STOPPING             STARTING, ENABLED    that it was turned off is taken back: it goes to where it was
 * </pre>
 */
public final class RoutingSwitch {
    private static final long SECOND = 1_000_000_000L;

    /**
     * A router that is to stop waits for its last messages at most so many times as long as it must go on in any case.
     */
    private static final int MOST_WINDOWS = 3;

    private final StateLock lock;
    private RoutingState state = RoutingState.DISABLED;
    private long since;

    /** What it was when it was turned off. */
    private RoutingState stopped = RoutingState.DISABLED;

    /**
     * Makes one that is off.
     *
     * @param lock guards it
     */
    public RoutingSwitch(StateLock lock) {
        this.lock = lock;
    }

    /** Returns where it stands. */
    public RoutingState state() {
        lock.assertHeld();
        return state;
    }

    /** Tells whether messages of others are forwarded. */
    public boolean forwards() {
        lock.assertHeld();
        return state != RoutingState.DISABLED;
    }

    /** Tells whether other nodes are told that this one forwards. */
    public boolean isAnnounced() {
        lock.assertHeld();
        return state == RoutingState.ENABLED;
    }

    /** Returns how long it takes until every node that checks routers must have noticed a change, ns. */
    public static long window(Settings settings) {
        long checks = Math.max(0, settings.get(Tunable.ALIVE_ROUTER_CHECK_INTERVAL));
        return (checks + settings.get(Tunable.ROUTER_PING_TIMEOUT)) * SECOND;
    }

    /**
     * Turns it on.
     *
     * @param at the state to go to: {@link RoutingState#STARTING}, or {@link RoutingState#ENABLED} for a node that is
     *     just starting itself
     * @param now monotonic time, ns
     * @return whether it was off
     * @throws ErrnoException EBUSY while it is being turned off
     */
    public boolean enable(RoutingState at, long now) {
        lock.assertHeld();
        if (state == RoutingState.STOPPING) {
            throw new ErrnoException(
                    Errno.EBUSY,
                    "forwarding is being stopped, which ends when no message is on its way any more; it can be started"
                            + " again then");
        }
        boolean wasOff = state == RoutingState.DISABLED;
        if (wasOff) {
            become(at, now);
        }
        return wasOff;
    }

    /** Turns it off; returns whether it was on. */
    public boolean disable(long now) {
        lock.assertHeld();
        boolean wasOn = state.isOn();
        if (wasOn) {
            stopped = state;
            become(RoutingState.STOPPING, now);
        }
        return wasOn;
    }

    /**
     * Takes back that it was turned off, while it still forwards: it is what it was before. One that was just starting
     * begins to wait anew.
     *
     * @return whether it was being turned off
     */
    public boolean resume(long now) {
        lock.assertHeld();
        boolean stopping = state == RoutingState.STOPPING;
        if (stopping) {
            become(stopped, now);
        }
        return stopping;
    }

    /**
     * Lets time pass.
     *
     * @param idle whether no router buffer is in use
     * @return whether the state changed
     */
    public boolean tick(long now, Settings settings, boolean idle) {
        lock.assertHeld();
        long passed = now - since;
        long window = window(settings);
        if (state == RoutingState.STARTING && passed >= window) {
            become(RoutingState.ENABLED, since);
            return true;
        }
        if (state == RoutingState.STOPPING && (passed >= MOST_WINDOWS * window || (idle && passed >= window))) {
            become(RoutingState.DISABLED, since);
            return true;
        }
        return false;
    }

    private void become(RoutingState next, long now) {
        boolean known = switch (state) {
            case DISABLED -> next == RoutingState.STARTING || next == RoutingState.ENABLED;
            case STARTING -> next == RoutingState.ENABLED || next == RoutingState.STOPPING;
            case ENABLED -> next == RoutingState.STOPPING;
            case STOPPING -> next != RoutingState.STOPPING;
        };
        if (!known) {
            throw new IllegalStateException("forwarding is " + state + " and can not become " + next);
        }
        state = next;
        since = now;
    }
}
