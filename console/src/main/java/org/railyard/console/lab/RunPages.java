package org.railyard.console.lab;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.railyard.base.Errno;
import org.railyard.base.text.Doc;
import org.railyard.console.web.Page;
import org.railyard.console.web.WebAnswer;
import org.railyard.lab.check.Violation;
import org.railyard.lab.observe.Journal;
import org.railyard.lab.observe.Outcome;
import org.railyard.lab.observe.Passage;
import org.railyard.lab.observe.RunRecorder;
import org.railyard.lab.run.RunResult;
import org.railyard.lab.scenario.Scenario;

/** Answers about a run: all of it at once, since browsers draw and search it faster than they ask. Immutable. */
public final class RunPages {
    private final WebAnswer answer;

    /** Texts by number: few of them are said of many messages. */
    private static final class Texts {
        private final Map<String, Integer> numbers = new LinkedHashMap<>();

        int number(String text) {
            return numbers.computeIfAbsent(text, _ -> numbers.size());
        }

        List<String> all() {
            return List.copyOf(numbers.keySet());
        }
    }

    /**
     * Makes them.
     *
     * @param name of the scenario, to be shown
     * @param command that prints the same run
     * @param scenario what was run
     * @param result how it ended
     * @param recorder what happened
     */
    public RunPages(String name, String command, Scenario scenario, RunResult result, RunRecorder recorder) {
        answer = WebAnswer.of(document(name, command, scenario, result, recorder));
    }

    /** Returns what answers, by path. */
    public Map<String, Page> pages() {
        return Map.of("/api/lab", _ -> answer);
    }

    private static Map<String, Object> document(
            String name, String command, Scenario scenario, RunResult result, RunRecorder recorder) {
        Map<String, Integer> nodes = new LinkedHashMap<>();
        for (Scenario.Group group : scenario.groups()) {
            for (int i = 1; i <= group.count(); i++) {
                nodes.put(group.name() + "-" + i, nodes.size());
            }
        }
        Texts texts = new Texts();
        texts.number("");
        List<Object> messages = recorder.messages().stream()
                .<Object>map(each -> message(each, recorder, texts))
                .toList();
        List<Object> calls =
                recorder.calls().stream().<Object>map(each -> call(each, texts)).toList();
        return new Doc()
                .put("name", name)
                .put("about", scenario.about())
                .put("command", command)
                .put("seed", String.valueOf(result.seed()))
                .put("end", result.virtualNanos())
                .put("nodes", List.copyOf(nodes.keySet()))
                .put("messages", messages)
                .put("calls", calls)
                .put(
                        "lines",
                        recorder.lines().stream().map(each -> line(each, nodes)).toList())
                .put("texts", texts.all())
                .put(
                        "violations",
                        result.violations().stream().map(RunPages::violation).toList())
                .put("skipped", recorder.skipped())
                .put("outcomes", outcomes(result))
                .map();
    }

    private static Map<String, Object> outcomes(RunResult result) {
        Doc doc = new Doc();
        for (Outcome each : Outcome.values()) {
            doc.put(text(each), result.outcomes().getOrDefault(each, 0L));
        }
        return doc.map();
    }

    private static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Returns start, end, lanes of both ends, type, call, bytes, attempt, what became of it, way, and why. */
    private static List<Object> message(Passage each, RunRecorder recorder, Texts texts) {
        String why = each.status() == 0 ? "" : Errno.describe(each.status()) + ", " + each.health();
        return List.of(
                each.start(),
                each.end(),
                each.from(),
                each.at() == Passage.NOBODY ? recorder.ownerOf(each.to()) : each.at(),
                texts.number(each.type().name()),
                each.id(),
                each.bytes(),
                each.attempt(),
                each.how().ordinal(),
                texts.number(each.by() + " -> " + each.to()),
                texts.number(why));
    }

    /** Returns number, start, end, lane, what, target, bytes and outcome; -1 for what is not there. */
    private static List<Object> call(RunRecorder.Recorded call, Texts texts) {
        Outcome outcome = call.outcome();
        return List.of(
                call.id(),
                call.start(),
                call.end(),
                call.from(),
                texts.number(call.kind().text()),
                texts.number(call.target().toString()),
                call.bytes(),
                outcome == null ? -1 : outcome.ordinal());
    }

    /** Returns time, lane or -1, kind and text. */
    private static List<Object> line(Journal.Line line, Map<String, Integer> nodes) {
        return List.of(line.time(), nodes.getOrDefault(line.node(), Passage.NOBODY), text(line.kind()), line.what());
    }

    private static Map<String, Object> violation(Violation each) {
        return new Doc()
                .put("at", each.timeNanos())
                .put("checker", each.checker())
                .put("text", each.text())
                .map();
    }
}
