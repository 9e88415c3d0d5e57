package org.railyard.bench.fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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

/** {@code railyard bench fabric}: tables and proof of cubic tori, beside OpenSM on ibsim and ibdmchk. */
@Command(
        name = "fabric",
        description = {
            "Measure tables and proof of k x k x k tori beside OpenSM and ibdmchk.",
            "OpenSM runs on ibsim, and is measured by its own log.",
            "Tables: the same work as OpenSM's, without the proof; median of the rounds. ibdmchk needs root."
        })
public final class BenchFabricCommand implements Callable<Integer> {
    private static final int MAX_RADIX = 32;
    private static final long MILLI = 1000;
    private static final int MANY_HOSTS = 10;
    private static final int LARGEST = 16;

    @Option(
            names = "--sizes",
            split = ",",
            paramLabel = "K",
            defaultValue = "6,8,10,12,16",
            description = "Radices, one CA per switch (default: ${DEFAULT-VALUE}). With 16, also 10 CAs per switch.")
    private List<Integer> sizes = List.of();

    @Option(names = "--rounds", defaultValue = "5", description = "Rounds, 1 to 100 (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description = "Longest run of each other program (default: ${DEFAULT-VALUE}).")
    private long limit;

    @Option(
            names = "--ibdmchk-up-to",
            paramLabel = "K",
            defaultValue = "10",
            description = "Largest radix that ibdmchk gets (default: ${DEFAULT-VALUE}).")
    private int ibdmchkUpTo;

    @Option(
            names = "--opensm-up-to",
            paramLabel = "K",
            defaultValue = "16",
            description = "Largest radix that OpenSM gets, with one CA per switch (default: ${DEFAULT-VALUE}).")
    private int opensmUpTo;

    @Option(
            names = "--engines",
            description =
                    "Compare the engines for any fabric with OpenSM's instead, on a torus, a fat tree, a dragonfly and"
                            + " a HyperX: load of cables, hops, VLs, time.")
    private boolean engines;

    @Option(
            names = "--booksim",
            paramLabel = "PROGRAM",
            description =
                    "Compare the packet simulator with BookSim 2, which is this program, instead: latency and speed by"
                            + " load on a 7 x 7 torus.")
    private @Nullable Path booksim;

    @Mixin
    private ReportOption report = new ReportOption();

    @Mixin
    private JsonFileOption json = new JsonFileOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** For picocli. */
    public BenchFabricCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path simulator = booksim;
        requireSense(simulator);
        json.check(spec, report);
        report.prepare(spec);
        if (engines) {
            return compareEngines();
        }
        if (simulator != null) {
            return compareSimulators(simulator.toAbsolutePath());
        }
        List<FabricCase> cases = new ArrayList<>();
        sizes.forEach(size -> cases.add(new FabricCase(size, 1)));
        if (sizes.contains(LARGEST)) {
            cases.add(new FabricCase(LARGEST, MANY_HOSTS));
        }
        PrintWriter out = spec.commandLine().getOut();
        MachineFacts machine = MachineFacts.read();
        out.print(machine.asText());
        OpenSmRun.missing().ifPresent(what -> out.println("OpenSM   not measured: " + what));
        IbdmchkRun.missing().ifPresent(what -> out.println("ibdmchk  not measured: " + what));
        out.println("times in ms; tables and proof: median of " + rounds + " rounds, in brackets the first");
        out.printf(
                "%-9s %6s %20s %9s %7s %10s %20s %11s %10s %7s %9s %9s%n",
                "torus",
                "LIDs",
                "tables",
                "OpenSM",
                "ratio",
                "+accepted",
                "proof",
                "certificate",
                "ibdmchk",
                "ratio",
                "peak MB",
                "OpenSM MB");
        List<FabricTimes> all = new ArrayList<>();
        for (FabricCase torus : cases) {
            FabricTimes times = measured(directory -> measure(torus, directory));
            all.add(times);
            print(out, times);
            out.flush();
        }
        report.write(
                spec,
                "bench-fabric",
                "Tables and proof of tori",
                page -> FabricTimes.fill(page, machine.asText(), all));
        json.write(Map.of(
                "machine",
                machine.asMap(),
                "tori",
                all.stream().map(FabricTimes::document).toList()));
        return 0;
    }

    private void requireSense(@Nullable Path simulator) {
        if (sizes.stream().anyMatch(size -> size < 3 || size > MAX_RADIX) || rounds < 1 || rounds > 100 || limit < 1) {
            throw new ParameterException(
                    spec.commandLine(), "--sizes 3 to " + MAX_RADIX + ", --rounds 1 to 100, --limit from 1 on");
        }
        if (engines && simulator != null) {
            throw new ParameterException(spec.commandLine(), "--engines or --booksim, not both");
        }
        if ((engines || simulator != null) && (report.isWanted() || json.isWanted())) {
            throw new ParameterException(
                    spec.commandLine(), "--report and --json do not go together with --engines or --booksim");
        }
        if (simulator != null && !Files.isExecutable(simulator)) {
            throw new ParameterException(
                    spec.commandLine(), "--booksim " + simulator + ": no such program; expected that of BookSim 2");
        }
    }

