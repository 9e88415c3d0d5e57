package org.railyard.fabric.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.MulticastTables.Tree;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.Routing;

/**
 * What changes from one routing to another, of the same fabric or of what is left of it: switches are the same if their
 * GUID is, end ports if their port GUID is, whatever LIDs they have. Immutable.
 *
 * @param nodes nodes and end ports that only one side has, LIDs that changed
 * @param forwarding entries of the forwarding tables, by switch and end port
 * @param sls SLs, by ordered pair of end ports; a pair counts once
 * @param slToVl SL to VL tables, by switch, input port and cabled output port, and those of end ports
 * @param multicast output port masks, by switch and multicast LID
 */
public record RoutingDiff(Part nodes, Part forwarding, Part sls, Part slToVl, Part multicast) {
    /** Most examples of a part. */
    public static final int MAX_EXAMPLES = 20;

    /**
     * One kind of thing.
     *
     * @param compared how many both sides have
     * @param changed how many of them differ; for nodes also those that one side lacks
     * @param examples the first changes, one line each
     */
    public record Part(long compared, long changed, List<String> examples) {
        /** Takes a copy. */
        public Part {
            examples = List.copyOf(examples);
        }
    }

    /** Returns whether nothing changed. */
    public boolean isEmpty() {
        return nodes.changed + forwarding.changed + sls.changed + slToVl.changed + multicast.changed == 0;
    }

    /** Compares. */
    public static RoutingDiff between(Fabric before, Routing old, Fabric after, Routing now) {
        return new Comparison(before, old, after, now).result();
    }

    /** Counts, and keeps the first examples. */
    private static final class Counter {
        private final List<String> examples = new ArrayList<>();
        private long compared;
        private long changed;

        /** Counts; the answer says whether an example is wanted. */
        boolean changed(long howMany) {
            changed += howMany;
            return examples.size() < MAX_EXAMPLES;
        }

        void example(String line) {
            examples.add(line);
        }

        Part part() {
            return new Part(compared, changed, examples);
        }
    }

    private static final class Comparison {
        private final Fabric before;
        private final Fabric after;
        private final Routing old;
        private final Routing now;
        /** Switch index after by switch index before. */
        private final int[] switchNow;
        /** LIDs of the end ports that both sides have. */
        private final List<int[]> lids = new ArrayList<>();

        private final Counter nodes = new Counter();

        Comparison(Fabric before, Routing old, Fabric after, Routing now) {
            this.before = before;
            this.after = after;
            this.old = old;
            this.now = now;
            switchNow = new int[before.switchCount()];
            for (int sw = 0; sw < switchNow.length; sw++) {
                switchNow[sw] = live(after, before.guid(sw));
                if (switchNow[sw] != Fabric.NONE) {
                    nodes.compared++;
                } else if (before.isConnected(sw) && nodes.changed(1)) {
                    nodes.example("gone: switch " + before.description(sw));
                }
            }
            for (int sw = 0; sw < after.switchCount(); sw++) {
                if (after.isConnected(sw) && live(before, after.guid(sw)) == Fabric.NONE && nodes.changed(1)) {
                    nodes.example("new: switch " + after.description(sw));
                }
            }
            endPorts();
        }

        /** Returns the switch of this GUID if it is there and in some cable. */
        private static int live(Fabric fabric, long guid) {
            int found = fabric.nodeOfGuid(guid);
            return found != Fabric.NONE && fabric.isSwitch(found) && fabric.isConnected(found) ? found : Fabric.NONE;
        }

        private static Map<Long, Integer> byGuid(Fabric fabric) {
            Map<Long, Integer> ports = new TreeMap<>();
            for (int port = 0; port < fabric.portCount(); port++) {
                if (fabric.isEndPort(port)
                        && fabric.lid(port) != 0
                        && fabric.switchOf(port) != Fabric.NONE
                        && fabric.isConnected(fabric.nodeOf(port))) {
                    ports.put(fabric.portGuid(port), port);
                }
            }
            return ports;
        }

        private void endPorts() {
            Map<Long, Integer> then = byGuid(before);
            Map<Long, Integer> later = byGuid(after);
            then.forEach((guid, port) -> {
                Integer same = later.get(guid);
                if (same == null) {
                    if (nodes.changed(1)) {
                        nodes.example("gone or cut off: end port %s".formatted(before.portName(port)));
                    }
                    return;
                }
                nodes.compared++;
                int lmc = Math.min(before.lmc(port), after.lmc(same));
                lids.add(new int[] {before.lid(port), after.lid(same), 1 << lmc});
                if (before.lid(port) != after.lid(same) || before.lmc(port) != after.lmc(same)) {
                    if (nodes.changed(1)) {
                        nodes.example("LID of %s: %s, now %s"
                                .formatted(before.portName(port), lidText(before, port), lidText(after, same)));
                    }
                }
            });
            later.forEach((guid, port) -> {
                if (!then.containsKey(guid)) {
                    if (nodes.changed(1)) {
                        nodes.example("new: end port %s".formatted(after.portName(port)));
                    }
                }
            });
        }

        private static String lidText(Fabric fabric, int port) {
            return fabric.lid(port) + (fabric.lmc(port) == 0 ? "" : " with LMC " + fabric.lmc(port));
        }

        RoutingDiff result() {
            return new RoutingDiff(nodes.part(), forwarding(), sls(), slToVl(), multicast());
        }

        private Part forwarding() {
            Counter counter = new Counter();
            for (int sw = 0; sw < switchNow.length; sw++) {
                for (int i = 0; switchNow[sw] != Fabric.NONE && i < lids.size(); i++) {
                    counter.compared++;
                    entry(sw, lids.get(i), counter);
                }
            }
            return counter.part();
        }

