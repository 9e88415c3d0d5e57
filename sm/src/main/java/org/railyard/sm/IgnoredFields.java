package org.railyard.sm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.railyard.sm.subnet.HeldTables;
import org.railyard.sm.subnet.ManagedNode;

/** Tells, once, which fields devices acknowledge and do not take (spec 41 §4). */
final class IgnoredFields {
    private static final int MAX_NAMED = 4;

    private IgnoredFields() {}

    /** Returns a line for each field that some device was found not to take since this was last asked. */
    static List<String> of(List<ManagedNode> nodes) {
        Map<String, List<String>> ports = new TreeMap<>();
        for (ManagedNode node : nodes) {
            for (HeldTables.Ignored one : node.held().newlyIgnored()) {
                ports.computeIfAbsent(one.field().name(), _ -> new ArrayList<>())
                        .add(node.portName(one.port()));
            }
        }
        List<String> lines = new ArrayList<>();
        ports.forEach((field, all) -> lines.add("%s: acknowledged, but kept as it was by %s; it is not asked for again"
                .formatted(field, SomeNames.of(all, MAX_NAMED))));
        return lines;
    }
}
