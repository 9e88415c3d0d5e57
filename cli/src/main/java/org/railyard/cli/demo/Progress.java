package org.railyard.cli.demo;

import java.io.PrintWriter;
import java.util.Locale;

/** The line that shows how the demo goes: rewritten in place on a terminal, one line per phase elsewhere. */
final class Progress {
    private final PrintWriter out;
    private final DemoClient client;
    private final boolean live;
    private String phase = "";
    private long phaseStart;
    private long phaseTransactions;
    private long phaseBytes;

    // The check believes that there is always a console; java.base's own is there only when a person is.
    @SuppressWarnings("SystemConsoleNull")
    Progress(PrintWriter out, DemoClient client) {
        this.out = out;
        this.client = client;
        this.live = System.console() != null && System.console().isTerminal();
    }

    /** Begins a phase. */
    void phase(String name) {
        end();
        phase = name;
        phaseStart = System.nanoTime();
        phaseTransactions = client.transactions();
        phaseBytes = client.bytes();
    }

    /** Shows how it goes, on a terminal. */
    void tick() {
        if (live) {
            out.print("\r" + line() + "   ");
            out.flush();
        }
    }

    /** Ends the phase and leaves its line on the screen. */
    void end() {
        if (!phase.isEmpty()) {
            out.println((live ? "\r" : "") + line() + (live ? "   " : ""));
            out.flush();
            phase = "";
        }
    }

    private String line() {
        double seconds = Math.max(1e-9, (System.nanoTime() - phaseStart) / 1e9);
        return String.format(
                Locale.ROOT,
                "%-11s %5.1f s  %8d transactions  %6.2f GB/s  %d repeated, %d lost so far",
                phase,
                seconds,
                client.transactions() - phaseTransactions,
                (client.bytes() - phaseBytes) / 1e9 / seconds,
                client.repeats(),
                client.lost());
    }
}
