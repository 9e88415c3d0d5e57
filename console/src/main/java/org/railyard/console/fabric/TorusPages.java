package org.railyard.console.fabric;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.Doc;
import org.railyard.console.web.Page;
import org.railyard.console.web.WebAnswer;
import org.railyard.fabric.analysis.HopReasons;
import org.railyard.fabric.analysis.LinkLoad;
import org.railyard.fabric.analysis.RoutingDiff;
import org.railyard.fabric.analysis.TablePath;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CreditLoop;
import org.railyard.fabric.proven.CreditLoops;
import org.railyard.fabric.proven.Proven;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.proven.Refused;
import org.railyard.fabric.proven.RoutingOutcome;
import org.railyard.fabric.proven.Tables;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.torus.TorusChanges;
import org.railyard.fabric.torus.TorusPlan;

/** Answers about a torus: map, failures, ways hop by hop, traffic. Routes one thing at a time. Thread-safe. */
public final class TorusPages {
    /** Outcomes that are kept: pages ask for the same again when a way is chosen. */
    static final int MAX_KEPT = 8;

    private static final int BROADCAST_MLID = 0xC000;
    private static final int MAX_SL = 15;
    private static final int MAX_REASONS = 50;

    private final TorusMap map;
    private final ProvenRouting routing;
    private final List<MulticastGroup> groups;
    private final Object lock = new Object();
    private final Object simulation = new Object();

    @GuardedBy("lock")
    private final Map<String, RoutingOutcome> kept = new LinkedHashMap<>();

    /**
     * Makes them.
     *
     * @param name of the fabric, to be shown
     * @param fabric with LIDs
     * @param layout coordinates of its switches
     * @param routing routes it, and what failures leave of it; all hosts are in one multicast group
     */
    public TorusPages(String name, Fabric fabric, TorusLayout layout, ProvenRouting routing) {
        this.map = new TorusMap(name, fabric, layout);
        this.routing = routing;
        this.groups = map.hosts().isEmpty() ? List.of() : List.of(new MulticastGroup(BROADCAST_MLID, 0, map.hosts()));
    }

    /** Returns what answers, by path. */
    public Map<String, Page> pages() {
        return Map.of(
                "/api/fabric",
                        _ -> WebAnswer.of(new Doc()
                                .putAll(map.document())
                                .put("patterns", TrafficTrial.patterns())
                                .map()),
                "/api/whatif", query -> WebAnswer.of(whatif(failed(query))),
                "/api/path", query -> WebAnswer.of(path(query)),
                "/api/sim", query -> WebAnswer.of(sim(query)));
    }

    private FailedParts failed(Map<String, String> query) {
        return FailedParts.of(map, query.getOrDefault("fail", ""));
    }

    private RoutingOutcome outcome(FailedParts failed) {
        synchronized (lock) {
            String key = failed.ports().toString();
            RoutingOutcome known = kept.remove(key);
            RoutingOutcome outcome = known == null
                    ? routing.run(
                            failed.ports().isEmpty()
                                    ? map.fabric()
                                    : map.fabric().withLinksDown(failed.ports()),
                            groups)
                    : known;
            kept.put(key, outcome);
            if (kept.size() > MAX_KEPT) {
                kept.remove(kept.keySet().iterator().next());
            }
            return outcome;
        }
    }

    private static @Nullable Tables tables(RoutingOutcome outcome) {
        return switch (outcome) {
            case Refused _ -> null;
            case CreditLoops loops -> loops.tables();
            case Proven proven -> proven.tables();
        };
    }

    private Map<String, Object> whatif(FailedParts failed) {
        RoutingOutcome outcome = outcome(failed);
        Doc doc = new Doc().put("failed", failed.names());
        switch (outcome) {
            case Refused(Fabric _, Refusal refusal) ->
                doc.put("verdict", "refused")
                        .put(
                                "reasons",
                                refusal.reasons().stream()
                                        .limit(MAX_REASONS)
                                        .map(reason -> reason.code() + ": " + reason.text())
                                        .toList());
            case CreditLoops(Tables tables, CheckReport report) ->
                doc.put("verdict", "credit loop")
                        .put("reasons", loop(tables.fabric(), report))
                        .put("loop", channels(report));
            case Proven proven ->
                doc.put("verdict", proven.complete() ? "proved" : "incomplete").put("reasons", proven.findings());
        }
        Tables tables = tables(outcome);
        if (tables != null) {
            figures(doc, failed, tables);
        }
        return doc.map();
    }

    private static List<String> loop(Fabric fabric, CheckReport report) {
        List<String> lines = new ArrayList<>();
        for (CreditLoop.Wait wait : first(report)) {
            lines.add(wait.channel().text(fabric) + ": " + wait.flow().text(fabric));
        }
        return lines;
    }

    private static List<CreditLoop.Wait> first(CheckReport report) {
        return report.loops().isEmpty() ? List.of() : report.loops().getFirst().waits();
    }

    private List<Object> channels(CheckReport report) {
        List<Object> all = new ArrayList<>();
        first(report).forEach(wait -> all.add(ends(wait.channel().port())));
        return all;
    }

