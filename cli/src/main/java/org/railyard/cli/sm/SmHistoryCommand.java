package org.railyard.cli.sm;

import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    /** Keys of a sweep in the answer, in the order of the columns. */
    private static final List<String> COLUMNS = List.of(
            "number", "at", "result", "milliseconds", "mads", "written", "links_active", "links_not_active", "reason");

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
        TextColumns table = new TextColumns("sweep", "at", "result", "ms", "MADs", "written", "links", "not", "why");
        if (answer.get("sweeps") instanceof List<?> sweeps) {
            for (Object each : sweeps) {
                if (each instanceof Map<?, ?> sweep) {
                    table.add(COLUMNS.stream()
                            .map(key -> Objects.toString(sweep.get(key), ""))
                            .toArray());
                }
            }
        }
        table.lines().forEach(out()::println);
        out().flush();
    }
}
