package org.railyard.selftest.node;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import org.railyard.base.host.NodeClock;
import org.railyard.selftest.rpc.RpcNode;

/** What units of all tests share: the way to call, the numbers of pings. Thread-safe. */
final class Calls {
    private final RpcNode rpc;
    private final Duties duties;
    private final NodeClock clock;
    private final long limitNanos;
    private final LongFunction<MemorySegment> memory;
    private final AtomicInteger sequence = new AtomicInteger();

    /**
     * Makes it.
     *
     * @param limitNanos how long a call may take, ns
     * @param memory returns memory of so many bytes, or throws OutOfMemoryError
     */
    Calls(RpcNode rpc, Duties duties, NodeClock clock, long limitNanos, LongFunction<MemorySegment> memory) {
        this.rpc = rpc;
        this.duties = duties;
        this.clock = clock;
        this.limitNanos = limitNanos;
        this.memory = memory;
    }

    RpcNode rpc() {
        return rpc;
    }

    Duties duties() {
        return duties;
    }

    NodeClock clock() {
        return clock;
    }

    long limitNanos() {
        return limitNanos;
    }

    /** Returns memory for bulk data; throws OutOfMemoryError if there is none. */
    MemorySegment memory(long bytes) {
        return memory.apply(bytes);
    }

    int nextSequence() {
        return sequence.getAndIncrement();
    }
}
