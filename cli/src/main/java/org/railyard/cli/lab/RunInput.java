package org.railyard.cli.lab;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.Doc;
import org.railyard.base.text.ShellWord;
import org.railyard.console.ShownRun;
import org.railyard.lab.fabric.TorusSettings;
import org.railyard.lab.observe.RunRecorder;
import org.railyard.lab.run.LabRun;
import org.railyard.lab.run.RunResult;
import org.railyard.lab.run.StackLog;
import org.railyard.lab.scenario.Scenario;

/** Makes a run of the lab to be shown. */
public final class RunInput {
    private RunInput() {}

    /**
     * Runs a scenario with a seed, or tells what is wrong with it.
     *
     * @param name a file, or a scenario that comes with the program
     * @param fidelity what travels on its fabrics; null for what the scenario says
     */
    public static Optional<ShownRun> run(
            String name, long seed, TorusSettings.@Nullable Fidelity fidelity, PrintWriter err) {
        Optional<Scenario> scenario = ScenarioSource.read(name, fidelity, err);
        if (scenario.isEmpty()) {
            return Optional.empty();
        }
        StackLog.silence();
        RunRecorder recorder = new RunRecorder();
        RunResult result = LabRun.record(scenario.get(), seed, recorder);
        return Optional.of(new ShownRun(
                name, "railyard lab replay " + arguments(name, "", seed, fidelity), scenario.get(), result, recorder));
    }

    /** Returns what names a run on a command line, with a word before the scenario. */
    static String arguments(String name, String before, long seed, TorusSettings.@Nullable Fidelity fidelity) {
        return before + ShellWord.quoted(name) + " --seed " + seed
                + (fidelity == null ? "" : " --fidelity " + fidelity.text());
    }

    /** Returns the violations of a run as documents, each with the command that replays it. */
    static List<Map<String, Object>> documents(
            RunResult result, String name, TorusSettings.@Nullable Fidelity fidelity) {
        return result.violations().stream()
                .map(violation -> new Doc()
                        .put("seed", result.seed())
                        .put("rule", violation.checker())
                        .put("time_ns", violation.timeNanos())
                        .put("text", violation.text())
                        .put("replay", "railyard lab replay " + arguments(name, "", result.seed(), fidelity))
                        .map())
                .toList();
    }
}
