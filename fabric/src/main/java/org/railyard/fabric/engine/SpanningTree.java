package org.railyard.fabric.engine;

import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PortMask;

/** One breadth-first tree for all multicast groups, cut back to the members of each. */
final class SpanningTree {
    private final Fabric fabric;
    private final int[] order;
    /** How many switches the tree reaches: all but those that are switched off. */
    private int reached;
    /** Port number towards the root, and the root's side of that cable; 0 at the root. */
    private final int[] upPort;

    private final int[] parent;
    private final int[] parentPort;

    SpanningTree(Fabric fabric, CableGraph graph, int root) {
        this.fabric = fabric;
        int size = graph.size();
        order = new int[size];
        upPort = new int[size];
        parentPort = new int[size];
        parent = new int[size];
        Arrays.fill(parent, Fabric.NONE);
        if (size == 0) {
            return;
        }
        parent[root] = root;
        order[reached++] = root;
        for (int head = 0; head < reached; head++) {
            int at = order[head];
            for (int i = 0; i < graph.degree(at); i++) {
                int next = graph.neighbour(at, i);
                if (parent[next] == Fabric.NONE) {
                    parent[next] = at;
                    parentPort[next] = graph.port(at, i);
                    upPort[next] = fabric.portNumber(fabric.peer(fabric.portIndex(at, graph.port(at, i))));
                    order[reached++] = next;
                }
            }
        }
    }

    /** Returns the distance of each switch from the root, −1 where the tree does not reach. */
    int[] ranks() {
        int[] ranks = new int[order.length];
        Arrays.fill(ranks, Fabric.NONE);
        for (int i = 0; i < reached; i++) {
            int sw = order[i];
            ranks[sw] = i == 0 ? 0 : ranks[parent[sw]] + 1;
        }
        return ranks;
    }

    /** Returns whether the tree reaches a switch. */
    boolean reaches(int sw) {
        return parent[sw] != Fabric.NONE;
    }

    /** Returns whether the tree goes from a switch towards the root by this port. */
    boolean isUp(int sw, int port) {
        return upPort[sw] == port;
    }

    /**
     * Finds the ways to a switch along the tree.
     *
     * @param next gets the port by which each switch sends, 0 at the target and where the tree does not reach
     */
    void towards(int target, int[] next) {
        System.arraycopy(upPort, 0, next, 0, next.length);
        int below = target;
        while (parent[below] != below) {
            next[parent[below]] = parentPort[below];
            below = parent[below];
        }
        next[target] = 0;
    }

    /** Returns the ports of the groups' trees. */
    MulticastTables tables(List<MulticastGroup> groups) {
        SortedMap<Integer, MulticastTables.Tree> trees = new TreeMap<>();
        groups.forEach(group -> trees.put(group.mlid(), tree(group)));
        return new MulticastTables(trees);
    }

    /** Returns the ports of one group's tree. */
    MulticastTables.Tree tree(MulticastGroup group) {
        return new MulticastTables.Tree(group.sl(), masks(group));
    }

    private PortMask[] masks(MulticastGroup group) {
        PortMask[] masks = new PortMask[order.length];
        Arrays.fill(masks, PortMask.EMPTY);
        int[] members = new int[order.length];
        int all = 0;
        for (int member : group.members()) {
            int sw = fabric.switchOf(member);
            if (sw != Fabric.NONE) {
                masks[sw] = masks[sw].with(fabric.switchPortOf(member));
                members[sw]++;
                all++;
            }
        }
        // From the leaves up: a cable is needed if there are members on both sides of it.
        for (int i = reached - 1; i > 0; i--) {
            int sw = order[i];
            if (members[sw] > 0 && members[sw] < all) {
                masks[sw] = masks[sw].with(upPort[sw]);
                masks[parent[sw]] = masks[parent[sw]].with(parentPort[sw]);
            }
            members[parent[sw]] += members[sw];
        }
        return masks;
    }
}
