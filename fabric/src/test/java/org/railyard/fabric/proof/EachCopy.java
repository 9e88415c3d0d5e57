package org.railyard.fabric.proof;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.SlToVl;

/** Each copy of each multicast packet, followed by itself. */
final class EachCopy {
    private final Fabric fabric;
    private final List<SlToVl> slToVl;
    private final CheckOptions options;
    private final Set<Long> edges = new TreeSet<>();
    private boolean goesRound;
    private boolean drops;

    // The packet at hand.
    private final Set<Integer> taken = new TreeSet<>();

    /** Switches may use any of the tables at any time. */
    EachCopy(Fabric fabric, List<SlToVl> slToVl, CheckOptions options) {
        this.fabric = fabric;
        this.slToVl = slToVl;
        this.options = options;
    }

    Set<Long> edges() {
        return edges;
    }

    boolean goesRound() {
        return goesRound;
    }

    boolean drops() {
        return drops;
    }

    /** Follows packets of all senders to all groups. */
    void follow(MulticastTables groups) {
        for (int mlid : groups.mlids()) {
            MulticastTables.Tree tree = groups.tree(mlid);
            for (int port = 0; tree != null && port < fabric.portCount(); port++) {
                if (SourceGroups.isSource(fabric, port, options)) {
                    taken.clear();
                    int input = fabric.switchPortOf(port);
                    int held = options.hostChannels() && input != 0 ? Channel.number(port, 0) : -1;
                    copies(tree, fabric.switchOf(port), input, held);
                }
            }
        }
    }

    private void copies(MulticastTables.Tree tree, int sw, int input, int held) {
        for (int out = 1; out <= fabric.ports(sw); out++) {
            int peer = fabric.peer(fabric.portIndex(sw, out));
            if (!tree.ports(sw).contains(out) || out == input || peer == Fabric.NONE) {
                continue;
            }
            for (SlToVl vls : slToVl) {
                copy(tree, fabric.portIndex(sw, out), SlToVl.vl(vls.table(sw, input, out), tree.sl()), held);
            }
        }
    }

    private void copy(MulticastTables.Tree tree, int port, int vl, int held) {
        int peer = fabric.peer(port);
        boolean last = !fabric.isSwitch(fabric.nodeOf(peer));
        drops |= vl == SlToVl.DROP;
        if (vl == SlToVl.DROP || last && !options.hostChannels()) {
            return;
        }
        int wanted = Channel.number(port, vl);
        if (held >= 0) {
            edges.add((long) held << 32 | wanted);
        }
        if (!last && !taken.add(wanted)) {
            goesRound |= slToVl.size() == 1;
        } else if (!last) {
            copies(tree, fabric.nodeOf(peer), fabric.portNumber(peer), wanted);
        }
    }

    /** Ports of a tree or of several, of one that lacks some, or any. */
    static PortMask[] masks(SmallNetwork network, SplittableRandom random, int kind) {
        Fabric fabric = network.fabric();
        PortMask[] masks = new PortMask[fabric.switchCount()];
        Arrays.fill(masks, PortMask.EMPTY);
        int[] part = new int[masks.length];
        Arrays.setAll(part, i -> i);
        for (int i = 0; i < 8 * masks.length; i++) {
            int sw = random.nextInt(masks.length);
            int out = 1 + random.nextInt(fabric.ports(sw));
            int to = network.behind(sw, out);
            boolean more = random.nextInt(16) < kind;
            if (to < 0 || more) {
                // A host, an empty port, or what is none of the tree.
                masks[sw] = masks[sw].with(out);
            } else if (part[sw] != part[to]) {
                int merged = part[to];
                int into = part[sw];
                Arrays.setAll(part, each -> part[each] == merged ? into : part[each]);
                masks[sw] = masks[sw].with(out);
                if (random.nextInt(16) >= kind) {
                    masks[to] = masks[to].with(fabric.portNumber(fabric.peer(fabric.portIndex(sw, out))));
                }
            }
        }
        return masks;
    }
}
