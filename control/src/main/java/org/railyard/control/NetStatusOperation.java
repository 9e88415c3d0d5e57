package org.railyard.control;

import org.jspecify.annotations.Nullable;

/** The interfaces of InfiniBand NIs: state, width, speed (spec 21 cb-105). */
public sealed interface NetStatusOperation extends Operation {
    @Override
    default String entity() {
        return "net_status";
    }

    /**
     * Shows them.
     *
     * @param net only those of this net; absent for all
     */
    record Show(@Nullable String net) implements NetStatusOperation, Query {}
}