    /** Returns the nodes on both ends of a cable, in the direction of the packets. */
    private List<Integer> ends(int port) {
        Fabric fabric = map.fabric();
        return List.of(fabric.nodeOf(port), fabric.nodeOf(fabric.cable(port)));
    }

    private void figures(Doc doc, FailedParts failed, Tables tables) {
        LinkLoad load = LinkLoad.of(tables.fabric(), tables.routing().forwarding());
        doc.put("load", map.load(load))
                .put("most load", load.most())
                .put("mean hops", Math.round(load.meanHops() * 1000) / 1000.0)
                .put("longest", load.longest())
                .put(
                        "cut off",
                        map.hosts().stream()
                                .filter(port -> tables.fabric().peer(port) == Fabric.NONE)
                                .count());
        Tables before = failed.ports().isEmpty() ? null : tables(outcome(new FailedParts(List.of(), new BitSet())));
        if (before != null) {
            RoutingDiff diff =
                    RoutingDiff.between(before.fabric(), before.routing(), tables.fabric(), tables.routing());
            doc.put("entries", diff.forwarding().compared())
                    .put("entries changed", diff.forwarding().changed())
                    .put("SLs changed", diff.sls().changed())
                    .put("changes", changes(before.plan(), tables.plan()));
        }
    }

    private static List<String> changes(Optional<TorusPlan> before, Optional<TorusPlan> after) {
        return before.isPresent() && after.isPresent()
                ? TorusChanges.between(before.orElseThrow(), after.orElseThrow()).stream()
                        .limit(MAX_REASONS)
                        .toList()
                : List.of();
    }

    private Map<String, Object> sim(Map<String, String> query) {
        String text = query.getOrDefault("load", "");
        if (!text.matches("0\\.[0-9]{1,4}|1(\\.0)?") || Double.parseDouble(text) == 0) {
            throw new IllegalArgumentException("load '" + text + "'; expected a share such as 0.3, at most 1");
        }
        Tables tables = tables(outcome(failed(query)));
        if (tables == null) {
            throw new IllegalArgumentException("this fabric is refused as it is: there are no ways to simulate");
        }
        // One at a time: each of them keeps a processor busy.
        synchronized (simulation) {
            return new TrafficTrial(map).run(tables, query.getOrDefault("pattern", ""), Double.parseDouble(text));
        }
    }

    private Map<String, Object> path(Map<String, String> query) {
        int from = host(query, "from");
        int to = host(query, "to");
        int hint = number(query.getOrDefault("hint", "0"), "hint");
        if (hint > MAX_SL) {
            throw new IllegalArgumentException("hint " + hint + "; expected 0 to " + MAX_SL);
        }
        if (from == to) {
            throw new IllegalArgumentException("from and to are the same port: its packets to itself use no cable");
        }
        Tables tables = tables(outcome(failed(query)));
        if (tables == null) {
            throw new IllegalArgumentException("this fabric is refused as it is: there are no ways");
        }
        Fabric fabric = tables.fabric();
        int sl = tables.routing().sls().sl(fabric.lid(from), fabric.lid(to), hint);
        if (sl == PathSls.NO_SL) {
            return new Doc()
                    .put("end", "there is no SL, and so no way")
                    .put("arrives", false)
                    .put("hops", List.of())
                    .map();
        }
        TablePath path = TablePath.follow(fabric, tables.routing(), from, fabric.lid(to), sl);
        List<String> reasons =
                new HopReasons(fabric, map.layout(), tables.plan().map(TorusPlan::order)).of(path);
        List<Object> hops = new ArrayList<>();
        for (int i = 0; i < path.hops().size(); i++) {
            hops.add(hop(fabric, path.hops().get(i), reasons.get(i)));
        }
        return new Doc()
                .put("sl", sl)
                .put("end", path.end().text())
                .put("arrives", path.end() == TablePath.End.ARRIVED)
                .put("hops", hops)
                .map();
    }

    private Map<String, Object> hop(Fabric fabric, TablePath.Hop hop, String why) {
        return new Doc()
                .put("ends", ends(hop.port()))
                .put("from", fabric.portName(hop.port()))
                .put("to", fabric.portName(fabric.cable(hop.port())))
                .put("vl", hop.vl())
                .put("why", why)
                .map();
    }

    /** Returns the port of a LID, or of the name that the map tells. */
    private int host(Map<String, String> query, String field) {
        String name = query.getOrDefault(field, "").strip();
        Fabric fabric = map.fabric();
        return map.hosts().stream()
                .filter(port -> name.equals(fabric.portName(port))
                        || name.equals(fabric.description(fabric.nodeOf(port)))
                        || name.equals(String.valueOf(fabric.lid(port))))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        field + " '" + name + "': no host has this name or LID; expected such as "
                                + (map.hosts().isEmpty()
                                        ? "none: this fabric has no hosts"
                                        : fabric.portName(map.hosts().getFirst()))));
    }

    private static int number(String text, String field) {
        if (!text.matches("[0-9]{1,6}")) {
            throw new IllegalArgumentException(field + " '" + text + "'; expected a number");
        }
        return Integer.parseInt(text);
    }
}