        /** Of a port with several LIDs it is the first that differs. */
        private void entry(int sw, int[] lid, Counter counter) {
            for (int offset = 0; offset < lid[2]; offset++) {
                int was = old.forwarding().port(sw, lid[0] + offset);
                int is = now.forwarding().port(switchNow[sw], lid[1] + offset);
                if (was != is) {
                    if (counter.changed(1)) {
                        counter.example("%s to %s%s: port %s, now %s"
                                .formatted(
                                        before.description(sw),
                                        before.portName(before.portOfLid(lid[0])),
                                        offset == 0 ? "" : " by LID " + (lid[0] + offset),
                                        portText(was),
                                        portText(is)));
                    }
                    return;
                }
            }
        }

        private static String portText(int port) {
            return port == ForwardingTables.NO_PATH ? "none" : Integer.toString(port);
        }

        /** End ports of one SL class on both sides; {@code sure}: whose SLs are known to be as before among these. */
        private record SlGroup(List<int[]> lids, boolean sure) {}

        private List<SlGroup> slGroups() {
            boolean agree = old.sls().isKnownToAgree(now.sls());
            Map<Long, SlGroup> groups = new TreeMap<>();
            for (int[] lid : lids) {
                int was = old.sls().classOf(lid[0]);
                int is = now.sls().classOf(lid[1]);
                groups.computeIfAbsent(
                                (long) was << 32 | is & 0xFFFF_FFFFL,
                                _ -> new SlGroup(new ArrayList<>(), agree && was == is))
                        .lids
                        .add(lid);
            }
            return List.copyOf(groups.values());
        }

        /** Looks at pairs of groups. */
        private Part sls() {
            Counter counter = new Counter();
            List<SlGroup> all = slGroups();
            for (SlGroup from : all) {
                for (SlGroup to : all) {
                    int[] a = from.lids.getFirst();
                    int[] b = to.lids.getFirst();
                    long pairs = (long) from.lids.size() * (from == to ? to.lids.size() - 1 : to.lids.size());
                    counter.compared += pairs;
                    String change = pairs == 0 || from.sure && to.sure ? "" : slChange(a, b);
                    if (!change.isEmpty()) {
                        if (counter.changed(pairs)) {
                            counter.example("%s to %s: %s"
                                    .formatted(
                                            before.portName(before.portOfLid(a[0])),
                                            before.portName(before.portOfLid(b[0])),
                                            change));
                        }
                    }
                }
            }
            return counter.part();
        }

        private String slChange(int[] from, int[] to) {
            for (int hint = 0; hint <= 8; hint += 8) {
                int was = old.sls().sl(from[0], to[0], hint);
                int is = now.sls().sl(from[1], to[1], hint);
                if (was != is) {
                    return "SL " + slText(was) + ", now " + slText(is);
                }
            }
            return "";
        }

        private static String slText(int sl) {
            return sl == PathSls.NO_SL ? "none" : Integer.toString(sl);
        }

        private Part slToVl() {
            Counter counter = new Counter();
            for (int sw = 0; sw < switchNow.length; sw++) {
                int other = switchNow[sw];
                int ports = other == Fabric.NONE ? 0 : Math.min(before.ports(sw), after.ports(other));
                for (int out = 1; out <= ports; out++) {
                    if (before.peer(before.portIndex(sw, out)) != Fabric.NONE
                            && after.peer(after.portIndex(other, out)) != Fabric.NONE) {
                        outputs(sw, other, ports, out, counter);
                    }
                }
            }
            for (int[] lid : lids) {
                int port = before.portOfLid(lid[0]);
                if (!before.isSwitch(before.nodeOf(port))) {
                    counter.compared++;
                    if (old.slToVl().endTable(port) != now.slToVl().endTable(after.portOfLid(lid[1]))) {
                        if (counter.changed(1)) {
                            counter.example("%s sends on other VLs".formatted(before.portName(port)));
                        }
                    }
                }
            }
            return counter.part();
        }

        private void outputs(int sw, int other, int ports, int out, Counter counter) {
            for (int in = 0; in <= ports; in++) {
                counter.compared++;
                if (old.slToVl().table(sw, in, out) != now.slToVl().table(other, in, out)) {
                    if (counter.changed(1)) {
                        counter.example("%s, from port %d to port %d".formatted(before.description(sw), in, out));
                    }
                }
            }
        }

        private Part multicast() {
            Counter counter = new Counter();
            Map<Integer, Boolean> mlids = new TreeMap<>();
            old.multicast().mlids().forEach(mlid -> mlids.put(mlid, true));
            now.multicast().mlids().forEach(mlid -> mlids.put(mlid, true));
            for (int mlid : mlids.keySet()) {
                for (int sw = 0; sw < switchNow.length; sw++) {
                    if (switchNow[sw] == Fabric.NONE) {
                        continue;
                    }
                    PortMask was = mask(old.multicast(), mlid, sw);
                    PortMask is = mask(now.multicast(), mlid, switchNow[sw]);
                    counter.compared++;
                    if (!was.equals(is)) {
                        if (counter.changed(1)) {
                            counter.example(
                                    "0x%04X at %s: ports %s, now %s".formatted(mlid, before.description(sw), was, is));
                        }
                    }
                }
            }
            return counter.part();
        }

        private static PortMask mask(MulticastTables tables, int mlid, int sw) {
            Tree tree = tables.tree(mlid);
            return tree == null ? PortMask.EMPTY : tree.ports(sw);
        }
    }
}
