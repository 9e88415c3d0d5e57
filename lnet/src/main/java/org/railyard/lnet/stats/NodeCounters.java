package org.railyard.lnet.stats;

import java.util.Arrays;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Statistics;
import org.railyard.lnet.lnd.HealthStatus;

/** The counters of a node as a whole (spec 10 §17.2). */
public final class NodeCounters {
    private final long[] values = new long[Statistic.values().length];

    /** Makes counters at 0. */
    public NodeCounters() {}

    /** Counts one. */
    public void count(Statistic statistic) {
        values[statistic.ordinal()]++;
    }

    /** Counts some. */
    public void add(Statistic statistic, long amount) {
        values[statistic.ordinal()] += amount;
    }

    /** Counts a failed message by what its transport said (spec 10 §11.1); no effect for {@link HealthStatus#OK}. */
    public void failed(HealthStatus status) {
        switch (status) {
            case OK -> {}
            case LOCAL_INTERRUPT -> count(Statistic.LOCAL_INTERRUPT_COUNT);
            case LOCAL_DROPPED -> count(Statistic.LOCAL_DROPPED_COUNT);
            case LOCAL_ABORTED -> count(Statistic.LOCAL_ABORTED_COUNT);
            case LOCAL_NO_ROUTE -> count(Statistic.LOCAL_NO_ROUTE_COUNT);
            case LOCAL_ERROR -> count(Statistic.LOCAL_ERROR_COUNT);
            case LOCAL_TIMEOUT -> count(Statistic.LOCAL_TIMEOUT_COUNT);
            case REMOTE_ERROR -> count(Statistic.REMOTE_ERROR_COUNT);
            case REMOTE_DROPPED -> count(Statistic.REMOTE_DROPPED_COUNT);
            case REMOTE_TIMEOUT -> count(Statistic.REMOTE_TIMEOUT_COUNT);
            case NETWORK_TIMEOUT -> count(Statistic.NETWORK_TIMEOUT_COUNT);
        }
    }

    /** Records how many there are of something, for a statistic that is its peak. */
    public void peak(Statistic statistic, long now) {
        int at = statistic.ordinal();
        values[at] = Math.max(values[at], now);
    }

    /** Returns one of them. */
    public long get(Statistic statistic) {
        return values[statistic.ordinal()];
    }

    /** Takes all to 0. */
    public void reset() {
        Arrays.fill(values, 0);
    }

    /**
     * Returns all of them.
     *
     * @param messages messages on their way now
     * @param responses responses that are timed now
     */
    public Statistics snapshot(long messages, long responses) {
        long[] all = values.clone();
        all[Statistic.MSGS_ALLOC.ordinal()] = messages;
        all[Statistic.RST_ALLOC.ordinal()] = responses;
        return new Statistics(all);
    }
}
