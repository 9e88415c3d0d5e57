package org.railyard.bench.compare;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs a round in a thread of its own, so that a contender that hangs costs the run a bounded time and not more. */
final class TimedRound {
    private final long limitNanos;
    private final long graceNanos;

    /**
     * Sets the bounds.
     *
     * @param limitNanos ns after which a round is called off by interrupting it
     * @param graceNanos ns it then has to tidy up before it is left behind
     */
    TimedRound(long limitNanos, long graceNanos) {
        this.limitNanos = limitNanos;
        this.graceNanos = graceNanos;
    }

    /** Returns the sample of a round, or throws with the reason why there is none. */
    Sample run(Contender contender, RoundSettings settings) throws IOException, InterruptedException {
        FutureTask<Sample> task = new FutureTask<>(() -> contender.run(settings));
        Thread thread =
                Thread.ofPlatform().daemon().name("bench " + contender.name()).start(task);
        try {
            return task.get(limitNanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new IOException("did not end within " + TimeUnit.NANOSECONDS.toMillis(limitNanos) + " ms", e);
        } catch (ExecutionException e) {
            throw failure(e.getCause() == null ? e : e.getCause());
        } finally {
            if (task.cancel(true)) {
                TimeUnit.NANOSECONDS.timedJoin(thread, graceNanos);
            }
        }
    }

    private static IOException failure(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        String text =
                cause instanceof IOException && cause.getMessage() != null ? cause.getMessage() : cause.toString();
        return new IOException(text, cause);
    }
}
