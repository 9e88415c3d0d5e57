package org.railyard.sm;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tells noisy sources of traps from others: the same trap from the same source more than {@value #MOST} times within
 * the aging time counts no more until there were not so many for a minute (spec 41 §6), and so does a source that sends
 * more than {@value #MOST_OF_ALL} traps of all kinds. It need not be silent: a standby that calls for a handover all
 * the time would never be heard after a storm. For one thread.
 */
final class TrapFilter {
    /** How often a trap may come within the aging time. */
    static final int MOST = 10;

    /** How many traps of all kinds may come from a source within the aging time. */
    static final int MOST_OF_ALL = 40;

    /** Most kinds of traps, of all sources together, that are remembered, and most sources; the oldest is forgotten. */
    static final int MAX_SOURCES = 4096;

    private static final long AGING = 5_000_000_000L;

    /** For how long what is ignored has to keep to what it may send, ns. */
    static final long QUIET = 60_000_000_000L;

    private final Map<Integer, Source> sources = new LinkedHashMap<>();
    private final Map<Long, Source> kinds = new LinkedHashMap<>();
    private long ignored;

    /** What came of one kind, or from one source. */
    private static final class Source {
        private long since;
        private long lastTooMany;
        private int count;
        private boolean noisy;

        boolean isNoisy(int most, long now) {
            if (now - since > AGING) {
                since = now;
                count = 0;
            }
            count++;
            if (count > most) {
                noisy = true;
                lastTooMany = now;
            } else if (noisy && now - lastTooMany > QUIET) {
                noisy = false;
            }
            return noisy;
        }

        long until() {
            return noisy ? lastTooMany + QUIET : Long.MIN_VALUE;
        }
    }

    /** Counts a trap; false if it is one too many of a noisy source. */
    boolean admit(int lid, int trapNumber, long now) {
        // The source first: what it sends under other numbers is not to displace what is known of others.
        boolean admitted = !of(sources, lid).isNoisy(MOST_OF_ALL, now)
                && !of(kinds, kind(lid, trapNumber)).isNoisy(MOST, now);
        ignored += admitted ? 0 : 1;
        return admitted;
    }

    /** Returns until when a trap that was just refused is, if its source sends no more of them than it may, ns. */
    long until(int lid, int trapNumber) {
        return Math.max(until(sources, lid), until(kinds, kind(lid, trapNumber)));
    }

    /** To ask is not to remember: what a noisy source sends is not to displace what is known of others. */
    private static <K> long until(Map<K, Source> known, K key) {
        Source source = known.get(key);
        return source == null ? Long.MIN_VALUE : source.until();
    }

    private static long kind(int lid, int trapNumber) {
        return (long) lid << 16 | trapNumber;
    }

    private static <K> Source of(Map<K, Source> known, K key) {
        Source source = known.computeIfAbsent(key, _ -> new Source());
        if (known.size() > MAX_SOURCES) {
            known.remove(known.keySet().iterator().next());
        }
        return source;
    }

    /** Returns how many were ignored. */
    long ignored() {
        return ignored;
    }
}
