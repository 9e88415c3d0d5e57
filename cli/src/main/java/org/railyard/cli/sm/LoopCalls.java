package org.railyard.cli.sm;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/** What somebody who waits for it has the loop of a subnet manager do. Thread-safe. */
final class LoopCalls {
    private final Executor loop;
    private final Duration patience;

    /**
     * Makes it.
     *
     * @param loop runs tasks in the loop, one after the other
     * @param patience how long a task may wait until the loop begins it
     */
    LoopCalls(Executor loop, Duration patience) {
        this.loop = loop;
        this.patience = patience;
    }

    /**
     * Does a task in the loop, or not at all: whoever is told to try again has changed nothing.
     *
     * @throws ErrnoException EBUSY if the loop does not come to it in time, ESHUTDOWN if the caller is interrupted
     */
    <T> T run(Supplier<T> task) {
        CompletableFuture<T> done = new CompletableFuture<>();
        AtomicBoolean isTaken = new AtomicBoolean();
        try {
            loop.execute(() -> {
                if (isTaken.compareAndSet(false, true)) {
                    complete(done, task);
                }
            });
            if (!isInTime(done) && isTaken.compareAndSet(false, true)) {
                throw new ErrnoException(
                        Errno.EBUSY, "it is busy, it routes and proves or it is ending; try again in a while");
            }
            return done.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException why ? why : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            // Nobody waits for it any more; what has begun ends.
            isTaken.set(true);
            Thread.currentThread().interrupt();
            throw new ErrnoException(Errno.ESHUTDOWN, "the subnet manager ends", e);
        }
    }

    private static <T> void complete(CompletableFuture<T> done, Supplier<T> task) {
        try {
            done.complete(task.get());
        } catch (RuntimeException e) {
            done.completeExceptionally(e);
        } catch (Error e) {
            // Nobody waits for what has no end; the loop has to hear of it, too.
            done.completeExceptionally(e);
            throw e;
        }
    }

    private boolean isInTime(CompletableFuture<?> done) throws ExecutionException, InterruptedException {
        try {
            done.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException _) {
            return false;
        }
    }
}
