package org.railyard.sm;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tells noisy sources of traps from others: the same trap from the same source more than {@value #MOST} times within
 * the aging time counts no more until it has been quiet for a minute (spec 41 §6). For one thread.
 */
final class TrapFilter {
    /** How often a trap may come within the aging time. */
    static final int MOST = 10;

    /** Most sources that are remembered; the oldest is forgotten. */
    static final int MAX_SOURCES = 4096;

    private static final long AGING = 5_000_000_000L;
    private static final long QUIET = 60_000_000_000L;

    private final Map<Long, Source> sources = new LinkedHashMap<>();
    private long ignored;

    private static final class Source {
        private long since;
        private long last;
        private int count;
        private boolean noisy;
    }

    /** Counts a trap; false if it is one too many of a noisy source. */
    boolean admit(int lid, int trapNumber, long now) {
        Source source = sources.computeIfAbsent((long) lid << 16 | trapNumber, _ -> new Source());
        if (sources.size() > MAX_SOURCES) {
            sources.remove(sources.keySet().iterator().next());
        }
        if (source.noisy && now - source.last > QUIET) {
            source.noisy = false;
            source.count = 0;
        }
        if (!source.noisy && now - source.since > AGING) {
            source.since = now;
            source.count = 0;
        }
        source.last = now;
        source.count++;
        source.noisy |= source.count > MOST;
        ignored += source.noisy ? 1 : 0;
        return !source.noisy;
    }

    /** Returns how many were ignored. */
    long ignored() {
        return ignored;
    }
}
