package org.railyard.cli.text;

import java.io.PrintWriter;

/** A line that shows how far a long command is: rewritten in place on a terminal, nothing elsewhere. */
public final class ProgressBar {
    private static final int WIDTH = 30;
    private static final String ERASE = "\r\u001b[K";

    private final PrintWriter out;
    private final long steps;
    private final String unit;
    private final boolean live;

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
                steps > 1 && System.console() != null && System.console().isTerminal());
    }

    ProgressBar(PrintWriter out, long steps, String unit, boolean live) {
        this.out = out;
        this.steps = steps;
        this.unit = unit;
        this.live = live;
    }

    /** Shows that so many steps are done. */
    public void done(long count) {
        if (live) {
            int full = (int) (WIDTH * count / steps);
            out.print("\r[" + "=".repeat(full) + " ".repeat(WIDTH - full) + "] " + count + " of " + steps + " " + unit);
            out.flush();
        }
    }

    /** Erases the line, for other output or at the end. */
    public void clear() {
        if (live) {
            out.print(ERASE);
            out.flush();
        }
    }
}
