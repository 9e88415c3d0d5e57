package org.railyard.cli.fabric;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.railyard.base.text.YamlText;
import org.railyard.cli.text.ProgressBar;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.proven.Refused;
import org.railyard.fabric.proven.Tables;
import org.railyard.fabric.route.MulticastGroup;
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
    static final int MAX_FAILURES = 100_000;

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

    @Option(names = "--pairs", paramLabel = "N", description = "N random pairs of switches or cables.")
    private int pairs;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "Seed of the random pairs. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "30",
            description = "Most rows of the table, the worst first. Default: ${DEFAULT-VALUE}.")
    private int rows;

    @Option(names = "--yaml", description = "Print one YAML document, with all failures, instead of a table.")
    private boolean yaml;

    @Override
    public Integer call() {
        if (fail.isEmpty() && !eachSwitch && !eachCable && pairs == 0) {
            throw new ParameterException(
                    spec.commandLine(), "nothing is to fail: give --fail, --each-switch, --each-cable or --pairs");
        }
        if (pairs < 0 || pairs > MAX_FAILURES) {
            throw new ParameterException(
                    spec.commandLine(), "--pairs %d: expected 0 to %d".formatted(pairs, MAX_FAILURES));
        }
        if (rows < 1) {
            throw new ParameterException(spec.commandLine(), "--rows %d: expected 1 or more".formatted(rows));
        }
        try {
            return study();
        } catch (FabricInputException e) {
            e.print(spec.commandLine().getErr());
            return UNUSABLE;
        }
    }

    private int study() {
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
            case Tables base -> study(new FailureStudy(routing, routed, base), base);
        };
    }

    private int study(FailureStudy study, Tables base) {
        Fabric fabric = base.fabric();
        Optional<TorusLayout> layout = base.plan().map(plan -> TorusLayout.of(fabric, plan.placement()));
        List<FailureSet> failures = failures(new FailureSet.Finder(fabric, layout));
        FailureStudy.Outcome baseline = study.of(new FailureSet("nothing", new BitSet()));
        ProgressBar progress = new ProgressBar(spec.commandLine().getErr(), failures.size(), "failures");
        List<FailureStudy.Outcome> outcomes = new ArrayList<>();
        for (FailureSet failure : failures) {
            progress.done(outcomes.size());
            outcomes.add(study.of(failure));
        }
        progress.clear();
        PrintWriter out = spec.commandLine().getOut();
        WhatifReport report = new WhatifReport(fabric, baseline, outcomes);
        if (yaml) {
            out.print(YamlText.of(report.document(), YamlText.Layout.NARROW));
        } else {
            report.lines(rows).forEach(out::println);
        }
        out.flush();
        return outcomes.stream().allMatch(outcome -> outcome.verdict() == FailureStudy.Verdict.PROVED) ? 0 : NOT_PROVED;
    }

    private List<FailureSet> failures(FailureSet.Finder finder) {
        List<FailureSet> all = new ArrayList<>();
        if (!fail.isEmpty()) {
            all.add(finder.together(fail));
        }
        if (eachSwitch) {
            all.addAll(finder.eachSwitch());
        }
        if (eachCable) {
            all.addAll(finder.eachCable());
        }
        all.addAll(finder.pairs(pairs, new SplittableRandom(seed)));
        if (all.size() > MAX_FAILURES) {
            throw new FabricInputException(all.size() + " failures, more than " + MAX_FAILURES);
        }
        return all;
    }
}
