package org.railyard.cli.fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.railyard.base.text.YamlText;
import org.railyard.cli.text.ProgressBar;
import org.railyard.cli.text.ReportOption;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.proven.Refused;
import org.railyard.fabric.proven.Tables;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.whatif.FailureSet;
import org.railyard.fabric.whatif.FailureStudy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard fabric whatif}: lets things fail, routes again, proves, and tells what changes. */
@Command(
        name = "whatif",
        description = "Let switches or cables fail, route again, prove, and tell what changes for whom.",
        footer = {
            "",
            "Without --group and --groups all hosts are in one multicast group, 0xC000 with SL 0, as with IPoIB.",
        },
        exitCodeOnExecutionException = FabricCommand.FAILED,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:whatever fails, the rest is routed and proved",
            "1:some failure is refused, or its tables are not proved",
            "2:a file cannot be read, a name is not there, or the command line is wrong",
            "3:the fabric is refused as it is",
            FabricCommand.FAILED_TEXT
        })
final class WhatifCommand implements Callable<Integer> {
    /** Most failures of one run. */
    static final int MAX_FAILURES = 1_000_000;

    /** Most failures of a run whose outcomes tell each change. */
    private static final int MAX_WITH_CHANGES = 10_000;

    /** Most failures of a run that can be routed as a whole, too. */
    private static final int MAX_CHECKS = 100_000;

    private static final String ALL = "all";
    private static final int BROADCAST_MLID = 0xC000;
    private static final int NOT_PROVED = 1;
    private static final int UNUSABLE = 2;
    private static final int REFUSED = 3;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "TOPOLOGY", description = Topology.FORMS + "; - for standard input.")
    private Path topology = Path.of("");

    @Mixin
    private EngineChoice engine = new EngineChoice();

    @Mixin
    private GroupOptions groups = new GroupOptions();

    @Option(
            names = "--fail",
            paramLabel = "WHAT",
            description = "A switch; A:B, all cables between two switches; A/N, the cable in port N. Switches by"
                    + " description, GUID, or X,Y,Z on a torus. Repeated: all at once.")
    private List<String> fail = new ArrayList<>();

    @Option(names = "--each-switch", description = "Every switch, one after the other.")
    private boolean eachSwitch;

    @Option(names = "--each-cable", description = "Every cable between switches, one after the other.")
    private boolean eachCable;

    @Option(
            names = "--pairs",
            paramLabel = "N|all",
            defaultValue = "0",
            description = "N random pairs of switches or cables, or all pairs of switches.")
    private String pairs = "0";

    @Option(names = "--triples", paramLabel = "N", description = "N random triples of switches or cables.")
    private int triples;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "Seed of the random pairs and triples. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--check",
            paramLabel = "N",
            defaultValue = "4",
            description = "On a torus only the flows that take another way are looked at; N failures, evenly spread,"
                    + " are routed and proved as a whole, too, and compared. Default: ${DEFAULT-VALUE}.")
    private int checks;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "30",
            description = "Most rows of the table, the worst first. Default: ${DEFAULT-VALUE}.")
    private int rows;

    @Option(names = "--yaml", description = "Print one YAML document, with all failures, instead of a table.")
    private boolean yaml;

    @Mixin
    private ReportOption report = new ReportOption();

    @Override
    public Integer call() throws IOException {
        if (fail.isEmpty() && !eachSwitch && !eachCable && pairs.equals("0") && triples == 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    "nothing is to fail: give --fail, --each-switch, --each-cable, --pairs or --triples");
        }
        limited("--triples", triples, MAX_FAILURES);
        limited("--check", checks, MAX_CHECKS);
        if (!pairs.equals(ALL)) {
            limited("--pairs", count(pairs), MAX_FAILURES);
        }
        if (rows < 1) {
            throw new ParameterException(spec.commandLine(), "--rows %d: expected 1 or more".formatted(rows));
        }
        report.prepare(spec);
        try {
            return study();
        } catch (FabricInputException e) {
            e.print(spec.commandLine().getErr());
            return UNUSABLE;
        }
    }

    private static int count(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private void limited(String option, int value, int most) {
        if (value < 0 || value > most) {
            String found = option.equals("--pairs") ? pairs : Integer.toString(value);
            String all = option.equals("--pairs") ? ", or " + ALL : "";
            throw new ParameterException(
                    spec.commandLine(), "%s %s: expected 0 to %d%s".formatted(option, found, most, all));
        }
    }

    private int study() throws IOException {
        Fabric fabric = engine.fabric(topology);
        List<MulticastGroup> routed = groups.of(fabric);
        if (routed.isEmpty()) {
            routed = List.of(new MulticastGroup(BROADCAST_MLID, 0, new EndPortFinder(fabric).hosts()));
        }
        ProvenRouting routing = engine.routing();
        return switch (routing.tables(fabric, routed)) {
            case Refused refused -> {
                CheckText.print(refused.refusal(), spec.commandLine().getErr());
                yield REFUSED;
            }
            case Tables base -> study(routing, routed, base);
        };
    }

    private int study(ProvenRouting routing, List<MulticastGroup> routed, Tables base) throws IOException {
        Fabric fabric = base.fabric();
        Optional<TorusLayout> layout = base.plan().map(plan -> TorusLayout.of(fabric, plan.placement()));
        FailureFinder finder = new FailureFinder(fabric, layout);
        long count = failures(fabric, finder).count();
        if (count > MAX_FAILURES) {
            throw new FabricInputException(count + " failures, more than " + MAX_FAILURES);
        }
        FailureStudy study = new FailureStudy(routing, routed, base, count <= MAX_WITH_CHANGES, CheckText::lines);
        FailureStudy.Outcome baseline = study.of(new FailureSet("nothing", new BitSet()), checks > 0);
        ProgressBar progress = new ProgressBar(spec.commandLine().getErr(), count, "failures");
        long apart = checks == 0 ? Long.MAX_VALUE : Math.max(1, count / checks);
        List<FailureStudy.Outcome> outcomes = new ArrayList<>();
        failures(fabric, finder).forEachOrdered(failure -> {
            progress.done(outcomes.size());
            outcomes.add(study.of(failure, outcomes.size() % apart == apart - 1));
        });
        progress.clear();
        PrintWriter out = spec.commandLine().getOut();
        WhatifReport told = new WhatifReport(fabric, baseline, outcomes);
        if (yaml) {
            out.print(YamlText.of(told.document(), YamlText.Layout.NARROW));
        } else {
            told.lines(rows).forEach(out::println);
        }
        out.flush();
        report.write(spec, "fabric-whatif", "What failures do to " + topology, told::fill);
        return outcomes.stream().allMatch(outcome -> outcome.verdict() == FailureStudy.Verdict.PROVED) ? 0 : NOT_PROVED;
    }

    private Stream<FailureSet> failures(Fabric fabric, FailureFinder finder) {
        SplittableRandom random = new SplittableRandom(seed);
        SplittableRandom ofTriples = random.split();
        Stream<FailureSet> all = fail.isEmpty() ? Stream.empty() : Stream.of(finder.allOf(fail));
        if (eachSwitch) {
            all = Stream.concat(all, FailureSet.eachSwitch(fabric).stream());
        }
        if (eachCable) {
            all = Stream.concat(all, FailureSet.eachCable(fabric).stream());
        }
        Stream<FailureSet> two = pairs.equals(ALL) ? finder.allPairs() : finder.random(count(pairs), 2, random);
        return Stream.concat(all, Stream.concat(two, finder.random(triples, 3, ofTriples)));
    }
}
