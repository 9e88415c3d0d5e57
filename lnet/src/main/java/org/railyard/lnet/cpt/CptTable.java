package org.railyard.lnet.cpt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.CpuLayout;
import org.railyard.lnet.nid.Nid;

/**
 * The CPU partitions (CPTs) of a node, numbered from 0, and their distances (spec 12 §8). Immutable; asking allocates
 * nothing.
 */
public final class CptTable {
    /** No partition, or an unknown one. */
    public static final int ANY = -1;

    private final List<List<Integer>> cpus;
    private final List<SortedSet<Integer>> nodes = new ArrayList<>();
    private final int[][] distances;
    private final int maxDistance;
    private final int[] ofCpu;
    private final int[] all;

    private CptTable(CpuLayout layout, List<List<Integer>> cpus) {
        this.cpus = cpus;
        this.all = IntStream.range(0, cpus.size()).toArray();
        this.ofCpu = new int
                [1
                        + cpus.stream()
                                .flatMap(List::stream)
                                .mapToInt(Integer::intValue)
                                .max()
                                .orElse(0)];
        Arrays.fill(ofCpu, ANY);
        for (int cpt : all) {
            cpus.get(cpt).forEach(cpu -> ofCpu[cpu] = cpt);
            nodes.add(new TreeSet<>());
        }
        Map<Integer, List<Integer>> known = new LinkedHashMap<>();
        Map<Integer, Integer> places = new LinkedHashMap<>();
        for (CpuLayout.NumaNode node : layout.nodes()) {
            places.put(node.id(), places.size());
            known.put(node.id(), node.distances());
            for (CpuLayout.Cpu cpu : node.cpus()) {
                if (ofCpu(cpu.id()) != ANY) {
                    nodes.get(ofCpu(cpu.id())).add(node.id());
                }
            }
        }
        this.maxDistance = known.values().stream()
                .flatMap(List::stream)
                .mapToInt(Integer::intValue)
                .max()
                .orElse(CpuLayout.LOCAL_DISTANCE);
        this.distances = new int[all.length][all.length];
        for (int from : all) {
            for (int to : all) {
                for (int a : nodes.get(from)) {
                    for (int b : nodes.get(to)) {
                        int distance = known.getOrDefault(a, List.of()).get(places.getOrDefault(b, 0));
                        distances[from][to] = Math.max(distances[from][to], distance);
                    }
                }
            }
        }
    }

    /**
     * Divides a machine.
     *
     * @param layout the machine
     * @param partitions the parameter {@code cpu_npartitions}: how many, 0 for as many as suit the machine
     * @param pattern the parameter {@code cpu_pattern}; {@code N} for a partition per NUMA node, empty to go by the
     *     number alone
     * @throws ErrnoException EINVAL, EPERM or ERANGE if the pattern is wrong; ERANGE if there are more partitions than
     *     CPUs; ENODEV if a partition has no CPU
     */
    public static CptTable of(CpuLayout layout, int partitions, String pattern) {
        return new CptTable(layout, CpuPartitioner.deal(layout, partitions, CpuPattern.parse(pattern)));
    }

    /** Returns how many partitions there are, at least 1. */
    public int count() {
        return all.length;
    }

    /** Returns the numbers of the CPUs of a partition. */
    public List<Integer> cpus(int cpt) {
        return cpus.get(cpt);
    }

    /** Returns all partitions; not to be changed. */
    public int[] all() {
        return all;
    }

    /** Returns the distance between two partitions; of an unknown one, {@link #ANY}, the largest that there is. */
    public int distance(int from, int to) {
        return from < 0 || to < 0 ? maxDistance : distances[from][to];
    }

    /** Returns the partition of a CPU, {@link #ANY} if it is in none. */
    public int ofCpu(int cpu) {
        return cpu < 0 || cpu >= ofCpu.length ? ANY : ofCpu[cpu];
    }

    /** Returns the first partition with CPUs of a NUMA node, {@link #ANY} if there is none. */
    public int ofNode(int node) {
        int[] there = onNode(node);
        return there.length == 0 ? ANY : there[0];
    }

    /** Returns the partitions with CPUs of a NUMA node, in order. */
    public int[] onNode(int node) {
        return Arrays.stream(all).filter(cpt -> nodes.get(cpt).contains(node)).toArray();
    }

    /**
     * Returns the partition that messages to a NID are counted on (spec 12 §8): by the sum of the bytes of its address.
     *
     * @param among the partitions to choose from, at least one
     */
    public static int ofNid(Nid nid, int[] among) {
        return among.length == 1 ? among[0] : among[(int) ((sum(nid.addrHigh()) + sum(nid.addrLow())) % among.length)];
    }

    private static long sum(long bytes) {
        long sum = 0;
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            sum += bytes >>> shift & 0xff;
        }
        return sum;
    }

    /**
     * Checks numbers of partitions.
     *
     * @param wanted the numbers; none means all
     * @return the numbers in order, each once; all if none were named
     * @throws ErrnoException ERANGE if there is no such partition
     */
    public int[] check(List<Integer> wanted) {
        for (int cpt : wanted) {
            if (cpt < 0 || cpt >= all.length) {
                throw new ErrnoException(
                        Errno.ERANGE, "CPU partition " + cpt + "; this node has 0…" + (all.length - 1));
            }
        }
        return wanted.isEmpty()
                ? all
                : wanted.stream()
                        .mapToInt(Integer::intValue)
                        .sorted()
                        .distinct()
                        .toArray();
    }
}
