package org.railyard.bench.sm;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.railyard.bench.compare.ChildClassPath;
import org.railyard.bench.compare.JsonFileOption;
import org.railyard.bench.compare.Leftovers;
import org.railyard.bench.compare.MachineFacts;
import org.railyard.cli.text.ReportOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code railyard bench sm}: the subnet manager on simulated agents, and on ibsim beside OpenSM. */
@Command(
        name = "sm",
        description = {
            "Measure the subnet manager on k x k x k tori, beside OpenSM.",
            "A host at each switch, routed by torus-2QoS: on simulated agents, whose work is in the figures, and"
                    + " on ibsim beside OpenSM, in a network namespace of its own.",
            "ibsim needs root and the Debian packages opensm and ibsim-utils; what is missing is told."
        })
public final class BenchSmCommand implements Callable<Integer> {
    private static final int MIN_SIDE = 3;
    private static final int MAX_SIDE = 32;
    private static final int MAX_CABLES = 100;
    private static final double MILLI = 1e3;
    private static final double SECOND = 1e6;

    @Option(
            names = "--sizes",
            split = ",",
            paramLabel = "K",
            defaultValue = "4,6,10",
            description = "Switches in each dimension (default: ${DEFAULT-VALUE}).")
    private List<Integer> sizes = List.of();

    @Option(
            names = "--cables",
            defaultValue = "5",
            description =
                    "Cables that are pulled one after the other, 1 to 100; on ibsim at most one for each switch of a"
                            + " dimension (default: ${DEFAULT-VALUE}).")
    private int cables;

    @Option(
            names = "--sa-time",
            paramLabel = "MS",
            defaultValue = "1000",
            description = "CPU time of each measurement of PathRecords, and as much before it, ms"
                    + " (default: ${DEFAULT-VALUE}).")
    private int saTime;

    @Option(
            names = "--ibsim-up-to",
            paramLabel = "K",
            defaultValue = "10",
            description = "Largest size that runs on ibsim, 0 for none (default: ${DEFAULT-VALUE}).")
    private int ibsimUpTo;

