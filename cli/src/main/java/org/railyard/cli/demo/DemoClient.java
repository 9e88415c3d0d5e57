package org.railyard.cli.demo;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.LNet;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;

/**
 * The application of the demo: slots that do one transaction after the other. What LNet reports as failed or timed out
 * it repeats, as every user of LNet must: LNet can not know whether the target has processed a message whose answer is
 * missing.
 */
final class DemoClient {
    private static final int SMALL = 64;
    private static final long PAUSE_MILLIS = 50;

    private final LNet node;
    private final ProcessId target;
    private final AtomicLong transactions = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong repeats = new AtomicLong();
    private final AtomicLong timeOuts = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicBoolean stop = new AtomicBoolean();

    /** Failures of each slot; one slot is one thread. */
    private final long[] failures;

    DemoClient(LNet node, Nid target, int slots) {
        this.node = node;
        this.failures = new long[slots];
        this.target = ProcessId.of(target);
    }

    /** Runs one slot until {@link #stop}: half small PUTs, a quarter bulk PUTs, a quarter bulk GETs. */
    void run(int slot) {
        SplittableRandom random = new SplittableRandom(slot);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(DemoTarget.BULK, 64);
            while (!stop.get()) {
                int kind = random.nextInt(4);
                boolean get = kind == 3;
                int length = kind < 2 ? SMALL : DemoTarget.BULK;
                transact(slot, memory.asSlice(0, length), get);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void transact(int slot, MemorySegment memory, boolean get) throws InterruptedException {
        long transaction = numbers.incrementAndGet();
        int length = (int) memory.byteSize();
        for (int attempt = 0; attempt < Attempt.MAX; attempt++) {
            if (attempt > 0) {
                repeats.incrementAndGet();
                Thread.sleep(PAUSE_MILLIS);
            }
            long number = transaction * Attempt.PER_TRANSACTION + attempt;
            DemoTarget.stamp(memory, length, get ? -1 : number);
            int status = once(slot, memory, number, get);
            if (status == 0) {
                if (get && !DemoTarget.isStamped(memory, length, slot)) {
                    wrong.incrementAndGet();
                }
                transactions.incrementAndGet();
                bytes.addAndGet(length);
                return;
            }
            failures[slot]++;
            if (status == Errno.ETIMEDOUT.status()) {
                timeOuts.incrementAndGet();
            }
        }
        lost.incrementAndGet();
    }

    /** Does a transaction once; returns 0 if the target confirmed it, otherwise a negative errno. */
    private int once(int slot, MemorySegment memory, long number, boolean get) {
        CompletableFuture<Integer> done = new CompletableFuture<>();
        try {
            Attempt.begin(node, target, slot, failures[slot], memory, number, get, done::complete);
            return done.join();
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ESHUTDOWN) {
                return e.errno().status();
            }
            throw e;
        }
    }

    /** Lets the slots end after their transaction. */
    void stop() {
        stop.set(true);
    }

    long transactions() {
        return transactions.get();
    }

    long bytes() {
        return bytes.get();
    }

    long repeats() {
        return repeats.get();
    }

    long timeOuts() {
        return timeOuts.get();
    }

    long lost() {
        return lost.get();
    }

    long wrong() {
        return wrong.get();
    }
}
