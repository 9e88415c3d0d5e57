package org.railyard.control;

import org.jspecify.annotations.Nullable;

/** The interfaces of InfiniBand NIs: state, width, speed (spec 21 cb-105). */
public sealed interface NetStatusOperation extends Operation {
    @Override
    default String entity() {
        return "net_status";
    }

    /** Shows them. */
    @CliCommand(value = "net_status", help = "show the state of InfiniBand interfaces")
    record Show(
            @CliOption(letter = 'n', value = "NET", help = "only this net, such as o2ib or o2ib1") @Nullable
            String net) implements NetStatusOperation, Query {}
}
