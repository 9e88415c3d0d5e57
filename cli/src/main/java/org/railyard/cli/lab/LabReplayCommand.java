package org.railyard.cli.lab;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.Doc;
import org.railyard.base.text.JsonText;
import org.railyard.lab.check.Violation;
import org.railyard.lab.fabric.TorusSettings;
import org.railyard.lab.observe.Journal;
import org.railyard.lab.run.Interposer;
import org.railyard.lab.run.LabRun;
import org.railyard.lab.run.RunResult;
import org.railyard.lab.run.StackLog;
import org.railyard.lab.scenario.Scenario;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard lab replay}: one seed again, with all that happens. */
@Command(
        name = "replay",
        description = "Run a scenario with one seed again and print everything that happens.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:all rules held", "1:a rule was violated", "2:the scenario or the command line is wrong"})
final class LabReplayCommand implements Callable<Integer> {
    private static final int MAX_NAMED = 20;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "SCENARIO",
            completionCandidates = ScenarioNames.class,
            description = "A file, or the name of a scenario that 'lab list' shows.")
    private String name = "";

    @Option(
            names = "--seed",
            paramLabel = "N",
            required = true,
            converter = SeedRange.Single.class,
            description = "The seed.")
    private long seed;

    @Option(
            names = "--node",
            paramLabel = "NODE",
            description = "Print only what happens on this node, such as client-1.")
    private @Nullable String node;

    @Option(names = "--from", paramLabel = "MS", description = "Print only from this virtual time on, ms.")
    private double from;

    @Option(names = "--to", paramLabel = "MS", description = "Print only up to this virtual time, ms.")
    private double to = Double.MAX_VALUE;

    @Option(
            names = "--fidelity",
            paramLabel = "message|packet",
            description = "What travels on rails with a torus, whatever the scenario says: messages, or packets that"
                    + " wait for credits and can come to a deadlock.")
    private TorusSettings.@Nullable Fidelity fidelity;

    @Option(
            names = "--json",
            description = "Print a line of JSON for each event and, as the last one, for the outcome, instead of text.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (from > to) {
            throw new ParameterException(
                    spec.commandLine(), "found --from " + from + " behind --to " + to + ", expected it before");
        }
        Optional<Scenario> scenario =
                ScenarioSource.read(name, fidelity, spec.commandLine().getErr());
        if (scenario.isEmpty()) {
            return ScenarioSource.UNUSABLE;
        }
        String wanted = node;
        List<String> nodes = names(scenario.get());
        if (wanted != null && !nodes.contains(wanted)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "found no node '" + wanted + "', expected one of "
                            + String.join(", ", nodes.subList(0, Math.min(MAX_NAMED, nodes.size()))));
        }
        StackLog.silence();
        RunResult result = LabRun.run(scenario.get(), seed, Interposer.NONE, line -> print(line, out));
        if (json) {
            out.println(JsonText.of(document(result)));
        } else {
            tell(result, out);
        }
        out.flush();
        return result.isClean() ? 0 : 1;
    }

    private void tell(RunResult result, PrintWriter out) {
        for (Violation violation : result.violations()) {
            out.printf(
                    Locale.ROOT,
                    "seed %d violates '%s' at %.6f ms: %s%n",
                    seed,
                    violation.checker(),
                    violation.timeNanos() / 1e6,
                    violation.text());
        }
        out.printf(
                Locale.ROOT,
                "seed %d: %s, %d messages in %.3f s of virtual time%n",
                seed,
                result.isClean() ? "all rules held" : result.violations().size() + " violations",
                result.messages(),
                result.virtualNanos() / (double) Duration.ofSeconds(1).toNanos());
        result.rails().forEach(out::println);
    }

    private Map<String, Object> document(RunResult result) {
        return new Doc()
                .put("scenario", name)
                .put("seed", seed)
                .put("messages", result.messages())
                .put("virtual_ns", result.virtualNanos())
                .put("violations", RunInput.documents(result, name, fidelity))
                .put("rails", result.rails())
                .map();
    }

    private static List<String> names(Scenario scenario) {
        List<String> names = new ArrayList<>();
        for (Scenario.Group group : scenario.groups()) {
            for (int i = 1; i <= group.count(); i++) {
                names.add(group.name() + "-" + i);
            }
        }
        return names;
    }

    private void print(Journal.Line line, PrintWriter out) {
        double at = line.time() / 1e6;
        if (at >= from && at <= to && (node == null || line.isAbout(node))) {
            out.println(json ? JsonText.of(document(line)) : line.text());
        }
    }

    private static Map<String, Object> document(Journal.Line line) {
        Doc doc = new Doc().put("time_ns", line.time());
        if (!line.node().equals(Journal.NO_NAME)) {
            doc.put("node", line.node());
        }
        return doc.put("kind", line.kind().name().toLowerCase(Locale.ROOT))
                .put("text", line.what())
                .map();
    }
}
