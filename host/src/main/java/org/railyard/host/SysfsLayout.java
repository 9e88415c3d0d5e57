package org.railyard.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.railyard.base.host.CpuLayout;
import org.railyard.base.host.CpuLayout.Cpu;
import org.railyard.base.host.CpuLayout.NumaNode;

/** Reads CPUs and NUMA distances as Linux shows them below {@code /sys/devices/system}. */
final class SysfsLayout {
    private static final System.Logger LOG = System.getLogger("org.railyard.host");

    private final Path system;

    private SysfsLayout(Path system) {
        this.system = system;
    }

    /** Returns the layout; one node with the processors of this JVM if it can not be read. */
    static CpuLayout read(Path system) {
        try {
            return new SysfsLayout(system).read();
        } catch (NoSuchFileException | NotDirectoryException e) {
            LOG.log(System.Logger.Level.DEBUG, "{0} is not there: one NUMA node", e.getMessage());
        } catch (IOException | IllegalArgumentException e) {
            LOG.log(System.Logger.Level.WARNING, "the NUMA layout can not be read, taking one node", e);
        }
        return CpuLayout.flat(Runtime.getRuntime().availableProcessors());
    }

    private CpuLayout read() throws IOException {
        List<Integer> numbers = new ArrayList<>();
        try (Stream<Path> entries = Files.list(system.resolve("node"))) {
            entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.matches("node\\d{1,6}"))
                    .map(name -> Integer.parseInt(name.substring("node".length())))
                    .sorted()
                    .forEach(numbers::add);
        }
        List<NumaNode> nodes = new ArrayList<>();
        for (int number : numbers) {
            Path node = system.resolve("node").resolve("node" + number);
            List<Cpu> cpus = new ArrayList<>();
            for (int cpu : list(line(node.resolve("cpulist")))) {
                cpus.add(new Cpu(cpu, coreOf(cpu)));
            }
            List<Integer> distances = Stream.of(line(node.resolve("distance")).split("\\s+"))
                    .map(Integer::valueOf)
                    .toList();
            nodes.add(new NumaNode(number, cpus, distances));
        }
        return new CpuLayout(nodes);
    }

    /** CPUs that share a core have the same list of siblings: its first one stands for the core. */
    private int coreOf(int cpu) throws IOException {
        Path siblings =
                system.resolve("cpu").resolve("cpu" + cpu).resolve("topology").resolve("thread_siblings_list");
        List<Integer> threads = Files.exists(siblings) ? list(line(siblings)) : List.of();
        return threads.isEmpty() ? cpu : threads.getFirst();
    }

    private static String line(Path file) throws IOException {
        return Files.readString(file).strip();
    }

    /** Reads {@code 0-3,8}. */
    static List<Integer> list(String text) {
        List<Integer> numbers = new ArrayList<>();
        for (String range : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int dash = range.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
            int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
            if (last - first >= CpuLayout.LIMIT) {
                throw new IllegalArgumentException("CPUs " + range + "; the limit is " + CpuLayout.LIMIT);
            }
            for (int number = first; number <= last; number++) {
                numbers.add(number);
            }
        }
        return numbers;
    }
}
