package org.railyard.cli.o2ib;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.TextColumns;
import org.railyard.node.o2ib.LiveNiDocument;
import org.railyard.o2iblnd.tune.Figure;
import org.railyard.o2iblnd.tune.LiveNi;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.QueueSizing;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.verbs.DeviceAttributes;

/** What a running NI has, and what its connections would be with other tunables: as text and as YAML. */
final class LiveReport {
    /** Most lines of a table; YAML has all. */
    static final int MAX_LINES = 200;

    private final LiveNi ni;
    /** What the tunables are to become; null for no change. */
    private final @Nullable Tunables then;

    LiveReport(LiveNi ni, @Nullable Tunables then) {
        this.ni = ni;
        this.then = then == null || then.differences(ni.tunables()).isEmpty() ? null : then;
    }

    /** Writes whose figures follow. */
    void head(PrintWriter out) {
        out.println("NI " + ni.nid() + " of a node that runs");
        for (LiveNi.Interface each : ni.interfaces()) {
            DeviceAttributes device = each.attributes();
            out.println("  " + each.name() + ": device " + each.device() + " (" + device.profile() + "), "
                    + device.maxQpWr() + " work requests to a queue, " + device.maxCqe()
                    + " completion queue entries, " + device.maxQp() + " queue pairs; memory by "
                    + each.registration().text());
        }
        out.println("  tunables: " + given(ni.tunables()));
        if (ni.interfaces().stream()
                        .map(LiveNi.Interface::attributes)
                        .distinct()
                        .count()
                > 1) {
            out.println("  figures are for " + ni.tightest().name() + ", whose queues are the smallest");
        }
        if (ni.peers().isEmpty()) {
            out.println("  it knows no peer yet: figures are for one");
        }
        if (!ni.peerTunables(ni.tunables()).differences(ni.tunables()).isEmpty()) {
            out.println("  all peers allow less than this node: figures are for the largest of their limits");
        }
        out.println();
    }

    private static String given(Tunables tunables) {
        List<String> texts = new ArrayList<>();
        for (O2ibTunable each : O2ibTunable.values()) {
            if (tunables.isGiven(each)) {
                texts.add(each.text() + "=" + tunables.get(each));
            }
        }
        return texts.isEmpty() ? "all have their defaults" : String.join(" ", texts);
    }

    /** Writes the connections, and what they would be. */
    void connections(PrintWriter out) {
        List<Object[]> rows = new ArrayList<>();
        for (LiveNi.Peer peer : ni.peers()) {
            for (LiveNi.Route route : peer.routes()) {
                if (route.agreed() != null) {
                    rows.add(then == null ? row(peer, route) : row(peer, route, then));
                }
            }
        }
        out.println();
        if (rows.isEmpty()) {
            out.println("no connection is up: nothing is agreed on with any peer yet");
            return;
        }
        TextColumns columns = then == null
                ? new TextColumns(
                        "connections to",
                        "over",
                        "number",
                        "queue_depth",
                        "bounded by",
                        "max_frags",
                        "send_work_requests",
                        "cq_entries",
                        "receive_bytes")
                : new TextColumns(
                        "connections to", "over", "number", "queue_depth", "bounded by", "then", "cq_entries", "then");
        rows.stream().limit(MAX_LINES).forEach(columns::add);
        columns.lines().forEach(out::println);
        if (rows.size() > MAX_LINES) {
            out.println("… and " + (rows.size() - MAX_LINES) + " more; --format YAML has all");
        }
        if (then != null) {
            out.println("Connections that are up keep what they have; new ones get the rest.");
        }
    }

    private Object[] row(LiveNi.Peer peer, LiveNi.Route route) {
        QueueSizing now = ni.sizing(route);
        return new Object[] {
            peer.nid(),
            way(route),
            route.connections(),
            now.queueDepth(),
            ni.bound(route).text(),
            route.agreed() == null ? 0 : route.agreed().maxFragments(),
            now.sendRequests(),
            now.entries(),
            now.receiveBytes()
        };
    }

    private Object[] row(LiveNi.Peer peer, LiveNi.Route route, Tunables other) {
        QueueSizing now = ni.sizing(route);
        QueueSizing after = ni.sizing(route, other);
        return new Object[] {
            peer.nid(),
            way(route),
            route.connections(),
            now.queueDepth(),
            ni.bound(route).text(),
            after.queueDepth(),
            now.entries(),
            after.entries()
        };
    }

    private static String way(LiveNi.Route route) {
        return route.interfaceName() + "→" + route.address();
    }

    /** Returns the NI and its connections for YAML. */
    Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>(LiveNiDocument.of(ni));
        document.remove("peers");
        Map<String, Object> live = new LinkedHashMap<>();
        for (Figure figure : ni.figures()) {
            live.put(figure.name(), (long) figure.value());
        }
        document.put(Figure.Scope.LIVE.text(), live);
        List<Object> peers = new ArrayList<>();
        for (LiveNi.Peer peer : ni.peers()) {
            List<Object> routes = new ArrayList<>();
            peer.routes().forEach(route -> routes.add(document(route)));
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("nid", peer.nid().toString());
            entry.put("routes", routes);
            peers.add(entry);
        }
        document.put("peers", peers);
        return document;
    }

    private Map<String, Object> document(LiveNi.Route route) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("interface", route.interfaceName());
        entry.put("address", route.address());
        entry.put("takes_turns", !route.extra());
        entry.put("connections", route.connections());
        entry.put("protocol", route.protocol());
        if (route.agreed() != null) {
            QueueSizing now = ni.sizing(route);
            entry.put("queue_depth", now.queueDepth());
            entry.put("max_frags", route.agreed().maxFragments());
            entry.put("bounded_by", ni.bound(route).text());
            entry.put("send_work_requests", now.sendRequests());
            entry.put("cq_entries", now.entries());
            entry.put("receive_bytes", now.receiveBytes());
            if (then != null) {
                QueueSizing after = ni.sizing(route, then);
                entry.put("queue_depth_then", after.queueDepth());
                entry.put("cq_entries_then", after.entries());
            }
        }
        return entry;
    }
}
