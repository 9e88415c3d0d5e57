package org.railyard.fabric.sample;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;

/**
 * A fat tree to be made: an extended generalized fat tree (Öhring et al. 1995) with hosts at the bottom. Level 1 are
 * the leaf switches. A switch is S-LEVEL.d.….d: the digits down to its level say in which part of the tree it is, the
 * highest first, the digits from its level on which of the switches that serve this part. With as many parents as
 * children at each level below the top it is a k-ary n-tree: no two of its hosts are in each other's way.
 *
 * @param children children of a switch, from level 1 on: hosts of a leaf switch, then switches
 * @param parents parents of a switch, from level 1 on to the level below the top
 * @param cables cables between a switch and each of its parents, from 1
 */
public record SampleFatTree(List<Integer> children, List<Integer> parents, int cables) {
    /** Most levels of switches. */
    public static final int MAX_LEVELS = 8;

    /** Checks the numbers. */
    public SampleFatTree {
        children = List.copyOf(children);
        parents = List.copyOf(parents);
        if (children.isEmpty() || children.size() > MAX_LEVELS || parents.size() != children.size() - 1) {
            throw new FabricException("%d levels of children and %d of parents: expected 1 to %d, and one level less"
                    .formatted(children.size(), parents.size(), MAX_LEVELS));
        }
        for (int level = 0; level < children.size(); level++) {
            SampleNetwork.check(children.get(level), level == 0 ? 0 : 1, Fabric.MAX_PORTS, "children");
            SampleNetwork.check(level == 0 ? 1 : parents.get(level - 1), 1, Fabric.MAX_PORTS, "parents");
        }
        SampleNetwork.check(cables, 1, Fabric.MAX_PORTS, "cables to each parent");
    }

    /** Returns the tree in which each switch below the top has as many parents as children. */
    public static SampleFatTree full(List<Integer> children) {
        return new SampleFatTree(children, children.subList(0, Math.max(0, children.size() - 1)), 1);
    }

    /**
     * Returns switches and cables.
     *
     * @throws FabricException if a fabric cannot be so large, or a switch not have so many ports
     */
    public SampleNetwork network() {
        long switches = 0;
        for (int level = 1; level <= children.size(); level++) {
            switches = Math.min(Integer.MAX_VALUE, switches + count(level));
        }
        SampleNetwork.checkSize(switches, Math.min(Integer.MAX_VALUE, count(1) * children.getFirst()));
        SampleNetwork network = new SampleNetwork();
        int[] first = new int[children.size() + 1];
        for (int level = 1; level <= children.size(); level++) {
            first[level - 1] = network.switches();
            for (int i = 0; i < count(level); i++) {
                network.add(label(level, i), level == 1 ? children.getFirst() : 0);
            }
        }
        for (int level = 1; level < children.size(); level++) {
            connect(network, level, first[level - 1], first[level]);
        }
        return network;
    }

    /** A switch is joined to those above whose digits differ in one place only: what is a part there is a turn here. */
    private void connect(SampleNetwork network, int level, int lower, int upper) {
        int copies = copies(level);
        int up = parents.get(level - 1);
        for (int i = 0; i < count(level); i++) {
            int part = i / copies;
            int turn = i % copies;
            for (int parent = 0; parent < up; parent++) {
                int there = (part / children.get(level) * up + parent) * copies + turn;
                network.connect(lower + i, upper + there, cables);
            }
        }
    }

    /** Returns how many switches serve the same part of the tree at a level. */
    private int copies(int level) {
        long copies = 1;
        for (int below = 1; below < level; below++) {
            copies = Math.min(Integer.MAX_VALUE, copies * parents.get(below - 1));
        }
        return (int) copies;
    }

    private long count(int level) {
        long count = copies(level);
        for (int above = level; above < children.size(); above++) {
            count = Math.min(Integer.MAX_VALUE, count * children.get(above));
        }
        return count;
    }

    /** The number of a switch is its digits, read with the radix of each place. */
    private String label(int level, int number) {
        List<Integer> digits = new ArrayList<>();
        int rest = number;
        for (int below = 1; below < level; below++) {
            digits.add(rest % parents.get(below - 1));
            rest /= parents.get(below - 1);
        }
        for (int above = level; above < children.size(); above++) {
            digits.add(rest % children.get(above));
            rest /= children.get(above);
        }
        Collections.reverse(digits);
        return level + digits.stream().map(digit -> "." + digit).collect(Collectors.joining());
    }
}
