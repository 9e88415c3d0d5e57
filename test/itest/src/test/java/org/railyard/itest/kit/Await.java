package org.railyard.itest.kit;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what is expected, and says what it was if it does not come. */
public final class Await {
    /** How long to wait for what should happen at once, even on a busy machine. */
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private static final long LOOK_NANOS = 5_000_000L;

    private Await() {}

    /** Waits until a condition holds. */
    public static void until(String what, BooleanSupplier condition) {
        until(() -> what, condition);
    }

    /**
     * Waits until a condition holds.
     *
     * @param what says, when the time is over, what was waited for and how things stand
     */
    public static void until(Supplier<String> what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("waited " + LIMIT.toSeconds() + " s in vain for: " + what.get());
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /**
     * Waits for the value of a stage.
     *
     * @throws CompletionException if the stage fails, with its cause
     */
    public static <T> T value(CompletionStage<T> stage) {
        return value("a result", stage);
    }

    /** Waits for the value of a stage that has a name. */
    public static <T> T value(String what, CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("waited " + LIMIT.toSeconds() + " s in vain for: " + what, e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Turns an interrupt, which no test expects, into a failure. */
    public static AssertionError interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new AssertionError("interrupted", e);
    }
}
