package org.railyard.cli.demo;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.railyard.lnet.Errno;
import org.railyard.lnet.EventKind;
import org.railyard.lnet.LNet;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.Md;
import org.railyard.lnet.MdConfig;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;

/**
 * The application of the demo: slots that do one transaction after the other. What LNet reports as failed or timed out it repeats, as every user of
 * LNet must: LNet can not know whether the target has processed a message whose answer is missing.
 */
final class DemoClient {
    private static final int SMALL = 64;
    private static final int MAX_TRIES = 20;
    private static final long PAUSE_MILLIS = 50;

    private final LNet node;
    private final ProcessId target;
    private final AtomicLong transactions = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong repeats = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicBoolean stop = new AtomicBoolean();

    DemoClient(LNet node, Nid target) {
        this.node = node;
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
        long number = get ? slot : numbers.incrementAndGet();
        int length = (int) memory.byteSize();
        DemoTarget.stamp(memory, length, get ? -1 : number);
        for (int attempt = 0; attempt < MAX_TRIES; attempt++) {
            if (attempt > 0) {
                repeats.incrementAndGet();
                Thread.sleep(PAUSE_MILLIS);
            }
            if (once(slot, memory, number, get)) {
                if (get && !DemoTarget.isStamped(memory, length, number)) {
                    wrong.incrementAndGet();
                }
                transactions.incrementAndGet();
                bytes.addAndGet(length);
                return;
            }
        }
        lost.incrementAndGet();
    }

    /** Does a transaction once; returns whether the target confirmed it. */
    private boolean once(int slot, MemorySegment memory, long number, boolean get) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        EventKind last = get ? EventKind.REPLY : EventKind.ACK;
        Md md = node.bind(MdConfig.of(memory).withThreshold(2).withAutoUnlink().withHandler(event -> {
            if (event.unlinked()) {
                // The last event: nothing touches the memory any more.
                done.complete(event.status() == 0 && event.kind() != EventKind.UNLINK);
            } else if (event.status() < 0 && event.kind() == EventKind.SEND) {
                event.md().unlink();
            }
        }));
        try {
            if (get) {
                node.get(md, Nid.ANY, target, DemoTarget.PORTAL, DemoTarget.getBits(slot), 0);
            } else {
                node.put(md, true, Nid.ANY, target, DemoTarget.PORTAL, DemoTarget.putBits(slot), 0, number);
            }
            return done.join();
        } catch (CompletionException e) {
            throw new IllegalStateException("a " + last + " that can not fail has failed", e);
        } catch (LNetException e) {
            if (e.errno() == Errno.ESHUTDOWN) {
                return false;
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

    long lost() {
        return lost.get();
    }

    long wrong() {
        return wrong.get();
    }
}
