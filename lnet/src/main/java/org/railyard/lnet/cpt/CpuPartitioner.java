package org.railyard.lnet.cpt;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.CpuLayout;
import org.railyard.base.host.CpuLayout.Cpu;
import org.railyard.base.host.CpuLayout.NumaNode;

/** Deals the CPUs of a machine out to partitions (spec 12 §8). */
final class CpuPartitioner {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");

    /** Machines with at most so many CPUs are one partition unless told otherwise. */
    private static final int SMALL = 4;

    private final CpuLayout layout;

    private CpuPartitioner(CpuLayout layout) {
        this.layout = layout;
    }

    /** Returns the CPUs of each partition. */
    static List<List<Integer>> deal(CpuLayout layout, int count, CpuPattern pattern) {
        CpuPartitioner dealer = new CpuPartitioner(layout);
        List<List<Cpu>> partitions =
                pattern.partitions().isEmpty() ? dealer.layOut(count, pattern) : dealer.named(pattern);
        List<List<Integer>> numbers = new ArrayList<>();
        for (List<Cpu> partition : partitions) {
            if (partition.isEmpty()) {
                throw new ErrnoException(Errno.ENODEV, "CPU partition " + numbers.size() + " is left without a CPU");
            }
            numbers.add(partition.stream().map(Cpu::id).sorted().toList());
        }
        return List.copyOf(numbers);
    }

    private List<List<Cpu>> layOut(int count, CpuPattern pattern) {
        if (count < 0) {
            throw new ErrnoException(Errno.ERANGE, "cpu_npartitions " + count + "; expected 0 or more");
        }
        List<List<Cpu>> partitions = pattern.byNode() && count == 0 ? byNode() : equal(count == 0 ? estimate() : count);
        partitions.replaceAll(partition -> without(partition, pattern));
        return partitions;
    }

    private static List<Cpu> without(List<Cpu> partition, CpuPattern pattern) {
        List<Integer> cores = partition.stream().map(Cpu::core).distinct().toList();
        return partition.stream()
                .filter(cpu -> !pattern.without().contains(cpu.id()))
                .filter(cpu -> !pattern.withoutCores().contains(cores.indexOf(cpu.core())))
                .toList();
    }

    private List<List<Cpu>> byNode() {
        List<List<Cpu>> partitions = new ArrayList<>();
        for (NumaNode node : layout.nodes()) {
            if (!node.cpus().isEmpty()) {
                partitions.add(coreByCore(node));
            }
        }
        return partitions;
    }

    private static List<Cpu> coreByCore(NumaNode node) {
        return node.cpus().stream()
                .sorted(Comparator.comparingInt(Cpu::core).thenComparingInt(Cpu::id))
                .toList();
    }

    private List<List<Cpu>> equal(int count) {
        List<Cpu> all = layout.nodes().stream()
                .flatMap(node -> coreByCore(node).stream())
                .toList();
        if (count > all.size()) {
            throw new ErrnoException(Errno.ERANGE, count + " CPU partitions on a machine with " + all.size() + " CPUs");
        }
        int suitable = estimate();
        if (count > 4 * suitable) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} CPU partitions are many for this machine; {1} would suit it",
                    count,
                    suitable);
        }
        List<List<Cpu>> partitions = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < count; i++) {
            int to = from + all.size() / count + (i < all.size() % count ? 1 : 0);
            partitions.add(all.subList(from, to));
            from = to;
        }
        return partitions;
    }

    /** Returns how many partitions suit the machine. */
    private int estimate() {
        Map<Integer, Integer> threads = new LinkedHashMap<>();
        for (NumaNode node : layout.nodes()) {
            for (Cpu cpu : node.cpus()) {
                threads.merge(cpu.core(), 1, Integer::sum);
            }
        }
        int cpus = threads.values().stream().mapToInt(Integer::intValue).sum();
        int perCore =
                threads.values().stream().mapToInt(Integer::intValue).max().orElse(1);
        if (cpus <= SMALL) {
            return 1;
        }
        int count = 2;
        while (cpus > 2 * perCore * count) {
            count++;
        }
        while (cpus % count != 0) {
            count--;
        }
        return count;
    }

    private List<List<Cpu>> named(CpuPattern pattern) {
        Map<Integer, List<Cpu>> known = new LinkedHashMap<>();
        for (NumaNode node : layout.nodes()) {
            if (pattern.byNode()) {
                known.put(node.id(), node.cpus());
            } else {
                node.cpus().forEach(cpu -> known.put(cpu.id(), List.of(cpu)));
            }
        }
        String what = pattern.byNode() ? "NUMA node " : "CPU ";
        Set<Integer> taken = new LinkedHashSet<>();
        List<List<Cpu>> partitions = new ArrayList<>();
        for (SortedSet<Integer> numbers : pattern.inOrder()) {
            List<Cpu> partition = new ArrayList<>();
            for (int number : numbers) {
                List<Cpu> cpus = known.get(number);
                if (cpus == null) {
                    throw new ErrnoException(
                            Errno.ERANGE, "cpu_pattern names " + what + number + ", which is not there");
                }
                if (!taken.add(number)) {
                    throw new ErrnoException(Errno.EINVAL, "cpu_pattern has " + what + number + " in two partitions");
                }
                partition.addAll(cpus);
            }
            partitions.add(partition);
        }
        return partitions;
    }
}
