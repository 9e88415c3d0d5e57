package org.railyard.cli.lst;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import picocli.CommandLine;

/** {@code lst stop} waits for calls that are under way, says so, and ends. */
final class StopWaitTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String A = "10.0.0.1@tcp";
    private static final String B = "10.0.0.2@tcp";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final LstTool tool = new LstTool(
            new CommandLine(new LstCommand()).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)),
            Map.of());
    private long now;

    private static NodeAnswer answer(String nid, long active) {
        return new NodeAnswer(Map.of("nid", nid, "state", "active", "errno", 0L, "active", active));
    }

    /** Waits while A has so many active tests as a function of the time says, s, and B none. */
    private int run(LongUnaryOperator active, long queryNanos) {
        return new StopWait(
                        tool,
                        "b1",
                        limit -> {
                            now += Math.min(queryNanos, limit * SECOND);
                            return List.of(answer(A, active.applyAsLong(now / SECOND)), answer(B, 0));
                        },
                        () -> {
                            now += SECOND;
                            return true;
                        },
                        () -> now)
                .run();
    }

    @Test
    void callsThatEndSoonAreNoNews() {
        assertThat(run(at -> at < 1 ? 1 : 0, 0)).isZero();
        assertThat(out).hasToString("b1 is stopped" + System.lineSeparator());
    }

    @Test
    void whatIsWaitedForIsToldOnce() {
        assertThat(run(at -> at < 9 ? 1 : 0, 0)).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        "b1 is told to stop; waiting for calls that are under way at " + A + ", 30 s at most",
                        "b1 is stopped");
    }

    /** However long each node takes to answer. */
    @Test
    void callsThatDoNotEndAreWaitedForWithinTheLimit() {
        for (long queryNanos : new long[] {0, 5 * SECOND, 100 * SECOND}) {
            now = 0;
            assertThat(run(_ -> 1, queryNanos)).isEqualTo(1);
            assertThat(now)
                    .isBetween(
                            StopWait.MOST_SECONDS * SECOND,
                            (StopWait.MOST_SECONDS + LstCommand.LEAST_LIMIT + 1) * SECOND);
            assertThat(err.toString()).contains("still calls under way at " + A + ":", "lst stop --force b1");
        }
    }

    @Test
    void aNodeThatDoesNotAnswerIsNotStopped() {
        NodeAnswer down = new NodeAnswer(Map.of("nid", A, "state", "down", "errno", (long) Errno.ETIMEDOUT.status()));
        assertThat(new StopWait(tool, "b1", _ -> List.of(down, answer(B, 0)), () -> true, () -> now).run())
                .isEqualTo(1);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains(A + ": ETIMEDOUT", "b1 is told to stop, and not all nodes say");
    }

    @Test
    void whoWillNotWaitIsTold() {
        assertThat(new StopWait(tool, "b1", _ -> List.of(answer(A, 1)), () -> false, () -> now).run())
                .isEqualTo(1);
        assertThat(err.toString()).contains("told to stop and still runs", "lst query b1");
    }
}
