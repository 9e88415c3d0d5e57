package org.railyard.control;

import org.jspecify.annotations.Nullable;

/** Reasons. */
public sealed interface ExplainOperation extends Operation {
    /**
     * Tells which way a message would go now, what there was to choose from, and what decides.
     *
     * @param to NID that it would be for
     * @param from NID of this node to send from; absent for the best
     * @param size payload, bytes; absent for 4096
     */
    record Path(String to, @Nullable String from, @Nullable Integer size) implements ExplainOperation, Query {}

    /**
     * Tells what the health of an NI, ours or a peer's, is made of and what follows from it.
     *
     * @param nid its NID
     */
    record Health(String nid) implements ExplainOperation, Query {}
}
