package org.railyard.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.bench.compare.Comparison;
import org.railyard.bench.compare.ComparisonPage;
import org.railyard.bench.compare.ComparisonText;
import org.railyard.bench.compare.Contender;
import org.railyard.bench.compare.CpuPlacement;
import org.railyard.bench.compare.JsonFileOption;
import org.railyard.bench.compare.JsonReport;
import org.railyard.bench.compare.MachineFacts;
import org.railyard.bench.compare.Measure;
import org.railyard.bench.compare.Plan;
import org.railyard.bench.compare.RoundSettings;
import org.railyard.bench.compare.Side;
import org.railyard.bench.compare.SideBySide;
import org.railyard.bench.lnet.LNetContender;
import org.railyard.cli.text.ReportOption;
import org.railyard.socklnd.tune.SockLndConfig;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code railyard bench lnet}: LNet and its peers in one run, over loopback. Exit code 1 if a contender failed. */
@Command(
        name = "lnet",
        description = {
            "Measure LNet beside other programs on the loopback interface.",
            "Prints ratios with their confidence intervals, and the CPU time of each."
        })
final class LnetCommand implements Callable<Integer> {
    /** Payload a contender moves in a round at most, in bytes. */
    private static final long BYTE_LIMIT = 64L << 30;

    @Option(
            names = "--seconds",
            defaultValue = "1",
            description = "Length of a round, 1 to 60 s (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--rounds",
            defaultValue = "5",
            description = "Measured rounds, 1 to 100 (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warmup",
            defaultValue = "1",
            description = "Rounds before them that do not count, 0 to 10; unless 0, more follow while the JVM compiles,"
                    + " up to 10 in all (default: ${DEFAULT-VALUE}).")
    private int warmups;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "MEASURE",
            converter = MeasureByKey.class,
            completionCandidates = MeasureKeys.class,
            description = "Measures to take: ${COMPLETION-CANDIDATES} (default: all).")
    private List<Measure> only = List.of();

    @Option(
            names = "--pin",
            description = "Gives each side half of the CPUs, by taskset; without it the system's scheduler decides.")
    private boolean pin;

    @Option(
            names = "--param",
            paramLabel = "NAME=VALUE",
            description = "A tunable of TCP for LNet's nodes, as lnetd takes it, such as busy_poll=50; again for more.")
    private Map<String, String> tunables = Map.of();

    @Mixin
    private JsonFileOption json = new JsonFileOption();

    @Mixin
    private ReportOption report = new ReportOption();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        CommandLine commandLine = commandLine();
        Plan plan = plan(commandLine);
        json.check(commandLine.getCommandSpec(), report);
        Set<Measure> measures = only.isEmpty() ? EnumSet.allOf(Measure.class) : EnumSet.copyOf(only);
        checkTunables(commandLine);
        report.prepare(commandLine.getCommandSpec());
        List<Contender> contenders = Contenders.all().stream()
                .filter(c -> measures.contains(c.measure()))
                .toList();
        for (Contender contender : contenders) {
            if (contender instanceof LNetContender lnet) {
                lnet.tune(tunables);
            }
        }
        if (pin && !CpuPlacement.isPossible()) {
            throw new CommandLine.ParameterException(
                    commandLine, "--pin: there is no " + CpuPlacement.PROGRAM + " in the PATH; install util-linux");
        }
        PrintWriter out = commandLine.getOut();
        long present = contenders.stream().filter(c -> c.absence().isEmpty()).count();
        MachineFacts machine = MachineFacts.read();
        out.print(machine.asText());
        out.printf(
                "rounds   %d of %d s each after %s to warm up, in turn; at least %d s in all%n",
                rounds, seconds, warmups == 0 ? "none" : "at least " + warmups, plan.seconds(present));
        if (!tunables.isEmpty()) {
            out.println("LNet     with " + tunables);
        }
        out.printf(
                "CPUs     %s%n%n",
                pin
                        ? "pinned: senders on " + CpuPlacement.cpus(Side.SENDER) + ", receivers on "
                                + CpuPlacement.cpus(Side.RECEIVER)
                        : "not pinned: the system's scheduler decides");
        out.flush();

        SideBySide sideBySide = new SideBySide(plan);
        List<Comparison> comparisons = new ArrayList<>();
        for (Measure measure : measures) {
            Comparison comparison = sideBySide.run(
                    measure,
                    contenders.stream().filter(c -> c.measure() == measure).toList());
            comparisons.add(comparison);
            out.println(ComparisonText.of(comparison));
            out.flush();
        }
        json.write(JsonReport.of(machine, plan, comparisons));
        report.write(
                commandLine.getCommandSpec(),
                "bench-lnet",
                "LNet beside other programs",
                page -> ComparisonPage.fill(page, machine, comparisons));
        return comparisons.stream().anyMatch(Comparison::hasFailure) ? 1 : 0;
    }

    private void checkTunables(CommandLine commandLine) {
        try {
            tunables.forEach(SockLndConfig.builder()::set);
        } catch (ErrnoException e) {
            throw new CommandLine.ParameterException(commandLine, "--param: " + e.getMessage(), e);
        }
    }

    private CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("not run by picocli");
        }
        return spec.commandLine();
    }

    private Plan plan(CommandLine commandLine) {
        try {
            CpuPlacement placement = pin ? CpuPlacement.PINNED : CpuPlacement.FREE;
            return new Plan(new RoundSettings(seconds, BYTE_LIMIT, placement), rounds, warmups);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(commandLine, e.getMessage(), e);
        }
    }

    /** Reads a measure by its key. */
    static final class MeasureByKey implements ITypeConverter<Measure> {
        @Override
        public Measure convert(String value) {
            return Arrays.stream(Measure.values())
                    .filter(m -> m.key().equals(value))
                    .findFirst()
                    .orElseThrow(() -> new CommandLine.TypeConversionException(
                            "'" + value + "' is no measure; there are " + keys().collect(Collectors.joining(", "))));
        }
    }

    /** The keys of all measures, for help and completion. */
    static final class MeasureKeys implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return keys().iterator();
        }
    }

    private static Stream<String> keys() {
        return Arrays.stream(Measure.values()).map(Measure::key);
    }
}
