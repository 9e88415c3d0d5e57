package org.railyard.campaign.work;

import static org.railyard.campaign.work.RowColumn.column;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.ShellWord;
import org.railyard.base.yaml.DocumentException;
import org.railyard.campaign.plan.CampaignPlan;
import org.railyard.campaign.work.RowColumn.Role;
import org.railyard.lab.check.Violation;
import org.railyard.lab.fabric.TorusSettings;
import org.railyard.lab.observe.Outcome;
import org.railyard.lab.run.LabRun;
import org.railyard.lab.run.RunResult;
import org.railyard.lab.run.StackLog;
import org.railyard.lab.scenario.Library;
import org.railyard.lab.scenario.Scenario;
import org.railyard.lab.scenario.ScenarioReader;

/** Scenarios of the lab with many seeds: all seeds of the first scenario, then of the next. */
public final class LabWork implements Work {
    /** Most scenarios of a campaign. */
    public static final int MAX_SCENARIOS = 100;

    private static final String GOOD = "ok";
    private static final String FIDELITY = "fidelity";

    private static final List<RowColumn> COLUMNS = List.of(
            RowColumn.ofCase(),
            column("verdict", Role.VERDICT, "ok, or violation: a checker found something"),
            column("scenario", Role.GROUP, "the scenario"),
            column("seed", Role.OTHER, "the seed"),
            column("checker", Role.REASON, "the checker that found the first violation"),
            column("at_ms", Role.OTHER, "when it found it, ms of virtual time"),
            column("violation", Role.OTHER, "what it found"),
            column("violations", Role.OTHER, "how many were found"),
            column("calls_ok", Role.OTHER, "calls that ended well"),
            column("calls_failed", Role.FIGURE, "calls that could not be sent"),
            column("calls_timed_out", Role.FIGURE, "calls without an answer in time"),
            column("calls_abandoned", Role.OTHER, "calls whose node was shut down or killed"),
            column("messages", Role.FIGURE, "LNet messages that the network handed over"),
            column("events", Role.OTHER, "events of the simulation"),
            column("virtual_ms", Role.FIGURE, "virtual time until all was at rest and closed, ms"),
            column("fingerprint", Role.OTHER, "equal for equal runs"));

    private final List<Source> sources;
    private final SeedSpan seeds;
    private final String fidelity;

    /** A scenario, what rows call it, the name of its input, and whether it comes with the program. */
    private record Source(Scenario scenario, String name, String input, boolean isShipped) {}

    LabWork(CampaignPlan plan) {
        seeds = SeedSpan.of(plan);
        fidelity = plan.parameters().getOrDefault(FIDELITY, "");
        sources = new ArrayList<>();
        long count = plan.number("scenarios", 1, MAX_SCENARIOS);
        for (int i = 1; i <= count; i++) {
            String name = plan.parameter("scenario-" + i);
            boolean isShipped = plan.parameter("shipped-" + i).equals("yes");
            String input = inputName(i);
            sources.add(new Source(read(name, plan.input(input)), name, input, isShipped));
        }
    }

    /**
     * Returns parameters and inputs of a plan.
     *
     * @param texts scenarios by the names that people gave them: files, or names of the program's
     */
    public static Map.Entry<SortedMap<String, String>, SortedMap<String, String>> describe(
            Map<String, String> texts, SeedSpan seeds, String fidelity) {
        SortedMap<String, String> parameters = new TreeMap<>(seeds.parameters());
        SortedMap<String, String> inputs = new TreeMap<>();
        parameters.put("scenarios", Integer.toString(texts.size()));
        if (!fidelity.isEmpty()) {
            parameters.put(FIDELITY, fidelity);
        }
        int number = 0;
        for (Map.Entry<String, String> each : texts.entrySet()) {
            number++;
            boolean isShipped =
                    Library.text(each.getKey()).filter(each.getValue()::equals).isPresent();
            parameters.put("scenario-" + number, each.getKey());
            parameters.put("shipped-" + number, isShipped ? "yes" : "no");
            inputs.put(inputName(number), each.getValue());
        }
        return Map.entry(parameters, inputs);
    }

    private static String inputName(int number) {
        return "scenario-" + number + ".yaml";
    }

    private Scenario read(String name, String text) {
        try {
            Scenario scenario = ScenarioReader.read(name, text);
            for (TorusSettings.Fidelity each : TorusSettings.Fidelity.values()) {
                if (each.text().equals(fidelity)) {
                    return scenario.withFidelity(each);
                }
            }
            if (fidelity.isEmpty()) {
                return scenario;
            }
        } catch (DocumentException e) {
            throw new ErrnoException(Errno.EINVAL, String.valueOf(e.problems().getFirst()), e);
        }
        throw new ErrnoException(Errno.EINVAL, "fidelity '" + fidelity + "', expected message or packet");
    }

    @Override
    public String title() {
        List<String> names = sources.stream().map(Source::name).toList();
        return "lab: %s, %s".formatted(String.join(", ", names), seeds.text());
    }

    @Override
    public long cases() {
        return sources.size() * seeds.count();
    }

    @Override
    public List<RowColumn> columns() {
        return COLUMNS;
    }

    @Override
    public String goodVerdict() {
        return GOOD;
    }

    @Override
    public Worker worker() {
        StackLog.silence();
        return this::run;
    }

    private Source source(long number) {
        return sources.get(seeds.turn(number));
    }

    private List<String> run(long number) {
        Source source = source(number);
        RunResult result = LabRun.run(source.scenario(), seeds.seed(number));
        boolean isClean = result.isClean();
        Violation first = isClean ? null : result.violations().getFirst();
        return List.of(
                Long.toString(number),
                isClean ? GOOD : "violation",
                source.name(),
                Long.toString(result.seed()),
                first == null ? "" : first.checker(),
                first == null ? "" : CellText.millis(first.timeNanos()),
                first == null ? "" : first.text(),
                Integer.toString(result.violations().size()),
                count(result, Outcome.OK),
                count(result, Outcome.FAILED),
                count(result, Outcome.TIMED_OUT),
                count(result, Outcome.ABANDONED),
                Long.toString(result.messages()),
                Long.toString(result.events()),
                CellText.millis(result.virtualNanos()),
                String.format(Locale.ROOT, "%016x", result.fingerprint()));
    }

    private static String count(RunResult result, Outcome outcome) {
        return Long.toString(result.outcomes().getOrDefault(outcome, 0L));
    }

    @Override
    public String replay(long number, Path inputs) {
        Source source = source(number);
        String name = source.isShipped()
                ? source.name()
                : inputs.resolve(source.input()).toString();
        return "railyard lab replay %s --seed %d%s"
                .formatted(
                        ShellWord.quoted(name),
                        seeds.seed(number),
                        fidelity.isEmpty() ? "" : " --fidelity " + fidelity);
    }
}
