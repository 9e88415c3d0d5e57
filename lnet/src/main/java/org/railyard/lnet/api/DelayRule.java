package org.railyard.lnet.api;

import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/**
 * Holds messages up: on sending, with their credits taken, and on receipt, before they are looked at (spec 10 §18).
 * Those that one rule holds keep their order.
 *
 * @param filter which
 * @param latency for how long, s, at least 1
 */
public record DelayRule(FaultFilter filter, int latency) implements FaultRule {
    /**
     * Checks.
     *
     * @throws ErrnoException EINVAL if there is not exactly one of rate and interval, or the latency is below 1 s
     */
    public DelayRule {
        filter.requireRateOrInterval();
        if (latency < 1) {
            throw new ErrnoException(
                    Errno.EINVAL, "a delay rule with a latency of " + latency + " s; expected 1 or more");
        }
    }

    @Override
    public FaultKind kind() {
        return FaultKind.DELAY;
    }
}
