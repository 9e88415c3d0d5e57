package org.railyard.sm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sources whose traps are ignored at the moment, so that each is named when that begins and when it ends; of more than
 * {@link TrapFilter#MAX_SOURCES} the oldest is forgotten.
 */
final class TrapNoise {
    private final Map<Integer, Source> sources = new LinkedHashMap<>();

    private static final class Source {
        private long last;
        private long ignored;
    }

    /**
     * A source whose traps count again.
     *
     * @param ignored how many were ignored
     */
    record Quiet(int lid, long ignored) {}

    /** Notes a trap that is ignored; true if it is the first one of its source. */
    boolean ignored(int lid, long now) {
        boolean begins = !sources.containsKey(lid);
        Source source = sources.computeIfAbsent(lid, _ -> new Source());
        source.last = now;
        source.ignored++;
        if (sources.size() > TrapFilter.MAX_SOURCES) {
            sources.remove(sources.keySet().iterator().next());
        }
        return begins;
    }

    /** Takes out the sources of which nothing was ignored for long enough, and returns them. */
    List<Quiet> quiet(long now) {
        List<Quiet> quiet = new ArrayList<>();
        sources.forEach((lid, source) -> {
            if (now - source.last > TrapFilter.QUIET) {
                quiet.add(new Quiet(lid, source.ignored));
            }
        });
        quiet.forEach(each -> sources.remove(each.lid()));
        return quiet;
    }

    /** Returns how long it takes, ns, until one can be quiet; -1 if there is none. */
    long patience(long now) {
        return sources.values().stream()
                .mapToLong(source -> Math.max(0, source.last + TrapFilter.QUIET + 1 - now))
                .min()
                .orElse(-1);
    }
}
