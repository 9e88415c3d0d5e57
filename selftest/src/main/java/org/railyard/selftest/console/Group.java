package org.railyard.selftest.console;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.api.NodeView;

/** Nodes with a name. Guarded by the lock of the console. */
public final class Group {
    private final String name;
    private final Map<ProcessId, ConsoleNode> nodes = new LinkedHashMap<>();

    /** Makes one without nodes. */
    public Group(String name) {
        this.name = name;
    }

    /** Returns its name. */
    public String name() {
        return name;
    }

    /** Adds a node; no effect if it is there. */
    public void add(ConsoleNode node) {
        nodes.putIfAbsent(node.id(), node);
    }

    /** Takes a node out; no effect if it is not there. */
    public void remove(ProcessId id) {
        nodes.remove(id);
    }

    /** Tells whether a node is in it. */
    public boolean has(ProcessId id) {
        return nodes.containsKey(id);
    }

    /** Returns its nodes, in the order in which they were added. */
    public Collection<ConsoleNode> nodes() {
        return nodes.values();
    }

    /** Returns what there is to be seen of it. */
    public List<NodeView> view() {
        return nodes.values().stream().map(ConsoleNode::view).toList();
    }
}
