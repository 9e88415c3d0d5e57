package org.railyard.sm;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tells traps that are sent again from new ones: a source repeats one, with its transaction ID, until a TrapRepress
 * arrives (spec 40 §3). For one thread.
 */
final class TrapRepeats {
    /** Most traps that are remembered; the oldest is forgotten. */
    static final int MAX_TRAPS = 4096;

    /** After so long it is no repetition: its source may have started anew and count from the beginning, ns. */
    static final long WITHIN = 60_000_000_000L;

    private final Map<Trap, Long> last = new LinkedHashMap<>();

    private record Trap(int lid, int number, long transaction) {}

    /** Notes a trap; returns whether it came before. Of a source without transaction IDs each one is new. */
    boolean isRepeated(int lid, int trapNumber, long transaction, long now) {
        if (transaction == 0) {
            return false;
        }
        Trap trap = new Trap(lid, trapNumber, transaction);
        Long before = last.remove(trap);
        last.put(trap, now);
        if (last.size() > MAX_TRAPS) {
            last.remove(last.keySet().iterator().next());
        }
        return before != null && now - before <= WITHIN;
    }
}
