package org.railyard.lnet.health;

import java.util.function.Supplier;
import org.railyard.base.host.NodeClock;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.RecoveryState;

/**
 * When what is not well is pinged: once per interval, or ever more rarely the longer nothing comes back (spec 10 §13).
 */
final class RecoveryPlan {
    /** Most of one kind that are pinged at a time; the others have their turn a second later. */
    static final int MAX_AT_ONCE = 1024;

    private static final long SECOND = 1_000_000_000L;

    private final Supplier<Settings> settings;
    private final NodeClock clock;

    RecoveryPlan(Supplier<Settings> settings, NodeClock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    private long second() {
        return Math.floorDiv(clock.nanoTime(), SECOND);
    }

    /** The recovery of something begins. */
    void begin(RecoveryState state) {
        state.begin(second() + (backsOff() ? 1 : settings.get().get(Tunable.RECOVERY_INTERVAL)));
    }

    private boolean backsOff() {
        return settings.get().is(Tunable.RECOVERY_BACKOFF);
    }

    /** Tells whether it is time for a ping and none is under way; then it is counted, and the next one planned. */
    boolean take(RecoveryState state) {
        if (!state.isDue(second())) {
            return false;
        }
        state.ping();
        state.plan(second() + pause(state.pingCount()));
        return true;
    }

    private long pause(int pings) {
        if (!backsOff()) {
            return settings.get().get(Tunable.RECOVERY_INTERVAL);
        }
        int longest = settings.get().get(Tunable.MAX_RECOVERY_PING_INTERVAL);
        int exponent = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(longest);
        return pings <= exponent ? 1L << pings : longest;
    }

    /** Tells whether a peer NI was ever heard, and not too long ago, or wanted by an administrator. */
    boolean qualifies(PeerNi ni) {
        long limit = settings.get().get(Tunable.RECOVERY_LIMIT);
        if (!ni.everAlive) {
            return limit == 0 && ni.recovery != null && ni.recovery.isWanted();
        }
        return limit == 0 || clock.nanoTime() - ni.lastAlive <= limit * SECOND;
    }
}
