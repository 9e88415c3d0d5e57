package org.railyard.cli.demo;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.LNet;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;

/**
 * The application of the demo: slots that do one transaction after the other. What LNet reports as failed or timed out
 * it repeats, as every user of LNet must: LNet can not know whether the target has processed a message whose answer is
 * missing. Runs in the threads that deliver events; its figures may be read from any thread.
 */
final class DemoClient {
    private static final int SMALL = 64;
    private static final long RETRY_NANOS = 50_000_000L;

    /** Where a slot goes on after a pause: a thread of real time, or a queue of events of virtual time. */
    interface Later {
        /** Runs a task once so many nanoseconds have gone by. */
        void after(long nanos, Runnable task);
    }

    private final LNet node;
    private final ProcessId target;
    private final Later later;
    private final long maxPauseNanos;
    private final AtomicLong transactions = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong repeats = new AtomicLong();
    private final AtomicLong timeOuts = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicInteger busy = new AtomicInteger();
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private volatile boolean stopped;

    /**
     * Makes a client without slots.
     *
     * @param later where slots wait
     * @param maxPauseNanos slots pause for a random time below this between transactions; 0 for none
     */
    DemoClient(LNet node, Nid target, Later later, long maxPauseNanos) {
        this.node = node;
        this.target = ProcessId.of(target);
        this.later = later;
        this.maxPauseNanos = maxPauseNanos;
    }

    /** Starts slots, numbered from 0. */
    void start(int slots, Arena arena) {
        busy.set(slots);
        for (int number = 0; number < slots; number++) {
            later.after(0, new Slot(number, arena.allocate(DemoTarget.BULK, 64))::next);
        }
    }

    /** One transaction at a time; each step of it happens before the next one. */
    private final class Slot {
        private final int number;
        private final MemorySegment whole;
        private final SplittableRandom random;
        private MemorySegment memory;
        private long transaction;
        private long failures;
        private int attempt;
        private boolean get;

        Slot(int number, MemorySegment whole) {
            this.number = number;
            this.whole = whole;
            this.memory = whole;
            this.random = new SplittableRandom(number);
        }

        /** Begins a transaction: half of them small PUTs, a quarter bulk PUTs, a quarter bulk GETs. */
        void next() {
            if (stopped) {
                if (busy.decrementAndGet() == 0) {
                    done.complete(null);
                }
                return;
            }
            int kind = random.nextInt(4);
            get = kind == 3;
            memory = whole.asSlice(0, kind < 2 ? SMALL : DemoTarget.BULK);
            transaction = numbers.incrementAndGet();
            attempt = 0;
            attempt();
        }

        private void attempt() {
            long stamp = transaction * Attempt.PER_TRANSACTION + attempt;
            DemoTarget.stamp(memory, (int) memory.byteSize(), get ? -1 : stamp);
            try {
                Attempt.begin(node, target, number, failures, memory, stamp, get, this::ended);
            } catch (ErrnoException e) {
                ended(e.errno().status());
            }
        }

        /** Gets the outcome of an attempt: 0 or a negative errno. */
        private void ended(int status) {
            int length = (int) memory.byteSize();
            if (status == 0) {
                transactions.incrementAndGet();
                bytes.addAndGet(length);
                if (get && !DemoTarget.isStamped(memory, length, number)) {
                    wrong.incrementAndGet();
                }
                later.after(maxPauseNanos == 0 ? 0 : random.nextLong(maxPauseNanos), this::next);
                return;
            }
            failures++;
            if (status == Errno.ETIMEDOUT.status()) {
                timeOuts.incrementAndGet();
            }
            if (++attempt < Attempt.MAX) {
                repeats.incrementAndGet();
                later.after(RETRY_NANOS, this::attempt);
            } else {
                lost.incrementAndGet();
                later.after(0, this::next);
            }
        }
    }

    /** Lets the slots end after their transaction; the result is there when all have. */
    CompletableFuture<Void> stop() {
        stopped = true;
        return done;
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
