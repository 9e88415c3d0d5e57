package org.railyard.cli.text;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The log of a service, written by a thread of its own: whoever logs never waits for who reads, such as a terminal that
 * was stopped or a program behind a pipe that stands still. Lines that find no room are counted, and their number is
 * told when there is room again. Thread-safe.
 */
public final class LogThread extends Handler {
    /** Most lines that wait to be written. */
    static final int MAX_LINES = 1024;

    private static final long LAST_LINES_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PrintStream out;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Queue<String> lines = new ArrayDeque<>();

    @GuardedBy("lock")
    private long lost;

    @GuardedBy("lock")
    private boolean writing;

    /**
     * Starts the thread.
     *
     * @param out where the log goes
     * @param formatter makes a line of an event, its end included
     */
    LogThread(PrintStream out, Formatter formatter) {
        this.out = out;
        setFormatter(formatter);
        setLevel(Level.ALL);
        Thread thread = new Thread(this::write, "log");
        thread.setDaemon(true);
        thread.start();
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

    @Override
    public void publish(@Nullable LogRecord event) {
        if (!isLoggable(event)) {
            return;
        }
        // Here, because what it speaks of may change.
        String line = getFormatter().format(event);
        synchronized (lock) {
            if (lines.size() >= MAX_LINES) {
                lost++;
                return;
            }
            lines.add(line);
            lock.notifyAll();
        }
    }

    private void write() {
        try {
            while (true) {
                out.print(next());
                out.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the next line, or, behind the last one that found room, how many did not. */
    private String next() throws InterruptedException {
        synchronized (lock) {
            writing = false;
            lock.notifyAll();
            while (lines.isEmpty() && lost == 0) {
                lock.wait();
            }
            writing = true;
            String line = lines.poll();
            if (line == null) {
                line = getFormatter().format(leftOut(lost));
                lost = 0;
            }
            return line;
        }
    }

    private static LogRecord leftOut(long lines) {
        LogRecord event = new LogRecord(
                Level.WARNING, lines + " lines of the log are left out here: nobody read standard error for a while");
        event.setLoggerName("log");
        return event;
    }

    /** Does nothing: who logs does not wait. */
    @Override
    public void flush() {}

    /** Gives the lines that wait a second. */
    @Override
    public void close() {
        long end = System.nanoTime() + LAST_LINES_NANOS;
        synchronized (lock) {
            try {
                for (long left = LAST_LINES_NANOS; left > 0 && (writing || lost > 0 || !lines.isEmpty()); ) {
                    TimeUnit.NANOSECONDS.timedWait(lock, left);
                    left = end - System.nanoTime();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
