package org.railyard.cli.fabric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.railyard.base.text.Doc;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.LinkState;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.model.VlCodes;

/** Counts what a fabric has and picks out what differs from the rest. */
final class FabricSurvey {
    /** Most lines about odd parts. */
    private static final int MAX_ODD = 20;

    private final Fabric fabric;
    private final List<String> lines = new ArrayList<>();
    private final List<String> odd = new ArrayList<>();
    private final Doc document = new Doc();

    FabricSurvey(Fabric fabric) {
        this.fabric = fabric;
        nodes();
        cables();
        neighbours();
        pieces();
        document.put("odd_parts", odd.size())
                .put("first_odd_parts", odd.stream().limit(MAX_ODD).toList());
        lines.add(odd.isEmpty() ? "odd parts: none" : "odd parts: " + odd.size());
        odd.stream().limit(MAX_ODD).forEach(line -> lines.add("  " + line));
        if (odd.size() > MAX_ODD) {
            lines.add("  and " + (odd.size() - MAX_ODD) + " more");
        }
    }

    /** Returns what there is, in lines for people. */
    List<String> lines() {
        return List.copyOf(lines);
    }

    /** Returns the same for programs. */
    Map<String, Object> document() {
        return document.map();
    }

    private void nodes() {
        int cas = 0;
        int endPorts = 0;
        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
            cas += fabric.type(node) == NodeType.CA ? 1 : 0;
            for (int number = 1; number <= fabric.ports(node); number++) {
                boolean cabled = fabric.peer(fabric.portIndex(node, number)) != Fabric.NONE;
                endPorts += cabled ? 1 : 0;
            }
        }
        lines.add("switches: %d, CAs: %d, routers: %d, ports of CAs and routers in use: %d"
                .formatted(fabric.switchCount(), cas, fabric.nodeCount() - fabric.switchCount() - cas, endPorts));
        document.put("switches", fabric.switchCount())
                .put("cas", cas)
                .put("routers", fabric.nodeCount() - fabric.switchCount() - cas)
                .put("end_ports", endPorts)
                .put("max_lid", fabric.maxLid());
        lines.add(fabric.maxLid() == 0 ? "LIDs: none" : "LIDs: up to " + fabric.maxLid());
    }

    private void cables() {
        int between = 0;
        int toEnds = 0;
        int down = 0;
        int vlCode = VlCodes.MAX_CODE;
        for (int port = 0; port < fabric.portCount(); port++) {
            int other = fabric.cable(port);
            if (other < port) {
                continue;
            }
            boolean bothSwitches = fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.nodeOf(other));
            if (fabric.peer(port) == Fabric.NONE) {
                down++;
                odd.add("cable down: %s to %s".formatted(fabric.portName(port), fabric.portName(other)));
            } else if (bothSwitches) {
                between++;
                vlCode = Math.min(vlCode, Math.min(fabric.vlCap(port), fabric.vlCap(other)));
            } else {
                toEnds++;
                if (fabric.state(port) != LinkState.ACTIVE) {
                    odd.add("not active: " + fabric.portName(port));
                }
            }
            if (fabric.nodeOf(port) == fabric.nodeOf(other)) {
                odd.add("cabled to itself: %s to %s".formatted(fabric.portName(port), fabric.portName(other)));
            }
        }
        lines.add("cables: %d between switches, %d to CAs and routers, %d down".formatted(between, toEnds, down));
        document.put("cables_between_switches", between)
                .put("cables_to_end_ports", toEnds)
                .put("cables_down", down);
        if (between > 0) {
            document.put("data_vls", VlCodes.count(vlCode));
            lines.add("data VLs between switches: " + VlCodes.count(vlCode));
        }
    }

    /** On a torus every switch has the same number of neighbours, and every pair the same number of cables. */
    private void neighbours() {
        SortedMap<Integer, Integer> byNeighbours = new TreeMap<>();
        SortedMap<Integer, Integer> byLeaf = new TreeMap<>();
        SortedMap<Integer, Integer> byCables = new TreeMap<>();
        SortedMap<Integer, Integer> byHosts = new TreeMap<>();
        List<SortedMap<Integer, Integer>> groups = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            SortedMap<Integer, Integer> cablesTo = new TreeMap<>();
            int hosts = 0;
            for (int number = 1; number <= fabric.ports(sw); number++) {
                int peer = fabric.peer(fabric.portIndex(sw, number));
                if (peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer))) {
                    cablesTo.merge(fabric.nodeOf(peer), 1, Integer::sum);
                } else if (peer != Fabric.NONE) {
                    hosts++;
                }
            }
            groups.add(cablesTo);
            byNeighbours.merge(cablesTo.size(), 1, Integer::sum);
            if (hosts > 0) {
                byLeaf.merge(cablesTo.size(), 1, Integer::sum);
            }
            byHosts.merge(hosts, 1, Integer::sum);
            cablesTo.values().forEach(count -> byCables.merge(count, 1, Integer::sum));
        }
        lines.add("neighbours per switch: " + histogram(byNeighbours));
        lines.add("end ports per switch: " + histogram(byHosts));
        byCables.replaceAll((_, twice) -> twice / 2);
        lines.add("cables per pair of neighbours: " + histogram(byCables));
        document.put("switches_by_neighbours", named(byNeighbours))
                .put("switches_by_end_ports", named(byHosts))
                .put("pairs_by_cables", named(byCables));
        boolean tree = isTree(groups);
        int usualNeighbours = mostFrequent(tree ? byLeaf : byNeighbours);
        int usualCables = mostFrequent(byCables);
        for (int sw = 0; sw < groups.size(); sw++) {
            // Spines of a tree have as many neighbours as they need; its leaves are compared with each other.
            if (groups.get(sw).size() != usualNeighbours && (!tree || hasHosts(sw))) {
                odd.add("%s has %d neighbours, most have %d"
                        .formatted(fabric.description(sw), groups.get(sw).size(), usualNeighbours));
            }
            for (Map.Entry<Integer, Integer> group : groups.get(sw).entrySet()) {
                if (group.getValue() != usualCables && group.getKey() > sw) {
                    odd.add("%s and %s have %d cables, most have %d"
                            .formatted(
                                    fabric.description(sw),
                                    fabric.description(group.getKey()),
                                    group.getValue(),
                                    usualCables));
                }
            }
        }
    }

    /** Tells whether no cable joins two switches with hosts, as in a fat tree and never in a torus. */
    private boolean isTree(List<SortedMap<Integer, Integer>> groups) {
        for (int sw = 0; sw < groups.size(); sw++) {
            if (hasHosts(sw) && groups.get(sw).keySet().stream().anyMatch(this::hasHosts)) {
                return false;
            }
        }
        return groups.size() > 1;
    }

    private boolean hasHosts(int sw) {
        for (int number = 1; number <= fabric.ports(sw); number++) {
            int peer = fabric.peer(fabric.portIndex(sw, number));
            if (peer != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(peer))) {
                return true;
            }
        }
        return false;
    }

    private void pieces() {
        int[] root = new int[fabric.nodeCount()];
        Arrays.setAll(root, i -> i);
        int pieces = root.length;
        for (int port = 0; port < fabric.portCount(); port++) {
            int peer = fabric.peer(port);
            if (peer != Fabric.NONE) {
                int a = find(root, fabric.nodeOf(port));
                int b = find(root, fabric.nodeOf(peer));
                if (a != b) {
                    root[a] = b;
                    pieces--;
                }
            }
        }
        document.put("pieces", pieces);
        lines.add("pieces: " + pieces);
        if (pieces > 1) {
            odd.add("the fabric is in " + pieces + " pieces");
        }
    }

    private static int find(int[] root, int of) {
        int at = of;
        while (root[at] != at) {
            root[at] = root[root[at]];
            at = root[at];
        }
        return at;
    }

    private static int mostFrequent(SortedMap<Integer, Integer> counts) {
        return counts.entrySet().stream()
                .max(Map.Entry.<Integer, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse(0);
    }

    private static Map<String, Object> named(SortedMap<Integer, Integer> counts) {
        Doc doc = new Doc();
        counts.forEach((value, count) -> doc.put(String.valueOf(value), count));
        return doc.map();
    }

    private static String histogram(SortedMap<Integer, Integer> counts) {
        List<String> parts = new ArrayList<>();
        counts.forEach((value, count) -> parts.add(value + " (" + count + "×)"));
        return parts.isEmpty() ? "none" : String.join(", ", parts);
    }
}
