package org.railyard.fabric.proof;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckReport.FaultKind;
import org.railyard.fabric.proof.SourceGroups.Source;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.MulticastTables.Tree;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.SlToVl;

/**
 * Adds the dependencies of multicast groups to the graph: packets of any end port of a switch that forwards the group
 * (spec 32 §4).
 */
final class MulticastWalk {
    private final Fabric fabric;
    private final List<SlToVl> slToVl;
    private final SourceGroups sources;
    private final CheckOptions options;
    private final DependencyGraph graph;
    private final FaultLog faults;
    /** Channels from which on the group's packets were followed already. */
    private final BitSet seen = new BitSet();

    /** A channel that packets of an end port hold, and that they are to be followed from. */
    private record Held(int channel, int sourceLid) {}

    private final ArrayDeque<Held> work = new ArrayDeque<>();

    /** Makes one; with several SL to VL tables a switch may use any of them at any time. */
    MulticastWalk(
            Fabric fabric,
            List<SlToVl> slToVl,
            SourceGroups sources,
            CheckOptions options,
            DependencyGraph graph,
            FaultLog faults) {
        this.fabric = fabric;
        this.slToVl = slToVl;
        this.sources = sources;
        this.options = options;
        this.graph = graph;
        this.faults = faults;
    }

    /** Adds all groups of these tables. */
    void addAll(MulticastTables groups) {
        for (int mlid : groups.mlids()) {
            Tree tree = groups.tree(mlid);
            if (tree != null) {
                add(mlid, tree);
            }
        }
    }

    void add(int mlid, Tree tree) {
        if (!isForest(tree)) {
            faults.add(
                    FaultKind.FORWARDING_LOOP,
                    1,
                    () -> "multicast 0x%04X: its cables close a ring, packets may go round".formatted(mlid));
            return;
        }
        seen.clear();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (!tree.ports(sw).isEmpty()) {
                for (Source source : sources.of(sw)) {
                    start(mlid, tree, sw, source);
                }
            }
        }
        while (!work.isEmpty()) {
            follow(mlid, tree, work.pop());
        }
    }

    private void start(int mlid, Tree tree, int sw, Source source) {
        if (!options.hostChannels() || source.input() == 0) {
            leave(mlid, tree, sw, source.input(), Fabric.NONE, source.lid());
            return;
        }
        for (SlToVl table : slToVl) {
            int from = Channel.number(source.endPort(), SlToVl.vl(table.endTable(source.endPort()), tree.sl()));
            leave(mlid, tree, sw, source.input(), from, source.lid());
        }
    }

    private void follow(int mlid, Tree tree, Held held) {
        int peer = fabric.peer(Channel.portOf(held.channel));
        if (peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer))) {
            leave(mlid, tree, fabric.nodeOf(peer), fabric.portNumber(peer), held.channel, held.sourceLid);
        }
    }

    /** A packet that came by a port leaves by all others of the mask; it waits for each of them. */
    private void leave(int mlid, Tree tree, int sw, int input, int from, int sourceLid) {
        PortMask mask = tree.ports(sw);
        for (int out = mask.next(1); out >= 0 && out <= fabric.ports(sw); out = mask.next(out + 1)) {
            int port = fabric.portIndex(sw, out);
            int peer = fabric.peer(port);
            if (out == input || peer == Fabric.NONE) {
                continue;
            }
            for (SlToVl table : slToVl) {
                leaveBy(mlid, tree, sw, port, SlToVl.vl(table.table(sw, input, out), tree.sl()), from, sourceLid);
            }
        }
    }

    private void leaveBy(int mlid, Tree tree, int sw, int port, int vl, int from, int sourceLid) {
        boolean last = !fabric.isSwitch(fabric.nodeOf(fabric.peer(port)));
        if (vl == SlToVl.DROP) {
            faults.add(
                    FaultKind.DROPPED,
                    1,
                    () -> "%s drops %s (VL 15 towards port %d)"
                            .formatted(
                                    fabric.description(sw),
                                    new Flow(sourceLid, mlid, tree.sl()).text(fabric),
                                    fabric.portNumber(port)));
        } else if (!last || options.hostChannels()) {
            int channel = Channel.number(port, vl);
            if (from != Fabric.NONE) {
                graph.add(from, channel, sourceLid, mlid, tree.sl());
            }
            if (!seen.get(channel)) {
                seen.set(channel);
                work.push(new Held(channel, sourceLid));
            }
        }
    }

    /**
     * Whether the cables that the masks use, from either end, close no ring: then no packet can come to a channel
     * twice.
     */
    private boolean isForest(Tree tree) {
        int[] root = new int[fabric.switchCount()];
        Arrays.setAll(root, i -> i);
        for (int sw = 0; sw < root.length; sw++) {
            PortMask mask = tree.ports(sw);
            for (int out = mask.next(1); out >= 0 && out <= fabric.ports(sw); out = mask.next(out + 1)) {
                int peer = fabric.peer(fabric.portIndex(sw, out));
                int to = peer == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(peer);
                if (to == Fabric.NONE || !fabric.isSwitch(to)) {
                    continue;
                }
                // A cable that both ends use is looked at from its smaller end only.
                if (to < sw && tree.ports(to).contains(fabric.portNumber(peer))) {
                    continue;
                }
                int a = find(root, sw);
                int b = find(root, to);
                if (a == b) {
                    return false;
                }
                root[a] = b;
            }
        }
        return true;
    }

    private static int find(int[] root, int of) {
        int at = of;
        while (root[at] != at) {
            root[at] = root[root[at]];
            at = root[at];
        }
        return at;
    }
}
