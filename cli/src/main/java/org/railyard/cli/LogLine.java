package org.railyard.cli;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** One event, one line: time, level, class, message, cause. */
final class LogLine extends Formatter {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneId.systemDefault());

    @Override
    public String format(LogRecord event) {
        String name = event.getLoggerName() == null ? "" : event.getLoggerName();
        StringBuilder line = new StringBuilder(TIME.format(event.getInstant()))
                .append(' ')
                .append(event.getLevel().getName())
                .append(' ')
                .append(name, name.lastIndexOf('.') + 1, name.length())
                .append(": ")
                .append(formatMessage(event));
        if (event.getThrown() != null) {
            line.append(": ").append(event.getThrown());
        }
        return OneLine.of(line.toString()) + System.lineSeparator();
    }
}
