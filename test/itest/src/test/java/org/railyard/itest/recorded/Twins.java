package org.railyard.itest.recorded;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values that a node chooses freely: each recorded one has exactly one live one, and the other way round. */
final class Twins<T> {
    private final Map<T, T> liveOf = new HashMap<>();
    private final Map<T, T> recordedOf = new HashMap<>();

    /** Pairs two values, or tells whether they are a pair already. */
    boolean agree(T recorded, T live) {
        if (!liveOf.containsKey(recorded) && !recordedOf.containsKey(live)) {
            liveOf.put(recorded, live);
            recordedOf.put(live, recorded);
        }
        return live.equals(liveOf.get(recorded));
    }

    /** Returns the live value of a recorded one, null if there is none. */
    @Nullable
    T live(T recorded) {
        return liveOf.get(recorded);
    }
}
