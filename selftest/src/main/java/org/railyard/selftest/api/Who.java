package org.railyard.selftest.api;

import java.util.List;
import org.railyard.lnet.nid.ProcessId;

/** Which nodes of a session are meant. */
public sealed interface Who {
    /** All of them. */
    record All() implements Who {}

    /** Those of a group. */
    record OfGroup(String name) implements Who {}

    /** Those of a batch that call others, or that are called. */
    record OfBatch(String name, boolean called) implements Who {}

    /** Some in particular. */
    record Nodes(List<ProcessId> nodes) implements Who {}
}
