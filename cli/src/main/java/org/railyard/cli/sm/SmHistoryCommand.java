package org.railyard.cli.sm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.railyard.base.text.TextColumns;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code railyard sm history}. */
@Command(
        name = "history",
        description = {"List the last heavy sweeps of the running subnet manager.", "When, why, and what was written."},
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:done", "1:no subnet manager answers, or it refuses", "2:the command line is wrong"})
final class SmHistoryCommand extends SmClientCommand {
    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "20",
            description = "Most sweeps, the last ones, 1 to 256. Default: ${DEFAULT-VALUE}.")
    private int count;

    SmHistoryCommand() {}

    @Override
    void run() {
        if (count < 1 || count > SweepLog.MAX_SWEEPS) {
            throw new ParameterException(
                    spec().commandLine(), "--count %d: expected 1 to %d".formatted(count, SweepLog.MAX_SWEEPS));
        }
        Map<String, Object> answer = ask("history", Map.of("count", (long) count));
        if (isJson()) {
            print(answer);
            return;
        }
        List<Map<?, ?>> sweeps = sweeps(answer);
        // Who only watches has written nothing.
        boolean onlyReads = sweeps.stream().anyMatch(sweep -> sweep.containsKey(SmControl.WOULD_WRITE));
        TextColumns table = new TextColumns(
                "sweep", "at", "result", "ms", "MADs", onlyReads ? "would write" : "written", "links", "not", "why");
        for (Map<?, ?> sweep : sweeps) {
            table.add(Stream.of(
                            "number",
                            "at",
                            "result",
                            "milliseconds",
                            "mads",
                            onlyReads ? SmControl.WOULD_WRITE : "written",
                            "links_active",
                            "links_not_active",
                            "reason")
                    .map(key -> Objects.toString(sweep.get(key), ""))
                    .toArray());
        }
        table.lines().forEach(out()::println);
        out().flush();
    }

    private static List<Map<?, ?>> sweeps(Map<String, Object> answer) {
        List<Map<?, ?>> sweeps = new ArrayList<>();
        if (answer.get("sweeps") instanceof List<?> all) {
            for (Object each : all) {
                if (each instanceof Map<?, ?> sweep) {
                    sweeps.add(sweep);
                }
            }
        }
        return sweeps;
    }
}
