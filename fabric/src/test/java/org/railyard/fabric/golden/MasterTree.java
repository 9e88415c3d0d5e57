package org.railyard.fabric.golden;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PortMask;

/**
 * Upstream's multicast tree with all hosts in the group, from a given root (spec 30 §10.1, §10.2); one cable between
 * neighbours.
 */
public final class MasterTree {
    private final Fabric fabric;
    private final TorusSls torus;
    private final List<Integer> radices;
    private final PortMask[] masks;
    private final Set<Integer> inTree = new TreeSet<>();

    private MasterTree(Fabric fabric, TorusSls torus, List<Integer> radices) {
        this.fabric = fabric;
        this.torus = torus;
        this.radices = radices;
        masks = new PortMask[fabric.switchCount()];
        Arrays.fill(masks, PortMask.EMPTY);
    }

    /** Returns the tables of one group of SL 0. */
    public static MulticastTables of(Fabric fabric, TorusSls torus, List<Integer> radices, int mlid, int... root) {
        MasterTree tree = new MasterTree(fabric, torus, radices);
        tree.inTree.add(torus.at(root));
        tree.line(root, 0);
        for (int x = 0; x < radices.get(0); x++) {
            tree.line(new int[] {x, root[1], root[2]}, 1);
            for (int y = 0; y < radices.get(1); y++) {
                tree.line(new int[] {x, y, root[2]}, 2);
            }
        }
        for (int port = 0; port < fabric.portCount(); port++) {
            int sw = fabric.isEndPort(port) ? fabric.switchOf(port) : Fabric.NONE;
            if (sw != Fabric.NONE && fabric.switchPortOf(port) > 0) {
                tree.masks[sw] = tree.masks[sw].with(fabric.switchPortOf(port));
            }
        }
        return new MulticastTables(new TreeMap<>(Map.of(mlid, new MulticastTables.Tree(0, tree.masks))));
    }

    /** Grows both ways up to the dateline; an end that arrived there goes on across it if the other was stopped. */
    private void line(int[] from, int dimension) {
        int radix = radices.get(dimension);
        if (torus.at(from) == Fabric.NONE) {
            return;
        }
        int low = grow(from, dimension, -1, from[dimension]);
        int high = grow(from, dimension, 1, radix - 1 - from[dimension]);
        boolean lowArrived = low == from[dimension];
        boolean highArrived = high == radix - 1 - from[dimension];
        if (lowArrived != highArrived) {
            int[] end = from.clone();
            end[dimension] = lowArrived ? 0 : radix - 1;
            grow(end, dimension, lowArrived ? -1 : 1, radix);
        }
    }

    /** Returns how many steps were possible. */
    private int grow(int[] from, int dimension, int step, int most) {
        int[] at = from.clone();
        for (int done = 0; done < most; done++) {
            int[] next = at.clone();
            next[dimension] = Math.floorMod(at[dimension] + step, radices.get(dimension));
            int sw = torus.at(at);
            int there = torus.at(next);
            int port = there == Fabric.NONE || inTree.contains(there) ? Fabric.NONE : cable(sw, there);
            if (port == Fabric.NONE) {
                return done;
            }
            masks[sw] = masks[sw].with(fabric.portNumber(port));
            masks[there] = masks[there].with(fabric.portNumber(fabric.peer(port)));
            inTree.add(there);
            at = next;
        }
        return most;
    }

    private int cable(int from, int to) {
        for (int number = 1; number <= fabric.ports(from); number++) {
            int port = fabric.portIndex(from, number);
            if (fabric.peer(port) != Fabric.NONE && fabric.nodeOf(fabric.peer(port)) == to) {
                return port;
            }
        }
        return Fabric.NONE;
    }
}
