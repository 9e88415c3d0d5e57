package org.railyard.sm;

import java.util.ArrayList;
import java.util.List;
import org.railyard.fabric.model.Fabric;

/** Names the nodes and cables that one sweep found and the one before did not, and the other way round. */
final class FabricChanges {
    private static final int MAX_NAMED = 8;

    private FabricChanges() {}

    /** Returns at most one line for what is gone, and one for what is new. */
    static List<String> between(Fabric before, Fabric now) {
        List<String> lines = new ArrayList<>();
        add(lines, "gone: ", missing(before, now));
        add(lines, "new: ", missing(now, before));
        return lines;
    }

    private static void add(List<String> lines, String what, List<String> all) {
        if (!all.isEmpty()) {
            lines.add(what + SomeNames.of(all, MAX_NAMED));
        }
    }

    /** Returns the nodes of a fabric that another one has not, and the cables between those that both have. */
    private static List<String> missing(Fabric here, Fabric there) {
        int[] other = new int[here.nodeCount()];
        List<String> missing = new ArrayList<>();
        for (int node = 0; node < other.length; node++) {
            other[node] = there.nodeOfGuid(here.guid(node));
            if (other[node] == Fabric.NONE) {
                missing.add(node(here, node));
            }
        }
        for (int port = 0; port < here.portCount(); port++) {
            int peer = here.cable(port);
            if (peer > port && isMissing(here, port, peer, there, other)) {
                missing.add(here.portName(port) + " to " + here.portName(peer));
            }
        }
        return missing;
    }

    /** Of a host it helps to know where it is, or was. */
    private static String node(Fabric fabric, int node) {
        String name = (fabric.isSwitch(node) ? "switch " : "") + fabric.description(node);
        for (int number = 1; !fabric.isSwitch(node) && number <= fabric.ports(node); number++) {
            int peer = fabric.cable(fabric.portIndex(node, number));
            if (peer != Fabric.NONE) {
                return name + " at " + fabric.portName(peer);
            }
        }
        return name;
    }

    private static boolean isMissing(Fabric here, int port, int peer, Fabric there, int[] other) {
        int node = other[here.nodeOf(port)];
        int far = other[here.nodeOf(peer)];
        boolean bothThere = node != Fabric.NONE && far != Fabric.NONE;
        if (!bothThere || here.portNumber(port) > there.ports(node)) {
            return bothThere;
        }
        int now = there.cable(there.portIndex(node, here.portNumber(port)));
        return now == Fabric.NONE || there.nodeOf(now) != far || there.portNumber(now) != here.portNumber(peer);
    }
}
