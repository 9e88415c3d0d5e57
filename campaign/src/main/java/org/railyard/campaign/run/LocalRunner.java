package org.railyard.campaign.run;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.railyard.campaign.plan.CampaignPlan;
import org.railyard.campaign.plan.CaseChunk;
import org.railyard.campaign.work.Work;

/** Runs chunks on threads of this process; each takes the next chunk when it is done with one. */
public final class LocalRunner implements ChunkRunner {
    /** Most threads. */
    public static final int MAX_THREADS = 1024;

    private final int threads;

    /**
     * Makes one.
     *
     * @param threads how many chunks are run at a time, 1 to {@value #MAX_THREADS}
     */
    public LocalRunner(int threads) {
        if (threads < 1 || threads > MAX_THREADS) {
            throw new IllegalArgumentException(threads + " threads, expected 1 to " + MAX_THREADS);
        }
        this.threads = threads;
    }

    @Override
    public void run(CampaignPlan plan, Work work, List<CaseChunk> chunks, ChunkSink sink) throws InterruptedException {
        int used = Math.min(threads, chunks.size());
        AtomicInteger next = new AtomicInteger();
        AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
        BooleanSupplier goesOn = () -> broken.get() == null;
        CountDownLatch done = new CountDownLatch(used);
        for (int i = 0; i < used; i++) {
            Thread.ofPlatform().name("campaign-" + i).daemon().start(() -> {
                try {
                    work(work, chunks, next, sink, goesOn);
                } catch (RuntimeException | Error e) {
                    broken.compareAndSet(null, e);
                } finally {
                    done.countDown();
                }
            });
        }
        try {
            done.await();
        } catch (InterruptedException e) {
            broken.compareAndSet(null, e);
            done.await();
            throw e;
        }
        switch (broken.get()) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Throwable e -> throw new IllegalStateException("the campaign broke off", e);
        }
    }

    private static void work(
            Work work, List<CaseChunk> chunks, AtomicInteger next, ChunkSink sink, BooleanSupplier goesOn) {
        Work.Worker worker = work.worker();
        for (int i = next.getAndIncrement(); i < chunks.size() && goesOn.getAsBoolean(); i = next.getAndIncrement()) {
            CaseChunk chunk = chunks.get(i);
            byte[] rows;
            try {
                rows = ChunkRun.run(worker, chunk, goesOn);
            } catch (ChunkException e) {
                if (goesOn.getAsBoolean()) {
                    sink.failed(chunk, String.valueOf(e.getMessage()));
                }
                // It may have stopped half-way through something.
                worker = work.worker();
                continue;
            }
            sink.finished(chunk, rows);
        }
    }
}