    /** Something that is measured in a directory of its own, which is gone afterwards. */
    @FunctionalInterface
    private interface Measurement<T> {
        T in(Path directory) throws IOException, InterruptedException;
    }

    private static <T> T measured(Measurement<T> measurement) throws IOException, InterruptedException {
        Path directory = Leftovers.folder();
        try {
            return measurement.in(directory);
        } finally {
            Leftovers.delete(directory);
        }
    }

    private int compareEngines() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        out.print(MachineFacts.read().asText());
        return measured(directory -> {
            new EngineComparison(out, rounds, limit).run(directory, EngineComparison.fabrics(), 4);
            return 0;
        });
    }

    private int compareSimulators(Path program) throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        out.print(MachineFacts.read().asText());
        return measured(directory -> {
            if (new SimulatorComparison(out, program, limit).run(directory, SimulatorComparison.LOADS)) {
                return 0;
            }
            spec.commandLine()
                    .getErr()
                    .println("railyard: " + program + " told no figures of any load within " + limit
                            + " s; expected BookSim 2");
            return 1;
        });
    }

    private FabricTimes measure(FabricCase torus, Path directory) throws IOException, InterruptedException {
        Map<String, Long> ours = ours(torus, directory);
        Optional<OpenSmRun.Seen> opensm = torus.radix() <= opensmUpTo && torus.hosts() == 1
                ? OpenSmRun.of(torus, directory, limit)
                : Optional.empty();
        Optional<Long> ibdmchk = torus.radix() <= ibdmchkUpTo && torus.hosts() == 1
                ? IbdmchkRun.of(torus, directory, limit)
                : Optional.empty();
        return new FabricTimes(torus.title(), ours, opensm, ibdmchk);
    }

    private static void print(PrintWriter out, FabricTimes times) {
        Map<String, Long> ours = times.ours();
        Optional<OpenSmRun.Seen> opensm = times.opensm();
        Optional<Long> ibdmchk = times.ibdmchk();
        out.printf(
                Locale.ROOT,
                "%-9s %6d %20s %9s %7s %10s %20s %11s %10s %7s %9d %9s%n",
                times.title(),
                ours.get("lids"),
                ms(ours, "tables") + " (" + ms(ours, "tables_first") + ")",
                opensm.map(seen -> ms(seen.tablesMicros())).orElse("-"),
                opensm.map(seen -> ratio(seen.tablesMicros(), value(ours, "tables")))
                        .orElse("-"),
                ms(Math.max(0, value(ours, "accepted") - value(ours, "tables"))),
                ms(ours, "proof") + " (" + ms(ours, "proof_first") + ")",
                ms(ours, "certificate"),
                ibdmchk.map(BenchFabricCommand::ms).orElse("-"),
                ibdmchk.map(micros -> ratio(micros, value(ours, "proof"))).orElse("-"),
                value(ours, "peak_kb") / 1024,
                opensm.map(seen -> Long.toString(seen.peakKb() / 1024)).orElse("-"));
    }

    private Map<String, Long> ours(FabricCase torus, Path directory) throws IOException, InterruptedException {
        Path output = directory.resolve("ours");
        Process process = Leftovers.start(new ProcessBuilder(List.of(
                        ChildClassPath.java(),
                        "-Xmx1600m",
                        "-cp",
                        ChildClassPath.ofThis(),
                        FabricWorker.class.getName(),
                        Integer.toString(torus.radix()),
                        Integer.toString(torus.hosts()),
                        Integer.toString(rounds)))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile()));
        try {
            int code = process.waitFor();
            String said = Files.readString(output, StandardCharsets.UTF_8);
            if (code != 0) {
                throw new IOException(torus.title() + " failed: " + said);
            }
            Map<String, Long> values = new TreeMap<>();
            said.lines()
                    .map(line -> line.split(" ", -1))
                    .filter(words -> words.length == 2)
                    .forEach(words -> values.put(words[0], Long.parseLong(words[1])));
            return values;
        } finally {
            Leftovers.end(process);
        }
    }

    private static long value(Map<String, Long> values, String key) {
        return values.getOrDefault(key, 0L);
    }

    private static String ms(Map<String, Long> values, String key) {
        return ms(value(values, key));
    }

    private static String ms(long micros) {
        return String.format(Locale.ROOT, micros < 100 * MILLI ? "%.2f" : "%.0f", micros / (double) MILLI);
    }

    private static String ratio(long theirs, long ours) {
        return String.format(Locale.ROOT, "%.1f", (double) theirs / Math.max(1, ours));
    }
}
