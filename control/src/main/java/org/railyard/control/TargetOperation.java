package org.railyard.control;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asking nodes (spec 12 §2.6, §4.8). The answer has the successes, and under {@code manage} the failures. */
public sealed interface TargetOperation extends Operation {
    @Override
    default String entity() {
        return action();
    }

    /**
     * Pings nodes.
     *
     * @param nids NIDs, lists with ranges, host names
     * @param source the local NID to ping from; absent for the best
     * @param timeout limit for each, s, at most 180; absent or 0 for 1
     * @param probe whether to look only: whatever comes of it changes no health; absent for no
     */
    record Ping(
            List<String> nids,
            @Nullable String source,
            @Nullable Integer timeout,
            @Nullable Boolean probe) implements TargetOperation, Action {
        /** Copies the list. */
        public Ping {
            nids = List.copyOf(nids);
        }
    }

    /**
     * Discovers nodes.
     *
     * @param nids NIDs, lists with ranges, host names
     * @param force even what is up to date
     */
    record Discover(List<String> nids, boolean force) implements TargetOperation, Action {
        /** Copies the list. */
        public Discover {
            nids = List.copyOf(nids);
        }
    }
}
