package org.railyard.cli.lab;

import java.io.PrintWriter;

/** Shows on a terminal how many runs are done, in one line that is rewritten; shows nothing elsewhere. */
final class ProgressBar {
    private static final int WIDTH = 40;
    private static final String ERASE = "\r\u001b[K";

    private final PrintWriter out;
    private final long total;
    private final boolean live;
    private long done;

    // The check believes that there is always a console; java.base's own is there only when a person is.
    @SuppressWarnings("SystemConsoleNull")
    ProgressBar(PrintWriter out, long total) {
        this(out, total, System.console() != null && System.console().isTerminal());
    }

    ProgressBar(PrintWriter out, long total, boolean live) {
        this.out = out;
        this.total = total;
        this.live = live;
    }

    /** One more run is done. */
    void step() {
        done++;
        if (live) {
            int full = (int) (WIDTH * done / total);
            out.print("[" + "#".repeat(full) + ".".repeat(WIDTH - full) + "] " + done + " of " + total + " seeds");
            out.flush();
        }
    }

    /** Makes room for other output. */
    void clear() {
        if (live) {
            out.print(ERASE);
            out.flush();
        }
    }
}
