package org.railyard.control;

import org.jspecify.annotations.Nullable;

/** Reasons. */
public sealed interface ExplainOperation extends Operation {
    /** Tells which way a message would go now, what there was to choose from, and what decides. */
    @CliCommand(value = "explain path", help = "tell which way a message would go now, and why; nothing is sent")
    record Path(
            @CliOption(letter = 't', value = "NID", help = "NID that it would be for", required = true)
            String to,

            @CliOption(letter = 'f', value = "NID", help = "NID of this node to send from") @Nullable
            String from,

            @CliOption(letter = 's', value = "BYTES", help = "payload, 0 to 1048576; 4096") @Nullable
            Integer size)
            implements ExplainOperation, Query {}

    /** Tells what the health of an NI, ours or a peer's, is made of and what follows from it. */
    @CliCommand(value = "explain health", help = "tell what the health of an NI is made of and what follows from it")
    record Health(
            @CliOption(value = "NID", help = "its NID", words = true, required = true)
            String nid) implements ExplainOperation, Query {}
}
