package org.railyard.cli;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import java.util.stream.Stream;

/** One event, one line: date and time, level, class, message, cause. */
final class LogLine extends Formatter {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneId.systemDefault());

    @Override
    public String format(LogRecord event) {
        String name = event.getLoggerName() == null ? "" : event.getLoggerName();
        StringBuilder line = new StringBuilder(TIME.format(event.getInstant()))
                .append(' ')
                .append(event.getLevel().getName())
                .append(' ')
                .append(name, name.lastIndexOf('.') + 1, name.length())
                .append(": ")
                .append(message(event));
        if (event.getThrown() != null) {
            line.append(": ").append(event.getThrown());
        }
        return OneLine.of(line.toString()) + System.lineSeparator();
    }

    /** Returns the message with its numbers as they are typed: without separators that depend on the machine. */
    private String message(LogRecord event) {
        Object[] parameters = event.getParameters();
        if (parameters == null) {
            return formatMessage(event);
        }
        LogRecord plain = new LogRecord(event.getLevel(), event.getMessage());
        plain.setParameters(Stream.of(parameters)
                .map(each -> each instanceof Number ? each.toString() : each)
                .toArray());
        return formatMessage(plain);
    }
}
