package org.railyard.cli.fabric;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.railyard.base.text.TextColumns;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.Channel;
import org.railyard.fabric.sim.Deadlock;
import org.railyard.fabric.sim.FabricSim.Outcome;
import org.railyard.fabric.sim.Starvation;
import org.railyard.fabric.sim.traffic.Delays;
import org.railyard.fabric.sim.traffic.LoadPoint;
import org.railyard.fabric.sim.traffic.Upkeep;

/** What came of the loads of a simulation: lines for people, CSV, a document for programs. */
final class SimReport {
    private static final double MICRO = 1000;
    private static final double DIGITS = 1e6;
    private static final int VLS = 16;

    private final Fabric fabric;
    private final List<LoadPoint> points;

    SimReport(Fabric fabric, List<LoadPoint> points) {
        this.fabric = fabric;
        this.points = points;
    }

    /** Returns a table of all loads, then what is to be said of each. */
    List<String> lines() {
        TextColumns table = new TextColumns(
                "load",
                "offered",
                "accepted",
                "mean us",
                "p50 us",
                "p99 us",
                "max us",
                "hops",
                "busiest",
                "fairness",
                "packets",
                "lost",
                "events",
                "end");
        for (LoadPoint point : points) {
            table.add(
                    share(point.load()),
                    share(point.offered()),
                    share(point.accepted()),
                    micros(point.delays().mean()),
                    micros(point.delays().median()),
                    micros(point.delays().most()),
                    micros(point.delays().max()),
                    String.format(Locale.ROOT, "%.2f", point.meanHops()),
                    share(point.use().most(fabric)),
                    share(point.fairness()),
                    point.packets(),
                    point.lostInAll(),
                    point.events(),
                    outcome(point));
        }
        List<String> lines = new ArrayList<>(table.lines());
        if (points.stream().anyMatch(point -> point.levels().size() > 1)) {
            lines.addAll(levels());
        }
        points.forEach(point -> remarks(point, lines));
        return lines;
    }

    private List<String> levels() {
        TextColumns table =
                new TextColumns("load", "level", "accepted", "mean us", "p50 us", "p99 us", "max us", "packets");
        for (LoadPoint point : points) {
            for (LoadPoint.Level level : point.levels()) {
                table.add(
                        share(point.load()),
                        level.level(),
                        share(level.accepted()),
                        micros(level.delays().mean()),
                        micros(level.delays().median()),
                        micros(level.delays().most()),
                        micros(level.delays().max()),
                        level.packets());
            }
        }
        return table.lines();
    }

    private void remarks(LoadPoint point, List<String> lines) {
        String load = "load " + share(point.load()) + ": ";
        point.log().forEach(line -> lines.add(load + line));
        if (point.lostInAll() > 0) {
            lines.add(load + "lost: "
                    + point.lost().entrySet().stream()
                            .map(each -> each.getValue() + " " + each.getKey())
                            .collect(Collectors.joining(", "))
                    + (point.lastLossNanos() < 0
                            ? ""
                            : "; the last on its way at " + Upkeep.time(point.lastLossNanos())));
        }
        if (!point.steady()
                && point.from() > 0
                && point.deadlock().isEmpty()
                && point.starvation().isEmpty()) {
            lines.add(load
                    + "no two windows before had the same mean latency: the load is beyond saturation, or windows are"
                    + " too short");
        }
        point.deadlock().ifPresent(deadlock -> lines.add(load + deadlock.text(fabric)));
        point.starvation().ifPresent(starvation -> lines.add(load + starvation.text(fabric)));
        if (point.outcome() == Outcome.RUNNING && point.from() > 0) {
            lines.add(load + "the fabric is not empty yet; the simulation ended at " + Upkeep.time(point.nanos()));
        }
    }

    private static String outcome(LoadPoint point) {
        return point.outcome().name().toLowerCase(Locale.ROOT);
    }

    private static String share(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    private static String micros(double nanos) {
        return String.format(Locale.ROOT, "%.2f", nanos / MICRO);
    }

    private static String micros(long nanos) {
        return micros((double) nanos);
    }

    private static double rounded(double value) {
        return Math.round(value * DIGITS) / DIGITS;
    }

    /** Returns the figures of all points, in the order in which they are to be written. */
    List<Map<String, Object>> documents() {
        return points.stream().map(this::document).toList();
    }

    private Map<String, Object> document(LoadPoint point) {
        Map<String, Object> all = figures(point);
        all.put("hops", names(point.hops()));
        all.put("lost_by_reason", names(point.lost()));
        all.put("levels", point.levels().stream().map(SimReport::level).toList());
        all.put("log", point.log());
        point.deadlock().ifPresent(deadlock -> all.put("deadlock", deadlock(deadlock)));
        point.starvation().ifPresent(starvation -> all.put("starvation", starvation(starvation)));
        return all;
    }

    private Map<String, Object> figures(LoadPoint point) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("load", rounded(point.load()));
        all.put("offered", rounded(point.offered()));
        all.put("accepted", rounded(point.accepted()));
        putDelays("", point.delays(), all);
        putDelays("network_", point.inNetwork(), all);
        all.put("mean_hops", rounded(point.meanHops()));
        all.put("busiest_link", rounded(point.use().most(fabric)));
        all.put("fairness", rounded(point.fairness()));
        all.put("packets", point.packets());
        all.put("lost", point.lostInAll());
        all.put("last_loss_ns", point.lastLossNanos());
        all.put("longest_wait_ns", point.longestWait());
        all.put("measured_from_ns", point.from());
        all.put("measured_ns", point.counted());
        all.put("steady", point.steady());
        all.put("nanos", point.nanos());
        all.put("events", point.events());
        all.put("outcome", outcome(point));
        return all;
    }

