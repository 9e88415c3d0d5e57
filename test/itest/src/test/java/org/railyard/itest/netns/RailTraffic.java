package org.railyard.itest.netns;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.railyard.base.Errno;
import org.railyard.itest.kit.Await;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;

/**
 * An application that does bulk PUTs with ACK and GETs, eight at a time, and keeps the books on how each of them ends.
 * Repeats nothing.
 */
final class RailTraffic {
    /** After a failure that came at once, the next one would too. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** As many transactions as the processors can do would only take them away from other tests. */
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(40);

    private final LNet node;
    private final ProcessId target;
    private final int bytes;
    private final long lateNanos;
    private final AtomicBoolean running = new AtomicBoolean(true);
    private final List<Thread> workers = new ArrayList<>();
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong timedOut = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private final AtomicLong late = new AtomicLong();
    private final AtomicLong unclear = new AtomicLong();
    private final AtomicLong lastDone = new AtomicLong();
    private final AtomicLong longestGap = new AtomicLong();

    /** Makes an application whose transactions have so many bytes. */
    RailTraffic(LNet node, Nid target, int bytes) {
        this.bytes = bytes;
        this.lateNanos = TimeUnit.SECONDS.toNanos(2L * node.settings().get(Tunable.TRANSACTION_TIMEOUT));
        this.node = node;
        this.target = ProcessId.of(target);
    }

    /** What became of one transaction; events come on any thread. */
    private final class Course {
        private final CountDownLatch ended = new CountDownLatch(1);
        private final AtomicInteger afterTheEnd = new AtomicInteger();
        private volatile int status = 1;

        void onEvent(Event event) {
            if (ended.getCount() == 0) {
                afterTheEnd.incrementAndGet();
                return;
            }
            boolean answer = event.kind() == EventKind.ACK || event.kind() == EventKind.REPLY;
            if (answer || event.status() < 0) {
                status = status == 1 ? event.status() : status;
            }
            if (event.unlinked()) {
                ended.countDown();
            } else if (event.kind() == EventKind.SEND && event.status() < 0) {
                event.md().unlink();
            }
        }

        /** Tells how it ended: 0 or a negative errno. */
        int await() {
            try {
                long start = System.nanoTime();
                ended.await();
                if (System.nanoTime() - start > lateNanos) {
                    late.incrementAndGet();
                }
            } catch (InterruptedException e) {
                throw Await.interrupted(e);
            }
            if (status > 0 || afterTheEnd.get() > 0) {
                unclear.incrementAndGet();
            }
            return status;
        }
    }

    /** Starts all slots: even ones write, odd ones read. */
    void start() {
        lastDone.set(System.nanoTime());
        for (int slot = 0; slot < RailTarget.SLOTS; slot++) {
            int number = slot;
            workers.add(Thread.ofPlatform().start(() -> work(number)));
        }
    }

    private void work(int slot) {
        try (Arena arena = Arena.ofShared()) {
            SinkChoice sinks = new SinkChoice(node);
            MemorySegment memory = arena.allocate(bytes, 64);
            for (int count = 1; running.get(); count++) {
                boolean write = slot % 2 == 0;
                int status = write ? put(memory, slot, sinks.next(), count) : get(memory, slot);
                if (status == 0) {
                    noteDone();
                    LockSupport.parkNanos(REST_NANOS);
                } else {
                    sinks.failed();
                    if (status == Errno.ETIMEDOUT.status()) {
                        timedOut.incrementAndGet();
                        // A transport may be slow to let go of the memory of what LNet has given up.
                        memory = arena.allocate(bytes, 64);
                    } else {
                        failed.incrementAndGet();
                        LockSupport.parkNanos(PAUSE_NANOS);
                    }
                }
            }
        }
    }

    private void noteDone() {
        long now = System.nanoTime();
        long gap = now - lastDone.getAndSet(now);
        longestGap.accumulateAndGet(gap, Math::max);
        done.incrementAndGet();
    }

    private int put(MemorySegment memory, int slot, long sink, int count) {
        long number = RailTarget.number(slot, count);
        Pattern.fill(memory, bytes, number);
        Course course = new Course();
        Md md = bind(memory, course);
        node.put(md, true, Nid.ANY, target, RailTarget.PORTAL, RailTarget.putBits(slot, sink), 0, number);
        return course.await();
    }

    private int get(MemorySegment memory, int slot) {
        memory.fill((byte) 0);
        Course course = new Course();
        Md md = bind(memory, course);
        node.get(md, Nid.ANY, target, RailTarget.PORTAL, RailTarget.getBits(slot), 0);
        int status = course.await();
        if (status == 0 && !Pattern.isIn(memory, bytes, RailTarget.getBits(slot))) {
            wrong.incrementAndGet();
        }
        return status;
    }

    private Md bind(MemorySegment memory, Course course) {
        return node.bind(MdConfig.of(memory).withThreshold(2).withAutoUnlink().withHandler(course::onEvent));
    }

    /** Forgets how long nothing was done so far. */
    void mark() {
        longestGap.set(0);
    }

    void stop() {
        running.set(false);
        for (Thread worker : workers) {
            try {
                worker.join();
            } catch (InterruptedException e) {
                throw Await.interrupted(e);
            }
        }
    }

    @Override
    public String toString() {
        return "done " + done + " failed " + failed + " timed-out " + timedOut + " wrong " + wrong + " late " + late
                + " unclear " + unclear + " gap-ms " + TimeUnit.NANOSECONDS.toMillis(longestGap.get());
    }
}
