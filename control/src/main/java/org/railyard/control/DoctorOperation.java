package org.railyard.control;

import org.jspecify.annotations.Nullable;

/** What is wrong with a node and its machine, and what mends it. */
public sealed interface DoctorOperation extends Operation {
    /**
     * Looks for mistakes in the machine's and the node's configuration, and for what does not work. Changes nothing.
     * Answers without LNet, too. The answer is what {@link org.railyard.doctor.Report#toDocument()} makes.
     *
     * @param probe also ask the peers that are known, on each way to them
     * @param timeout limit for the answer of a peer, s, 1…60; 5 if absent
     */
    record Examine(boolean probe, @Nullable Integer timeout) implements DoctorOperation, Query {}
}
