package org.railyard.sm.program;

import java.util.List;
import java.util.function.Consumer;

/** Carries phases out, one after the other, or pretends to. */
public interface Executor {
    /**
     * Runs phases.
     *
     * @param done is told once, maybe within the call
     */
    void run(List<Phase> phases, Consumer<Result> done);

    /** Returns whether runs are not carried out: nodes then do not become what is noted of them. */
    boolean isDry();

    /**
     * How it ended.
     *
     * @param figures what was sent, by phase; phases without anything to send are left out
     * @param problems Sets that failed, a line for each node, attribute and reason, at most {@link #MAX_PROBLEMS}
     * @param complete whether all was done
     * @param stopped whether phases were left out: a strict one failed, or nothing can be sent any more
     */
    record Result(List<Figures> figures, List<String> problems, boolean complete, boolean stopped) {
        /** Copies the lists. */
        public Result {
            figures = List.copyOf(figures);
            problems = List.copyOf(problems);
        }
    }

    /** Most lines about Sets that failed in a run; others only count as failed. */
    int MAX_PROBLEMS = 100;

    /**
     * One phase.
     *
     * @param name what was written
     * @param why the reason
     * @param sets how many Sets were sent
     * @param failed how many of them were refused or not answered, or left out because their node gives no answers
     * @param nodes how many nodes they went to
     */
    record Figures(String name, String why, long sets, long failed, long nodes) {}
}
