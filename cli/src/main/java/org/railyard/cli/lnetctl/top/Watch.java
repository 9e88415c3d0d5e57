package org.railyard.cli.lnetctl.top;

import org.jspecify.annotations.Nullable;
import org.railyard.control.figures.Reading;

/** Keeps the last two readings, and since when there are none. Times are monotonic, ns. Not thread-safe. */
final class Watch {
    private static final long SECOND = 1_000_000_000L;

    private @Nullable Reading before;
    private @Nullable Reading now;
    private String refusal = "";
    private boolean answers = true;
    private long lastAnswer;

    /** Begins to watch. */
    Watch(long at) {
        lastAnswer = at;
    }

    /** The node answered. */
    void read(Reading reading, long at) {
        before = now;
        now = reading;
        refusal = "";
        answers = true;
        lastAnswer = at;
    }

    /** The node did not answer, or refused. */
    void failed(UnavailableException why, long at) {
        answers = why.hasAnswered();
        if (answers) {
            refusal = String.valueOf(why.getMessage());
            lastAnswer = at;
        }
    }

    /** Returns what is known; nothing if there never was an answer. */
    @Nullable
    NodeFigures figures() {
        Reading latest = now;
        return latest == null ? null : NodeFigures.of(before, latest);
    }

    /**
     * Returns why the figures are old; empty if they are not.
     *
     * @param at the time
     * @param patience how long an answer may take, ns
     */
    String trouble(long at, long patience) {
        if (!refusal.isEmpty() && answers) {
            return refusal;
        }
        long silent = at - lastAnswer;
        return answers && silent <= patience
                ? ""
                : "lnetd does not answer since " + silent / SECOND + " s; the figures are from before";
    }
}
