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
        private long until = Long.MIN_VALUE;
        private long ignored;
    }

    /**
     * A source whose traps count again.
     *
     * @param ignored how many were ignored
     */
    record Quiet(int lid, long ignored) {}

    /**
     * Notes a trap that is ignored; true if it is the first one of its source.
     *
     * @param until until when such a one is, if no more come than may, ns
     */
    boolean ignored(int lid, long until) {
        boolean begins = !sources.containsKey(lid);
        Source source = sources.computeIfAbsent(lid, _ -> new Source());
        source.until = Math.max(source.until, until);
        source.ignored++;
        if (sources.size() > TrapFilter.MAX_SOURCES) {
            sources.remove(sources.keySet().iterator().next());
        }
        return begins;
    }

    /** Takes out the sources of which everything counts again, and returns them. */
    List<Quiet> quiet(long now) {
        List<Quiet> quiet = new ArrayList<>();
        sources.forEach((lid, source) -> {
            if (now > source.until) {
                quiet.add(new Quiet(lid, source.ignored));
            }
        });
        quiet.forEach(each -> sources.remove(each.lid()));
        return quiet;
    }

    /** Returns how long it takes, ns, until one can be quiet; -1 if there is none. */
    long patience(long now) {
        return sources.values().stream()
                .mapToLong(source -> Math.max(0, source.until + 1 - now))
                .min()
                .orElse(-1);
    }
}
