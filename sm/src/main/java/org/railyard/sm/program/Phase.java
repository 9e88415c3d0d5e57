package org.railyard.sm.program;

import java.util.Iterator;
import java.util.function.Supplier;

/**
 * Sets that may be on their way together, in any order; the next phase begins when all have been answered.
 *
 * @param name what is written, such as {@code LFT}
 * @param why the reason, one line
 * @param strict whether what follows is safe only if all of this has been done: a failure then ends the programming
 * @param settleNanos how long packets need to die out after it, ns
 * @param settled whether it begins only when packets of all phases before it have died out
 * @param updates makes the Sets one after the other when they are sent, by what nodes hold then
 */
public record Phase(
        String name,
        String why,
        boolean strict,
        long settleNanos,
        boolean settled,
        Supplier<Iterator<Update>> updates) {
    static Phase of(String name, String why, Supplier<Iterator<Update>> updates) {
        return new Phase(name, why, false, 0, true, updates);
    }

    static Phase strict(String name, String why, Supplier<Iterator<Update>> updates) {
        return new Phase(name, why, true, 0, true, updates);
    }

    static Phase drain(String name, String why, long settleNanos, Supplier<Iterator<Update>> updates) {
        return new Phase(name, why, true, settleNanos, true, updates);
    }

    /** Returns the same for when nothing was sent before it that it could meet, or all of that is proved. */
    Phase unsettled() {
        return new Phase(name, why, strict, settleNanos, false, updates);
    }
}
