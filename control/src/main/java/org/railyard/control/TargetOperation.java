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
     * @param probe whether to look only: whatever comes of it changes no health; absent for no
     */
    @CliCommand(value = "ping", help = "ask nodes for their NIDs")
    record Ping(
            @CliOption(value = "NID …", help = "NIDs, lists with ranges, host names", words = true, required = true)
            List<String> nids,

            @CliOption(letter = 's', value = "NID", help = "NID of this node to ping from") @Nullable
            String source,

            @CliOption(letter = 't', value = "SECONDS", help = "limit for each answer, at most 180; 1") @Nullable
            Integer timeout,

            @Nullable Boolean probe)
            implements TargetOperation, Action {
        /** Copies the list. */
        public Ping {
            nids = List.copyOf(nids);
        }
    }

    /** Discovers nodes. */
    @CliCommand(value = "discover", help = "find out the NIDs of nodes and tell them ours")
    record Discover(
            @CliOption(value = "NID …", help = "NIDs, lists with ranges, host names", words = true, required = true)
            List<String> nids,

            @CliOption(letter = 'f', help = "even what is up to date")
            boolean force)
            implements TargetOperation, Action {
        /** Copies the list. */
        public Discover {
            nids = List.copyOf(nids);
        }
    }
}
