package org.railyard.cli.lab;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.Doc;
import org.railyard.cli.text.JsonOption;
import org.railyard.cli.text.ProgressBar;
import org.railyard.cli.text.ReportOption;
import org.railyard.lab.check.Violation;
import org.railyard.lab.fabric.TorusSettings;
import org.railyard.lab.observe.Outcome;
import org.railyard.lab.run.Campaign;
import org.railyard.lab.run.RunResult;
import org.railyard.lab.run.StackLog;
import org.railyard.lab.scenario.Scenario;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard lab run}: a scenario with many seeds. */
@Command(
        name = "run",
        description = "Run a scenario with many seeds, and check that the rules hold.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:all rules held",
            "1:a rule was violated; the output tells how to replay it",
            "2:the scenario or the command line is wrong"
        })
final class LabRunCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "SCENARIO",
            completionCandidates = ScenarioNames.class,
            description = "A file, or the name of a scenario that 'lab list' shows.")
    private String name = "";

    @Option(
            names = {"--seeds", "--seed"},
            paramLabel = "A-B",
            converter = SeedRange.Converter.class,
            description = "The seeds to run, or one. Default: 1-100.")
    private SeedRange seeds = new SeedRange(1, 100);

    @Option(names = "--jobs", paramLabel = "N", description = "Runs at a time. Default: one per processor.")
    private int jobs = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--keep-going",
            description = "Go on after a violation. Without it, the first seed with one is the last.")
    private boolean keepGoing;

    @Option(names = "--stats", description = "Tell how much was simulated, and how fast.")
    private boolean stats;

    @Option(
            names = "--fidelity",
            paramLabel = "message|packet",
            description = "What travels on rails with a torus, whatever the scenario says: messages, or packets that"
                    + " wait for credits and can come to a deadlock.")
    private TorusSettings.@Nullable Fidelity fidelity;

    @Mixin
    private JsonOption json = new JsonOption();

    @Mixin
    private ReportOption report = new ReportOption();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (jobs < 1) {
            throw new ParameterException(spec.commandLine(), "--jobs " + jobs + ": expected at least 1");
        }
        PrintWriter out = spec.commandLine().getOut();
        Optional<Scenario> scenario =
                ScenarioSource.read(name, fidelity, spec.commandLine().getErr());
        if (scenario.isEmpty()) {
            return ScenarioSource.UNUSABLE;
        }
        report.prepare(spec);
        StackLog.silence();
        LabRunPage page = new LabRunPage(name, fidelity);
        ProgressBar progress =
                new ProgressBar(json.isWanted() ? spec.commandLine().getErr() : out, seeds.count(), "seeds");
        AtomicLong done = new AtomicLong();
        List<Object> violations = new ArrayList<>();
        Campaign campaign = new Campaign(scenario.get(), (int) Math.min(jobs, seeds.count()));
        Campaign.Summary summary = campaign.run(seeds.first(), seeds.last(), keepGoing ? Long.MAX_VALUE : 1, result -> {
            page.add(result);
            if (!result.isClean()) {
                progress.clear();
                if (json.isWanted()) {
                    violations.addAll(RunInput.documents(result, name, fidelity));
                } else {
                    tell(result, out);
                }
            }
            progress.done(done.incrementAndGet());
        });
        progress.clear();
        json.print(out, () -> lines(summary), () -> document(summary, violations));
        report.write(spec, "lab-run", "Lab: " + scenario.get().name(), html -> page.fill(html, summary));
        return summary.dirty() == 0 ? 0 : 1;
    }

    private void tell(RunResult result, PrintWriter out) {
        Violation first = result.violations().getFirst();
        out.println("seed " + result.seed() + ": last events before the first violation");
        out.print(ScenarioSource.indent(first.journal()));
        for (Violation violation : result.violations()) {
            out.printf(
                    Locale.ROOT,
                    "seed %d violates '%s' at %.6f ms: %s%n",
                    result.seed(),
                    violation.checker(),
                    violation.timeNanos() / 1e6,
                    violation.text());
        }
        out.println("replay it with: railyard lab replay " + RunInput.arguments(name, "", result.seed(), fidelity));
        out.println("look at it with: railyard console " + RunInput.arguments(name, "--lab ", result.seed(), fidelity));
        out.flush();
    }

    private List<String> lines(Campaign.Summary summary) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%d of %d seeds run, %d with violations; %d calls ok, %d failed, %d timed out, %d abandoned",
                summary.runs(),
                seeds.count(),
                summary.dirty(),
                count(summary, Outcome.OK),
                count(summary, Outcome.FAILED),
                count(summary, Outcome.TIMED_OUT),
                count(summary, Outcome.ABANDONED)));
        if (stats) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%d messages and %d events in %.0f s of virtual and %.1f s of processor time: %.0f messages/s",
                    summary.messages(),
                    summary.events(),
                    summary.virtualNanos() / 1e9,
                    summary.cpuNanos() / 1e9,
                    summary.messagesPerCpuSecond()));
        }
        return lines;
    }

    private Map<String, Object> document(Campaign.Summary summary, List<Object> violations) {
        Doc calls = new Doc();
        for (Outcome outcome : Outcome.values()) {
            calls.put(outcome.name().toLowerCase(Locale.ROOT), count(summary, outcome));
        }
        return new Doc()
                .put("scenario", name)
                .put("seeds", seeds.count())
                .put("seeds_run", summary.runs())
                .put("seeds_with_violations", summary.dirty())
                .put("calls", calls)
                .put("messages", summary.messages())
                .put("events", summary.events())
                .put("virtual_ns", summary.virtualNanos())
                .put("violations", violations)
                .map();
    }

    private static long count(Campaign.Summary summary, Outcome outcome) {
        return summary.outcomes().getOrDefault(outcome, 0L);
    }
}
