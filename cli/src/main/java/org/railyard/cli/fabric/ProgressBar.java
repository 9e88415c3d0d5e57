package org.railyard.cli.fabric;

import java.io.PrintWriter;

/** A line that shows how far a long command is: rewritten in place on a terminal, nothing elsewhere. */
final class ProgressBar {
    private static final int WIDTH = 30;

    private final PrintWriter err;
    private final int steps;
    private final boolean live;
    private int shown = -1;

    // The check believes that there is always a console; java.base's own is there only when a person is.
    @SuppressWarnings("SystemConsoleNull")
    ProgressBar(PrintWriter err, int steps) {
        this(
                err,
                steps,
                steps > 1 && System.console() != null && System.console().isTerminal());
    }

    ProgressBar(PrintWriter err, int steps, boolean live) {
        this.err = err;
        this.steps = steps;
        this.live = live;
    }

    /** Shows that so many steps are done; draws only when something changes. */
    void done(int count) {
        int percent = (int) (100L * count / steps);
        if (live && percent != shown) {
            shown = percent;
            int full = percent * WIDTH / 100;
            err.print("\r[" + "=".repeat(full) + " ".repeat(WIDTH - full) + "] " + count + " of " + steps);
            err.flush();
        }
    }

    /** Wipes the line away. */
    void end() {
        if (live) {
            err.print("\r" + " ".repeat(WIDTH + 30) + "\r");
            err.flush();
        }
    }
}
