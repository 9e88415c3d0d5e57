package org.railyard.dlc.api;

/** What the node counted as a whole (spec 12 §4.6). */
public sealed interface StatsOperation extends Operation {
    @Override
    default String entity() {
        return "statistics";
    }

    /** Shows it. */
    record Show() implements StatsOperation, Query {}

    /** Takes all counts to 0, those of NIs and peers too. */
    record Reset() implements StatsOperation, Action {}
}
