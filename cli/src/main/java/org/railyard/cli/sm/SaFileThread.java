package org.railyard.cli.sm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.railyard.sm.sa.SaStore;

/**
 * A {@link SaFile} that is read and written in a thread of its own, so that a file system that hangs holds a subnet
 * manager up for a limited time only. At most one text waits to be written: the newest. Thread-safe.
 */
final class SaFileThread implements SaStore {
    /** How long whoever reads the file, or waits for what is written, does that. */
    static final Duration LIMIT = Duration.ofSeconds(5);

    private static final long IDLE_SECONDS = 1;

    private final SaFile kept;
    private final Executor thread;
    private final Duration limit;

    /** The newest text, until its turn comes; null if none waits. */
    private final AtomicReference<@Nullable Waiting> waiting = new AtomicReference<>();

    /** How often another master took over: what was begun before is not put in its place any more. */
    private final AtomicLong masters = new AtomicLong();

    private record Waiting(String text, CompletableFuture<Void> end, long masters) {}

    /**
     * Makes one.
     *
     * @param thread does what is to be done, one after the other
     * @param limit how long somebody waits for that
     */
    SaFileThread(SaFile kept, Executor thread, Duration limit) {
        this.kept = kept;
        this.thread = thread;
        this.limit = limit;
    }

    /** Returns what does one thing after the other, in a thread that does not keep the program from ending. */
    static Executor daemon() {
        ThreadPoolExecutor one = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name("sa-state").factory());
        one.allowCoreThreadTimeOut(true);
        return one;
    }

    @Override
    public String load() {
        return inTime(CompletableFuture.supplyAsync(kept::load, thread));
    }

    @Override
    public CompletableFuture<Void> save(String text) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        long now = masters.get();
        Waiting newest = Objects.requireNonNull(
                waiting.updateAndGet(before -> new Waiting(text, before == null ? end : before.end, now)));
        if (newest.end == end) {
            thread.execute(this::write);
        }
        return newest.end;
    }

    private void write() {
        Waiting now = waiting.getAndSet(null);
        if (now == null) {
            return;
        }
        try {
            if (kept.save(now.text, () -> now.masters == masters.get())) {
                now.end.complete(null);
            } else {
                now.end.cancel(false);
            }
        } catch (RuntimeException | Error e) {
            now.end.completeExceptionally(e);
        }
    }

    @Override
    public void await() {
        inTime(CompletableFuture.runAsync(() -> {}, thread));
    }

    @Override
    public void leave() {
        masters.incrementAndGet();
        Waiting dropped = waiting.getAndSet(null);
        if (dropped != null) {
            dropped.end.cancel(false);
        }
    }

    private <T extends @Nullable Object> T inTime(CompletableFuture<T> done) {
        try {
            return done.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException why ? why : new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            // Nobody needs it any more, should its turn come.
            done.cancel(false);
            throw tooLong(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw tooLong(e);
        }
    }

    private UncheckedIOException tooLong(Exception why) {
        String text =
                "%s: its file system has not answered within %d s; see to it".formatted(kept.file(), limit.toSeconds());
        return new UncheckedIOException(text, new IOException(text, why));
    }
}
