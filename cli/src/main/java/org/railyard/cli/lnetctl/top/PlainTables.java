package org.railyard.cli.lnetctl.top;

import java.io.PrintWriter;
import java.time.Duration;
import org.railyard.control.figures.Reading;

/** Figures as plain text, table after table, for files and pipes. */
public final class PlainTables {
    /** Widest table that can be. */
    private static final int WIDTH = 160;

    /** Lets time pass. */
    @FunctionalInterface
    public interface Pause {
        /** Returns after a while. */
        void rest(Duration time) throws InterruptedException;
    }

    private PlainTables() {}

    /**
     * Prints tables. Each needs the time of an interval, to have rates.
     *
     * @param iterations how many, 1 or more
     * @param sort what rows are sorted by, one of {@link LiveScreen#sortings}
     * @throws UnavailableException if the node has no figures, or does not answer
     */
    public static void run(
            NodeSource node, Duration interval, int iterations, String sort, PrintWriter out, Pause pause)
            throws UnavailableException, InterruptedException {
        View view = View.of(Order.named(sort).orElseThrow());
        Reading before = Reading.of(node.sample());
        for (int i = 1; i <= iterations; i++) {
            pause.rest(interval);
            Reading now = Reading.of(node.sample());
            String title = "lnetctl top  " + i + " of " + iterations + "  " + (now.nanos() - before.nanos()) / 1_000_000
                    + " ms";
            for (Drawn line : Screen.whole(NodeFigures.of(before, now), view, title, WIDTH)) {
                out.println(line.text().stripTrailing());
            }
            if (i < iterations) {
                out.println();
            }
            out.flush();
            before = now;
        }
    }
}
