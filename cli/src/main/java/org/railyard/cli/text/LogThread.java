package org.railyard.cli.text;

import java.io.PrintStream;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The log of a service, written by a {@link TextThread}: whoever logs never waits for who reads. Thread-safe. */
public final class LogThread extends Handler {
    private final TextThread thread;

    /**
     * Starts the thread.
     *
     * @param out where the log goes
     * @param formatter makes a line of an event, its end included
     */
    LogThread(PrintStream out, Formatter formatter) {
        setFormatter(formatter);
        setLevel(Level.ALL);
        thread = new TextThread(
                "log",
                line -> {
                    out.print(line);
                    out.flush();
                },
                lines -> formatter.format(leftOut(lines)));
    }

    /** From now on what would go to the console is written by such a thread, in the same form. */
    public static void takeOver() {
        Logger everybody = Logger.getLogger("");
        for (Handler each : everybody.getHandlers()) {
            if (each instanceof ConsoleHandler) {
                everybody.removeHandler(each);
                everybody.addHandler(new LogThread(System.err, each.getFormatter()));
            }
        }
    }

    private static LogRecord leftOut(long lines) {
        LogRecord event = new LogRecord(
                Level.WARNING, lines + " lines of the log are left out here: nobody read standard error for a while");
        event.setLoggerName("log");
        return event;
    }

    @Override
    public void publish(@Nullable LogRecord event) {
        if (isLoggable(event)) {
            // Here, because what it speaks of may change.
            thread.add(getFormatter().format(event));
        }
    }

    /** Does nothing: who logs does not wait. */
    @Override
    public void flush() {}

    @Override
    public void close() {
        thread.close();
    }
}
