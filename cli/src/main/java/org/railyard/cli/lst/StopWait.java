package org.railyard.cli.lst;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Waits until a batch that was told to stop has stopped: its units end with the call that they are in (spec 03 §4). */
final class StopWait {
    /**
     * How long at most, s. A call whose target does not answer, or whose messages were lost on their way, takes up to
     * {@code rpc_timeout}, which may be more.
     */
    static final int MOST_SECONDS = 30;

    private static final long SECOND = 1_000_000_000L;

    private final LstTool tool;
    private final String batch;
    private final IntFunction<List<NodeAnswer>> query;
    private final BooleanSupplier pause;
    private final LongSupplier clock;

    /**
     * Makes one.
     *
     * @param query asks the nodes whether they still run, and returns what they say within so many seconds
     * @param pause waits a second; false if somebody will not wait any longer
     * @param clock monotonic, ns
     */
    StopWait(
            LstTool tool,
            String batch,
            IntFunction<List<NodeAnswer>> query,
            BooleanSupplier pause,
            LongSupplier clock) {
        this.tool = tool;
        this.batch = batch;
        this.query = query;
        this.pause = pause;
        this.clock = clock;
    }

    /** Waits, and tells for what if that takes longer than a moment; returns the exit code. */
    int run() {
        PrintWriter out = tool.command().getOut();
        long begin = clock.getAsLong();
        for (int looks = 1; ; looks++) {
            long left = MOST_SECONDS - (clock.getAsLong() - begin) / SECOND;
            List<NodeAnswer> answers = query.apply((int) Math.max(LstCommand.LEAST_LIMIT, left));
            int exit = tool.told(answers);
            String busy = busy(answers);
            if (exit != LstTool.DONE) {
                return tool.complain(batch + " is told to stop, and not all nodes say whether it has"
                        + (busy.isEmpty() ? "" : "; there are still calls under way at " + busy));
            }
            if (busy.isEmpty()) {
                out.println(batch + " is stopped");
                return LstTool.DONE;
            }
            if (left <= 0) {
                return tool.complain(batch + " is told to stop, and after " + MOST_SECONDS + " s there are still calls"
                        + " under way at " + busy + ": they end when they are answered or their time limit"
                        + " (rpc_timeout) has passed, or with 'lst stop --force " + batch + "'");
            }
            if (looks == 2) {
                out.println(batch + " is told to stop; waiting for calls that are under way at " + busy + ", "
                        + MOST_SECONDS + " s at most");
                out.flush();
            }
            if (!pause.getAsBoolean()) {
                return tool.complain(
                        batch + " is told to stop and still runs; 'lst query " + batch + "' tells when it has stopped");
            }
        }
    }

    /** Returns the nodes that have units running. */
    private static String busy(List<NodeAnswer> answers) {
        return answers.stream()
                .filter(each -> each.number("active") > 0)
                .map(NodeAnswer::nid)
                .collect(Collectors.joining(", "));
    }
}