    private static void putDelays(String prefix, Delays delays, Map<String, Object> all) {
        all.put(prefix + "mean_ns", rounded(delays.mean()));
        all.put(prefix + "p50_ns", delays.median());
        all.put(prefix + "p99_ns", delays.most());
        all.put(prefix + "max_ns", delays.max());
    }

    private static Map<String, Object> names(Map<?, Long> counts) {
        Map<String, Object> all = new LinkedHashMap<>();
        counts.forEach((name, count) -> all.put(String.valueOf(name), count));
        return all;
    }

    private static Map<String, Object> level(LoadPoint.Level level) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("level", level.level());
        all.put("accepted", rounded(level.accepted()));
        all.put("packets", level.packets());
        putDelays("", level.delays(), all);
        return all;
    }

    private Map<String, Object> deadlock(Deadlock deadlock) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("at_ns", deadlock.timeNanos());
        List<Object> cycle = new ArrayList<>();
        for (Deadlock.Hold hold : deadlock.cycle()) {
            Map<String, Object> each = new LinkedHashMap<>();
            each.put("channel", hold.channel().text(fabric));
            each.put("wants", hold.wants().text(fabric));
            each.put("flow", hold.flow().text(fabric));
            each.put("age_ns", hold.ageNanos());
            each.put("wait_ns", hold.waitNanos());
            cycle.add(each);
        }
        all.put("cycle", cycle);
        return all;
    }

    private Map<String, Object> starvation(Starvation starvation) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("at_ns", starvation.timeNanos());
        all.put("packets", starvation.packets());
        all.put(
                "end_ports",
                starvation.ends().stream()
                        .map(end -> fabric.portName(end.port()))
                        .toList());
        List<String> unserved = new ArrayList<>();
        for (Channel channel : starvation.unserved()) {
            unserved.add(channel.text(fabric));
        }
        all.put("unserved_vls", unserved);
        return all;
    }

    /** Returns one line for each load, and one with names before; times in ns, shares as numbers. */
    String csv() {
        Set<String> reasons = new TreeSet<>();
        points.forEach(point -> reasons.addAll(point.lost().keySet()));
        List<List<Object>> rows = new ArrayList<>();
        for (LoadPoint point : points) {
            Map<String, Object> all = figures(point);
            for (String reason : reasons) {
                all.put("lost_" + reason.replace(' ', '_'), point.lost().getOrDefault(reason, 0L));
            }
            for (int level = 0; level < 2; level++) {
                int its = level;
                LoadPoint.Level found = point.levels().stream()
                        .filter(each -> each.level() == its)
                        .findFirst()
                        .orElse(new LoadPoint.Level(level, 0, 0, new Delays(0, 0, 0, 0)));
                all.put("level%d_accepted".formatted(level), rounded(found.accepted()));
                all.put("level%d_packets".formatted(level), found.packets());
                putDelays("level%d_".formatted(level), found.delays(), all);
            }
            if (rows.isEmpty()) {
                rows.add(new ArrayList<>(all.keySet()));
            }
            rows.add(new ArrayList<>(all.values()));
        }
        return lines(rows);
    }

    /**
     * Returns one line for each load and each direction of each cable: shares of what it carries, in all and by VL, and
     * of the time without credits.
     */
    String linksCsv() {
        List<List<Object>> rows = new ArrayList<>();
        List<Object> heads =
                new ArrayList<>(List.of("load", "from", "port", "to", "to_port", "used", "without_credits"));
        for (int vl = 0; vl < VLS; vl++) {
            heads.add("vl" + vl);
        }
        rows.add(heads);
        for (LoadPoint point : points) {
            for (int port = 0; port < fabric.portCount(); port++) {
                int far = fabric.cable(port);
                if (far == Fabric.NONE) {
                    continue;
                }
                List<Object> row = new ArrayList<>(List.of(
                        rounded(point.load()),
                        fabric.description(fabric.nodeOf(port)),
                        fabric.portNumber(port),
                        fabric.description(fabric.nodeOf(far)),
                        fabric.portNumber(far),
                        rounded(point.use().of(port)),
                        rounded(point.use().waited(port))));
                for (int vl = 0; vl < VLS; vl++) {
                    row.add(rounded(point.use().of(port, vl)));
                }
                rows.add(row);
            }
        }
        return lines(rows);
    }

    private static String lines(List<List<Object>> rows) {
        StringBuilder text = new StringBuilder();
        for (List<Object> row : rows) {
            text.append(row.stream().map(SimReport::cell).collect(Collectors.joining(",")))
                    .append('\n');
        }
        return text.toString();
    }

    private static String cell(Object value) {
        String text = String.valueOf(value);
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c < ' ');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
