package org.railyard.selftest.console;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.NodeView;

/** Nodes with a name. Guarded by the lock of the console. */
public final class Group {
    private final String name;
    private final Map<ProcessId, ConsoleNode> nodes = new LinkedHashMap<>();

    public Group(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    public void add(ConsoleNode node) {
        nodes.putIfAbsent(node.id(), node);
    }

    public void remove(ProcessId id) {
        nodes.remove(id);
    }

    public boolean has(ProcessId id) {
        return nodes.containsKey(id);
    }

    public Collection<ConsoleNode> nodes() {
        return nodes.values();
    }

    public List<NodeView> view() {
        return nodes.values().stream().map(ConsoleNode::view).toList();
    }
}
