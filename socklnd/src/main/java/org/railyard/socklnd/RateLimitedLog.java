package org.railyard.socklnd;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;
import org.railyard.lnet.host.NodeClock;

/** A log of refusals that writes each reason at most once per interval, with how many were left out, so that a flood can not fill disks. */
final class RateLimitedLog {
    /** Time between two lines of one reason, ns. */
    static final long INTERVAL_NANOS = 60_000_000_000L;

    private static final System.Logger LOG = System.getLogger("org.railyard.socklnd");

    private final NodeClock clock;
    private final Map<Refusal, Gate> gates = new EnumMap<>(Refusal.class);

    private static final class Gate {
        private boolean opened;
        private long lastNanos;
        private long suppressed;
    }

    RateLimitedLog(NodeClock clock) {
        this.clock = clock;
        for (Refusal reason : Refusal.values()) {
            gates.put(reason, new Gate());
        }
    }

    /** Logs the text, unless the reason was logged within the interval; returns whether it did. */
    boolean log(Refusal reason, Supplier<String> text) {
        long now = clock.nanoTime();
        long suppressed;
        Gate gate = gates.getOrDefault(reason, new Gate());
        synchronized (gate) {
            if (gate.opened && now - gate.lastNanos < INTERVAL_NANOS) {
                gate.suppressed++;
                return false;
            }
            gate.opened = true;
            gate.lastNanos = now;
            suppressed = gate.suppressed;
            gate.suppressed = 0;
        }
        LOG.log(
                System.Logger.Level.WARNING,
                () -> text.get() + (suppressed > 0 ? " (" + suppressed + " similar since the last line)" : ""));
        return true;
    }
}
