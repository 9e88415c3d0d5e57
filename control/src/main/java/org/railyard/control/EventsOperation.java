package org.railyard.control;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What happened to the node. */
public sealed interface EventsOperation extends Operation {
    /** Shows the last events. {@link Dlc#follow} takes the same, to tell events as they happen. */
    @CliCommand(value = "events", help = "show what happened to the node lately, or what happens now")
    record Show(
            @CliOption(
                    name = "kind",
                    letter = 'k',
                    value = "KIND,…",
                    help = "only these kinds, such as ni-down or message-resent")
            List<String> kinds,

            @CliOption(letter = 'n', value = "NID", help = "only events about this NID, of this node or of a peer")
            @Nullable
            String nid,

            @CliOption(letter = 'l', help = "so many of the last events at most, 0 to 1024; 20") @Nullable
            Integer last,

            @CliOption(letter = 'a', help = "only events with a number above this one") @Nullable
            Long after)
            implements EventsOperation, Query {
        /** Events that are returned unless more are asked for. */
        public static final int USUAL = 20;

        /** Copies the list. */
        public Show {
            kinds = List.copyOf(kinds);
        }
    }
}
