package org.railyard.cli.text;

import java.io.PrintWriter;
import java.util.function.LongSupplier;

/**
 * A line that shows how far a long command is, and from some seconds on how long it will take: rewritten in place on a
 * terminal, nothing elsewhere.
 */
public final class ProgressBar {
    private static final int WIDTH = 30;
    private static final String ERASE = "\r\u001b[K";
    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE = 60;
    private static final long HOUR = 3600;

    /** No estimate is made of less, s. */
    private static final long SOON = 3;

    private final PrintWriter out;
    private final long steps;
    private final String unit;
    private final boolean live;
    private final LongSupplier clock;
    private long firstNanos;
    private long firstCount = -1;

    /**
     * Makes one, of which nothing is seen if there is only one step.
     *
     * @param steps how many there will be
     * @param unit what they are, for example {@code seeds}
     */
    // The check believes that there is always a console; java.base's own is there only when a person is.
    @SuppressWarnings("SystemConsoleNull")
    public ProgressBar(PrintWriter out, long steps, String unit) {
        this(
                out,
                steps,
                unit,
                steps > 1 && System.console() != null && System.console().isTerminal(),
                System::nanoTime);
    }

    ProgressBar(PrintWriter out, long steps, String unit, boolean live, LongSupplier clock) {
        this.clock = clock;
        this.out = out;
        this.steps = steps;
        this.unit = unit;
        this.live = live;
    }

    /** Shows that so many steps are done; what the first call tells may have been done before. */
    public void done(long count) {
        if (live) {
            int full = (int) (WIDTH * count / steps);
            out.print("\r[" + "=".repeat(full) + " ".repeat(WIDTH - full) + "] " + count + " of " + steps + " " + unit
                    + estimate(count));
            out.flush();
        }
    }

    private String estimate(long count) {
        long now = clock.getAsLong();
        if (firstCount < 0) {
            firstCount = count;
            firstNanos = now;
        }
        long seconds = (now - firstNanos) / SECOND;
        if (seconds < SOON || count <= firstCount) {
            return "";
        }
        long left = (long) ((double) seconds / (count - firstCount) * (steps - count));
        String text = left < 2 * MINUTE ? left + " s" : left < 2 * HOUR ? left / MINUTE + " min" : left / HOUR + " h";
        // The end erases what a longer text left behind.
        return ", " + text + " left\u001b[K";
    }

    /** Erases the line, for other output or at the end. */
    public void clear() {
        if (live) {
            out.print(ERASE);
            out.flush();
        }
    }
}