    @Option(names = "--rounds", defaultValue = "1", description = "Rounds on ibsim, in turn (default: 1).")
    private int rounds;

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            defaultValue = "120",
            description = "Longest wait for a program on ibsim (default: ${DEFAULT-VALUE}).")
    private long limit;

    @Mixin
    private ReportOption report = new ReportOption();

    @Mixin
    private JsonFileOption json = new JsonFileOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Map<String, Map<String, Long>> onAgents = new LinkedHashMap<>();
    private final List<SmPage.OnIbsim> onIbsim = new ArrayList<>();

    /** Runs on ibsim for programs, failed ones too. */
    private final List<Map<String, Object>> documents = new ArrayList<>();

    /** For picocli. */
    public BenchSmCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        boolean areSizes = sizes.stream().allMatch(size -> size >= MIN_SIDE && size <= MAX_SIDE);
        if (!areSizes
                || cables < 1
                || cables > MAX_CABLES
                || rounds < 1
                || rounds > MAX_CABLES
                || limit < 1
                || saTime < 1
                || ibsimUpTo < 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    ("--sizes %d to %d, --cables and --rounds 1 to %d, --limit and --sa-time from 1,"
                                    + " --ibsim-up-to from 0 on")
                            .formatted(MIN_SIDE, MAX_SIDE, MAX_CABLES));
        }
        json.check(spec, report);
        report.prepare(spec);
        PrintWriter out = spec.commandLine().getOut();
        MachineFacts machine = MachineFacts.read();
        out.print(machine.asText());
        int exit = measure(out);
        report.write(
                spec, "bench-sm", "The subnet manager", page -> SmPage.fill(page, machine.asText(), onAgents, onIbsim));
        json.write(Map.of("machine", machine.asMap(), "simulated_agents", onAgents, "ibsim", documents));
        return exit;
    }

    private int measure(PrintWriter out) throws IOException, InterruptedException {
        simulated(out);
        Optional<String> missing = IbsimRun.missing();
        List<Integer> small = sizes.stream().filter(size -> size <= ibsimUpTo).toList();
        if (missing.isPresent()) {
            out.println("not measured on ibsim: " + missing.get());
        } else if (!small.isEmpty()) {
            return onIbsim(out, small);
        }
        return 0;
    }

    private void simulated(PrintWriter out) throws IOException, InterruptedException {
        out.println("simulated agents, CPU time of the whole process; cable: median of " + cables
                + ", from the unplugging to tables that are right, and the subnet's own time from the trap on;"
                + " PathRecords/s of CPU time, one thread");
        out.printf(
                "%-7s %7s %11s %9s %12s %12s %12s %8s %13s %13s %18s %18s%n",
                "torus",
                "nodes",
                "bring-up s",
                "MADs",
                "cable ms",
                "cable's own",
                "cable's MADs",
                "peak MB",
                "PR single/s",
                "PR table/s",
                "single/s by subnet",
                "table/s by subnet");
        for (int size : sizes) {
            Map<String, Long> seen = worker(size);
            onAgents.put(title(size), seen);
            out.printf(
                    Locale.ROOT,
                    "%-7s %7d %11.2f %9d %12.0f %12.0f %12d %8d %13d %13d %18d %18d%n",
                    title(size),
                    value(seen, "nodes"),
                    value(seen, "up_cpu") / SECOND,
                    value(seen, "up_mads"),
                    value(seen, "pull_cpu") / MILLI,
                    value(seen, "pull_virtual") / MILLI,
                    value(seen, "pull_mads"),
                    value(seen, "peak_kb") / 1024,
                    value(seen, "sa_singles"),
                    value(seen, "sa_tables"),
                    value(seen, "sa_singles_over_subnet"),
                    value(seen, "sa_tables_over_subnet"));
            out.flush();
        }
    }

    private Map<String, Long> worker(int size) throws IOException, InterruptedException {
        Path directory = Leftovers.folder();
        Path output = directory.resolve("worker");
        try {
            List<String> command = LaunchedJvm.command(
                    ChildClassPath.java(),
                    List.of(
                            "-XX:+UseSerialGC",
                            "-cp",
                            ChildClassPath.ofThis(),
                            SmWorker.class.getName(),
                            Integer.toString(size),
                            Integer.toString(cables),
                            Integer.toString(saTime)));
            Process process = Leftovers.start(
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()));
            try {
                int code = process.waitFor();
                String said = Files.readString(output, StandardCharsets.UTF_8);
                if (code != 0) {
                    throw new IOException(title(size) + " failed: " + said);
                }
                return values(said);
            } finally {
                Leftovers.end(process);
            }
        } finally {
            Leftovers.delete(directory);
        }
    }

    private static Map<String, Long> values(String said) {
        Map<String, Long> values = new TreeMap<>();
        said.lines()
                .map(line -> line.split(" ", -1))
                .filter(words -> words.length == 2)
                .forEach(words -> values.put(words[0], Long.parseLong(words[1])));
        return values;
    }

    /** Runs both in turn; exit status 1 if one of them failed. */
    private int onIbsim(PrintWriter out, List<Integer> small) throws IOException, InterruptedException {
        out.println("ibsim, seconds from outside, in brackets the program's own CPU time; cable: from Unlink to the"
                + " program's word that the subnet is up again, the first one and the median of all; Railyard with the"
                + " start of its JVM");
        out.printf(
                "%-7s %-9s %18s %11s %18s %8s%n", "torus", "manager", "bring-up", "first cable", "cables", "peak MB");
        boolean failed = false;
        for (int size : small) {
            for (int round = 0; round < rounds; round++) {
                failed |= !row(out, size, "OpenSM", IbsimRun::opensm);
                failed |= !row(out, size, "Railyard", IbsimRun::railyard);
            }
        }
        return failed ? 1 : 0;
    }

    private interface Manager {
        IbsimRun.Seen run(IbsimRun on) throws IOException, InterruptedException;
    }

    private boolean row(PrintWriter out, int size, String name, Manager manager)
            throws IOException, InterruptedException {
        Path directory = Leftovers.folder();
        try {
            IbsimRun.Seen seen = manager.run(new IbsimRun(directory, size, cables, limit));
            onIbsim.add(new SmPage.OnIbsim(title(size), name, seen));
            documents.add(Map.of("torus", title(size), "manager", name, "figures", seen.document()));
            out.printf(
                    Locale.ROOT,
                    "%-7s %-9s %9.2f (%6.2f) %11.2f %9.2f (%6.2f) %8d%n",
                    title(size),
                    name,
                    seen.up() / SECOND,
                    seen.upCpu() / SECOND,
                    seen.firstPull() / SECOND,
                    seen.pull() / SECOND,
                    seen.pullCpu() / SECOND,
                    seen.peakKb() / 1024);
            return true;
        } catch (IOException e) {
            out.printf("%-7s %-9s failed: %s%n", title(size), name, e.getMessage());
            documents.add(Map.of("torus", title(size), "manager", name, "failed", String.valueOf(e.getMessage())));
            return false;
        } finally {
            out.flush();
            Leftovers.delete(directory);
        }
    }

    private static String title(int size) {
        return size + "³";
    }

    private static long value(Map<String, Long> values, String key) {
        return values.getOrDefault(key, 0L);
    }
}
