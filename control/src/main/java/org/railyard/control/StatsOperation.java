package org.railyard.control;

/** What the node counted as a whole (spec 12 §4.6). */
public sealed interface StatsOperation extends Operation {
    @Override
    default String entity() {
        return "statistics";
    }

    /** Shows it. */
    record Show() implements StatsOperation, Query {}

    /** Returns counters, credits and health of all NIs and peer NIs, with the node's time: two of them make rates. */
    record Sample() implements StatsOperation, Query {
        /** Most peer NIs that are returned; the answer tells whether there are more. */
        public static final int MAX_PEER_NIS = 10_000;
    }

    /** Takes all counts to 0, those of NIs and peers too. */
    @CliCommand(value = "stats reset", help = "take all counts to 0")
    record Reset() implements StatsOperation, Action {}
}
