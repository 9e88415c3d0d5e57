package org.railyard.base.host;

import java.util.ArrayList;
import java.util.List;

/**
 * The CPUs of a machine and how far its NUMA nodes are from each other (spec 12 §8). Immutable.
 *
 * @param nodes the NUMA nodes, at least one, with at least one CPU among them
 */
public record CpuLayout(List<NumaNode> nodes) {
    /** Distance of a node to itself, on the scale of the operating system. */
    public static final int LOCAL_DISTANCE = 10;

    /** Most nodes, and most CPUs. */
    public static final int LIMIT = 8192;

    /** One node with one CPU: a machine of which nothing is known. */
    public static final CpuLayout UNKNOWN = flat(1);

    /**
     * One CPU.
     *
     * @param id its number
     * @param core the same for the CPUs that share a core
     */
    public record Cpu(int id, int core) {}

    /**
     * One NUMA node.
     *
     * @param id its number
     * @param cpus its CPUs; none if it is only memory
     * @param distances to each node, in the order of {@link CpuLayout#nodes}
     */
    public record NumaNode(int id, List<Cpu> cpus, List<Integer> distances) {
        /** Copies the lists. */
        public NumaNode {
            cpus = List.copyOf(cpus);
            distances = List.copyOf(distances);
        }
    }

    /** Copies the list and checks that it fits together. */
    public CpuLayout {
        nodes = List.copyOf(nodes);
        int cpus = 0;
        for (NumaNode node : nodes) {
            if (node.distances().size() != nodes.size()) {
                throw new IllegalArgumentException("NUMA node " + node.id() + " has "
                        + node.distances().size() + " distances; expected " + nodes.size());
            }
            cpus += node.cpus().size();
        }
        if (cpus == 0 || cpus > LIMIT || nodes.size() > LIMIT) {
            throw new IllegalArgumentException(
                    cpus + " CPUs on " + nodes.size() + " NUMA nodes; expected 1…" + LIMIT + " of each");
        }
    }

    /** Returns the layout of a machine with one node: CPUs 0, 1, …, each a core of its own. */
    public static CpuLayout flat(int cpus) {
        return grid(1, cpus, LOCAL_DISTANCE);
    }

    /**
     * Returns the layout of a machine with equal nodes, whose CPUs are numbered node by node and are cores of their
     * own.
     *
     * @param distance between any two nodes
     */
    public static CpuLayout grid(int nodes, int cpusPerNode, int distance) {
        List<NumaNode> all = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            List<Cpu> cpus = new ArrayList<>();
            List<Integer> distances = new ArrayList<>();
            for (int j = 0; j < cpusPerNode; j++) {
                int id = i * cpusPerNode + j;
                cpus.add(new Cpu(id, id));
            }
            for (int j = 0; j < nodes; j++) {
                distances.add(i == j ? LOCAL_DISTANCE : distance);
            }
            all.add(new NumaNode(i, cpus, distances));
        }
        return new CpuLayout(all);
    }
}
