package org.railyard.lnet.model;

import java.util.Arrays;
import org.railyard.lnet.lnd.HealthStatus;

/**
 * What went wrong on an NI or a peer NI, by the status that its transport reported (spec 10 §11.1, §17.3). Guarded by
 * the stack's lock.
 */
public final class HealthCounters {
    private final long[] failed = new long[HealthStatus.values().length];
    private final long[] resent = new long[failed.length];

    /** Makes counters at 0. */
    public HealthCounters() {}

    /** Counts a failure. */
    public void failed(HealthStatus status) {
        failed[status.ordinal()]++;
    }

    /** Counts a message that is sent again because of a failure. */
    public void resent(HealthStatus status) {
        resent[status.ordinal()]++;
    }

    /** Returns how many failures there were. */
    public long failures(HealthStatus status) {
        return failed[status.ordinal()];
    }

    /** Returns how many messages were sent again because of a failure. */
    public long resends(HealthStatus status) {
        return resent[status.ordinal()];
    }

    /** Takes all to 0. */
    public void reset() {
        Arrays.fill(failed, 0);
        Arrays.fill(resent, 0);
    }
}
