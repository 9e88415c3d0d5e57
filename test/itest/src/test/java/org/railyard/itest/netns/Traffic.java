package org.railyard.itest.netns;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.railyard.base.ErrnoException;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;

/** Writes to and reads from another node's {@link Target}, one thing at a time per slot; what fails is done again. */
final class Traffic {
    /** As many transfers as the processors can do would only take them away from other tests. */
    private static final long REST_NANOS = 1_000_000;

    private final LNet node;
    private final ProcessId target;
    private final AtomicBoolean running = new AtomicBoolean(true);
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong repeated = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private final AtomicLong number = new AtomicLong();

    Traffic(LNet node, Nid target) {
        this.node = node;
        this.target = ProcessId.of(target);
    }

    /** Works on one slot until a number of transfers is done or it is stopped. */
    void work(int slot, int bytes, long transfers) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(Wire.MTU, 64);
            SinkChoice sinks = new SinkChoice(node);
            for (long i = 0; i < transfers && running.get(); i++) {
                boolean write = (i & 1) == 0;
                while (running.get() && !(write ? put(memory, slot, sinks.next(), bytes) : get(memory, slot, bytes))) {
                    repeated.incrementAndGet();
                    sinks.failed();
                }
                done.incrementAndGet();
                LockSupport.parkNanos(REST_NANOS);
            }
        }
    }

    private boolean put(MemorySegment memory, int slot, long sink, int bytes) {
        long transfer = number.incrementAndGet();
        Pattern.fill(memory, bytes, transfer);
        CompletableFuture<Integer> stored = new CompletableFuture<>();
        Md md = node.bind(MdConfig.of(memory.asSlice(0, bytes))
                .withThreshold(2)
                .withAutoUnlink()
                .withOptions(MdOption.TRACK_RESPONSE)
                .withHandler(event -> settle(event, stored)));
        try {
            node.put(md, true, Nid.ANY, target, Target.PORTAL, Target.putBits(slot, sink), 0, transfer);
        } catch (ErrnoException e) {
            md.unlink();
            return false;
        }
        return isDone(stored, bytes);
    }

    private static void settle(Event event, CompletableFuture<Integer> stored) {
        if (event.status() < 0) {
            stored.complete(event.status());
            if (event.kind() == EventKind.SEND && !event.unlinked()) {
                event.md().unlink();
            }
        } else if (event.kind() == EventKind.ACK) {
            stored.complete(event.mlength());
        }
    }

    private boolean get(MemorySegment memory, int slot, int bytes) {
        memory.fill((byte) 0);
        CompletionStage<Integer> arrived = node.get(
                        target, Target.PORTAL, Target.getBits(slot), memory.asSlice(0, bytes))
                .thenApply(result -> result.mlength());
        if (!isDone(arrived, bytes)) {
            return false;
        }
        if (!Pattern.isIn(memory, bytes, Target.getBits(slot))) {
            wrong.incrementAndGet();
        }
        return true;
    }

    private static boolean isDone(CompletionStage<Integer> length, int bytes) {
        try {
            return length.toCompletableFuture().join() == bytes;
        } catch (CompletionException e) {
            if (e.getCause() instanceof ErrnoException) {
                return false;
            }
            throw e;
        }
    }

    void stop() {
        running.set(false);
    }

    @Override
    public String toString() {
        return "done " + done + " repeated " + repeated + " wrong " + wrong;
    }
}
