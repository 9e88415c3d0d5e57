package org.railyard.bench.compare;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Which CPUs the two sides of a contender may use. Thread-safe. */
public enum CpuPlacement {
    /** All; the system decides. */
    FREE {
        @Override
        public void enter(Side side) {}

        @Override
        public List<String> command(Side side, List<String> command) {
            return command;
        }
    },

    /** Half of them for each side, by {@code taskset}: what the scheduler decides is then no part of the figure. */
    PINNED {
        @Override
        public void enter(Side side) throws IOException, InterruptedException {
            String thread = Files.readSymbolicLink(Path.of("/proc/thread-self"))
                    .getFileName()
                    .toString();
            Process process = new ProcessBuilder(PROGRAM, "-p", "-c", cpus(side), thread)
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readNBytes(OUTPUT_LIMIT), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IOException(PROGRAM + " -p -c " + cpus(side) + " failed: " + output.strip());
            }
        }

        @Override
        public List<String> command(Side side, List<String> command) {
            List<String> words = new ArrayList<>(List.of(PROGRAM, "-c", cpus(side)));
            words.addAll(command);
            return words;
        }
    };

    /** What pins. */
    public static final String PROGRAM = "taskset";

    private static final int OUTPUT_LIMIT = 4096;

    /**
     * Places the calling thread, and all threads that it starts from now on.
     *
     * @throws IOException if that is refused
     */
    public abstract void enter(Side side) throws IOException, InterruptedException;

    /** Returns the command that runs a program of a side. */
    public abstract List<String> command(Side side, List<String> command);

    /** Tells whether {@link #PROGRAM} is installed. */
    public static boolean isPossible() {
        String path = System.getenv("PATH");
        return path != null
                && Arrays.stream(path.split(File.pathSeparator, -1))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, PROGRAM)));
    }

    /** Returns the CPUs of a side when pinned, as {@code taskset} takes them: the lower half receives. */
    public static String cpus(Side side) {
        return cpus(side, ALLOWED);
    }

    private static final List<Integer> ALLOWED = allowed();

    /** Returns the half of some CPUs that a side has; one CPU is for both. */
    static String cpus(Side side, List<Integer> allowed) {
        int half = allowed.size() / 2;
        List<Integer> own = half == 0
                ? allowed
                : side == Side.RECEIVER ? allowed.subList(0, half) : allowed.subList(half, allowed.size());
        return String.join(",", own.stream().map(String::valueOf).toList());
    }

    private static List<Integer> allowed() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith("Cpus_allowed_list:")) {
                    return parse(line.substring(line.indexOf(':') + 1).strip());
                }
            }
        } catch (IOException e) {
            // Not Linux: nothing is pinned there, but the names of CPUs are asked for in a message.
            return count();
        }
        return count();
    }

    private static List<Integer> count() {
        return IntStream.range(0, Runtime.getRuntime().availableProcessors())
                .boxed()
                .toList();
    }

    /** Reads a list of CPUs as the kernel writes it, such as {@code 0-3,8}. */
    static List<Integer> parse(String list) {
        List<Integer> cpus = new ArrayList<>();
        for (String part : list.split(",", -1)) {
            String[] ends = part.strip().split("-", 2);
            int first = Integer.parseInt(ends[0]);
            int last = Integer.parseInt(ends[ends.length - 1]);
            IntStream.rangeClosed(first, last).forEach(cpus::add);
        }
        return cpus;
    }
}
