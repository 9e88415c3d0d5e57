package org.railyard.cli.sm;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.JsonText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code railyard sm monitor}. */
@Command(
        name = "monitor",
        description = {"Print what the running subnet manager does as it happens.", "Until Ctrl-C or its end."},
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:done", "1:no subnet manager answers, or it refuses", "2:the command line is wrong"})
final class SmMonitorCommand extends SmClientCommand {
    private static final long WAIT_MILLIS = 10_000;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "0",
            description = "End after so many events; 0: never. Default: ${DEFAULT-VALUE}.")
    private long count;

    @Option(names = "--all", description = "Begin with the events that are kept, not with the next one.")
    private boolean all;

    SmMonitorCommand() {}

    @Override
    void run() {
        if (count < 0) {
            throw new ParameterException(spec().commandLine(), "--count " + count + ": expected 0 or more");
        }
        long last =
                all ? 0 : number(ask("events", Map.of("after", Long.MAX_VALUE)).get("newest"));
        for (long told = 0; count == 0 || told < count; ) {
            Map<String, Object> answer = ask("events", Map.of("after", last, "wait", WAIT_MILLIS));
            if (answer.get("events") instanceof List<?> events) {
                for (Object each : events) {
                    if (each instanceof Map<?, ?> event && (count == 0 || told < count)) {
                        out().println(isJson() ? JsonText.of(event) : event.get("at") + " " + event.get("text"));
                        told++;
                    }
                }
            }
            last = number(answer.get("last"));
            out().flush();
        }
    }

    private static long number(@Nullable Object value) {
        return value instanceof Number number ? number.longValue() : 0;
    }
}
