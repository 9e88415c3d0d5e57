package org.railyard.cli.fabric;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.railyard.fabric.live.LiveSubnet;
import org.railyard.fabric.live.PortArbitration;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.model.VlCodes;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.route.SlToVlTables;

/** What a running subnet is programmed with, as people read it. */
final class SubnetReport {
    /** Most different tables that are shown of a kind. */
    private static final int MAX_SHOWN = 8;

    private final LiveSubnet live;
    private final Fabric fabric;
    private final List<String> lines = new ArrayList<>();

    SubnetReport(LiveSubnet live) {
        this.live = live;
        this.fabric = live.fabric();
    }

    /** Prints what is odd, and what was not read. */
    static void warn(LiveSubnet live, PrintWriter err) {
        live.remarks().forEach(line -> err.println("railyard: warning: " + line));
        live.unread().forEach(line -> err.println("railyard: not read: " + line));
        err.flush();
    }

    /** Equal tables and where they are. */
    private static final class Places {
        private final Map<String, Integer> counts = new LinkedHashMap<>();
        private final Map<String, String> first = new LinkedHashMap<>();

        void add(String table, String where) {
            counts.merge(table, 1, Integer::sum);
            first.putIfAbsent(table, where);
        }

        List<String> lines(String title) {
            List<String> lines = new ArrayList<>();
            lines.add("%s: %d different".formatted(title, counts.size()));
            counts.entrySet().stream()
                    .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                    .limit(MAX_SHOWN)
                    .forEach(entry -> lines.add("  %s (%d×, the first: %s)"
                            .formatted(entry.getKey(), entry.getValue(), first.get(entry.getKey()))));
            if (counts.size() > MAX_SHOWN) {
                lines.add("  and %d more".formatted(counts.size() - MAX_SHOWN));
            }
            return lines;
        }
    }

    /** Returns what there is, and what was not read, for programs. */
    Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>(new FabricSurvey(fabric).document());
        document.put("read_from", live.ownPort() == Fabric.NONE ? "" : fabric.portName(live.ownPort()));
        document.put("remarks", live.remarks());
        document.put("not_read", live.unread());
        return document;
    }

    List<String> lines() {
        lines.addAll(new FabricSurvey(fabric).lines());
        if (live.ownPort() != Fabric.NONE) {
            lines.add("read from: " + fabric.portName(live.ownPort()));
            operationalVls();
        }
        live.forwarding().ifPresentOrElse(this::forwarding, () -> lines.add("forwarding tables: not read"));
        live.slToVl().ifPresentOrElse(this::slToVl, () -> lines.add("SL to VL tables: not read"));
        arbitration();
        live.multicast().ifPresentOrElse(this::multicast, () -> lines.add("multicast tables: not read"));
        live.sls().ifPresentOrElse(this::sls, () -> lines.add("SLs of paths: not read"));
        return lines;
    }

    private void operationalVls() {
        SortedMap<Integer, Integer> counts = new TreeMap<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            int peer = fabric.peer(port);
            if (peer > port && fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.nodeOf(peer))) {
                counts.merge(VlCodes.count(fabric.operVls(port)), 1, Integer::sum);
            }
        }
        lines.add("operational data VLs between switches: "
                + (counts.isEmpty()
                        ? "none"
                        : counts.entrySet().stream()
                                .map(entry -> entry.getKey() + " (" + entry.getValue() + "×)")
                                .collect(Collectors.joining(", "))));
    }

    private void forwarding(ForwardingTables tables) {
        long entries = 0;
        long nobody = 0;
        long missing = 0;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int lid = 1; lid <= Lids.MAX_UNICAST; lid++) {
                boolean isOwned = fabric.portOfLid(lid) != Fabric.NONE;
                boolean leads = tables.port(sw, lid) != ForwardingTables.NO_PATH;
                entries += leads ? 1 : 0;
                nobody += leads && !isOwned ? 1 : 0;
                missing += !leads && isOwned && fabric.isConnected(sw) ? 1 : 0;
            }
        }
        lines.add("forwarding tables: %d entries; %d of LIDs that no port has; %d missing of LIDs that are there"
                .formatted(entries, nobody, missing));
    }

    private void slToVl(SlToVlTables tables) {
        Places places = new Places();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.peer(port) == Fabric.NONE) {
                continue;
            }
            int node = fabric.nodeOf(port);
            if (!fabric.isSwitch(node)) {
                if (tables.isEndKnown(port)) {
                    places.add(text(tables.endTable(port)), fabric.portName(port));
                }
                continue;
            }
            for (int in = 0; in <= fabric.ports(node); in++) {
                boolean isUsed = in == 0 || fabric.peer(fabric.portIndex(node, in)) != Fabric.NONE;
                if (isUsed && tables.isKnown(node, in, fabric.portNumber(port))) {
                    places.add(
                            text(tables.table(node, in, fabric.portNumber(port))),
                            "%s, from port %d to port %d"
                                    .formatted(fabric.description(node), in, fabric.portNumber(port)));
                }
            }
        }
        lines.addAll(places.lines("SL to VL tables, VLs of SL 0 to 15"));
    }

    private static String text(long table) {
        return IntStream.range(0, 16)
                .mapToObj(sl -> Integer.toString(SlToVl.vl(table, sl)))
                .collect(Collectors.joining(","));
    }

    private void arbitration() {
        if (live.arbitration().isEmpty()) {
            lines.add("VL arbitration: not read, or ports have one data VL");
            return;
        }
        Places places = new Places();
        live.arbitration().forEach((port, tables) -> {
            if (fabric.peer(port) != Fabric.NONE) {
                PortArbitration served = tables.of(tables, VlCodes.count(fabric.operVls(port)));
                places.add(served.toString(), fabric.portName(port));
            }
        });
        lines.addAll(places.lines("VL arbitration, VL:weight of what is served"));
    }

    private void multicast(MulticastTables tables) {
        lines.add("multicast groups with ports: " + tables.mlids().size()
                + (tables.mlids().isEmpty()
                        ? ""
                        : ", "
                                + tables.mlids().stream()
                                        .limit(MAX_SHOWN)
                                        .map("0x%04X"::formatted)
                                        .collect(Collectors.joining(", "))));
    }

    private void sls(PathSls sls) {
        BitSet used = new BitSet();
        long pairs = 0;
        for (int from : fabric.hosts()) {
            for (int to : fabric.hosts()) {
                int sl = from == to ? PathSls.NO_SL : sls.sl(fabric.lid(from), fabric.lid(to), 0);
                if (sl != PathSls.NO_SL) {
                    pairs++;
                    used.set(sl);
                }
            }
        }
        lines.add("SLs of paths: %s, of %d pairs of end ports".formatted(used, pairs));
    }
}
