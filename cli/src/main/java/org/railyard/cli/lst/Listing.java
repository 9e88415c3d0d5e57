package org.railyard.cli.lst;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/** Groups and batches as tables. */
final class Listing {
    private static final List<String> STATES = List.of("active", "busy", "down", "unknown");

    private final PrintWriter out;

    Listing(PrintWriter out) {
        this.out = out;
    }

    private static List<?> list(Map<?, ?> map, String key) {
        return map.get(key) instanceof List<?> list ? list : List.of();
    }

    private static long count(List<?> nodes, String state) {
        return nodes.stream()
                .filter(node -> node instanceof Map<?, ?> map && state.equals(map.get("state")))
                .count();
    }

    private static String counts(List<?> nodes) {
        StringBuilder line = new StringBuilder();
        STATES.forEach(state -> line.append(count(nodes, state)).append('\t'));
        return line.append(nodes.size()).toString();
    }

    private static String nodes(int count) {
        return count + (count == 1 ? " node" : " nodes");
    }

    /** Writes all groups, or the nodes of one; returns false if there is no such group. */
    boolean groups(Map<String, Object> answer, String only, List<String> states) {
        boolean found = only.isEmpty();
        for (Object each : list(answer, "groups")) {
            if (!(each instanceof Map<?, ?> group)) {
                continue;
            }
            List<?> nodes = list(group, "nodes");
            if (only.isEmpty()) {
                out.println(group.get("name") + ": " + nodes(nodes.size()));
            } else if (only.equals(group.get("name"))) {
                found = true;
                out.println("ACTIVE\tBUSY\tDOWN\tUNKNOWN\tTOTAL");
                out.println(counts(nodes));
                nodes.forEach(node -> node(node, states));
            }
        }
        return found;
    }

    private void node(Object node, List<String> states) {
        if (node instanceof Map<?, ?> map && states.contains(String.valueOf(map.get("state")))) {
            out.println(map.get("nid") + ": " + map.get("state"));
        }
    }

    /** Writes the names of all batches, or one with its tests; returns false if there is no such batch or test. */
    boolean batches(Map<String, Object> answer, String only, long test) {
        boolean found = only.isEmpty();
        for (Object each : list(answer, "batches")) {
            if (!(each instanceof Map<?, ?> batch)) {
                continue;
            }
            List<?> tests = list(batch, "tests");
            if (only.isEmpty()) {
                out.println(batch.get("name"));
            } else if (only.equals(batch.get("name"))) {
                out.println("Batch: " + only + " Tests: " + tests.size() + " State: "
                        + (Boolean.TRUE.equals(batch.get("running")) ? "running" : "idle"));
                found = test <= tests.size();
                tests.forEach(one -> test(one, test));
            }
        }
        return found;
    }

    private void test(Object one, long wanted) {
        if (!(one instanceof Map<?, ?> test)
                || (wanted > 0 && !Long.valueOf(wanted).equals(test.get("index")))) {
            return;
        }
        StringBuilder line = new StringBuilder("\tTest ")
                .append(test.get("index"))
                .append('(')
                .append(test.get("test"))
                .append(") (loop: ")
                .append(test.get("loop"))
                .append(", concurrency: ")
                .append(test.get("concurrency"));
        if (test.get("size") != null) {
            line.append(", ")
                    .append(test.get("operation"))
                    .append(' ')
                    .append(test.get("size"))
                    .append(" B, check ")
                    .append(test.get("check"));
        }
        out.println(line.append(')'));
        out.println("\tACTIVE\tBUSY\tDOWN\tUNKNOWN\tTOTAL");
        out.println("client\t" + counts(list(test, "from")));
        out.println("server\t" + counts(list(test, "to")));
    }
}
