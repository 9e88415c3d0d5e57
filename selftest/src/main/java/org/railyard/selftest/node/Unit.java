package org.railyard.selftest.node;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.rpc.BulkMemory;
import org.railyard.selftest.rpc.RpcCall;
import org.railyard.selftest.wire.BrwRequest;
import org.railyard.selftest.wire.Pattern;
import org.railyard.selftest.wire.PingRequest;
import org.railyard.selftest.wire.PingTestReply;
import org.railyard.selftest.wire.Reply;
import org.railyard.selftest.wire.Request;
import org.railyard.selftest.wire.RpcMessage;
import org.railyard.selftest.wire.TestParameters;
import org.railyard.selftest.wire.TestRequest;

/** One of those that call a target, one call after the other (spec 03 §4). Thread-safe. */
final class Unit {
    /** So many calls in a row may end before their beginning returns; then others have their turn. */
    private static final int MOST_AT_ONCE = 32;

    private static final long SECOND = 1_000_000_000L;

    private final ClientTest test;
    private final TestPlan plan;
    private final ProcessId target;
    private final Calls calls;
    private final FailedCalls failed;
    private final @Nullable MemorySegment memory;

    /**
     * Above 0 while somebody goes on with it; so a call that ends at once does not begin the next one inside itself.
     */
    private final AtomicInteger turns = new AtomicInteger();

    private int left;
    private int sequence;
    private boolean isOver;
    private volatile @Nullable RpcCall call;

    Unit(ClientTest test, ProcessId target, Calls calls, FailedCalls failed) {
        this.test = test;
        this.plan = test.plan();
        this.target = target;
        this.calls = calls;
        this.failed = failed;
        this.memory = plan.bulkBytes() == 0 ? null : calls.memory(plan.bulkBytes());
    }

    void start() {
        left = plan.loop();
        isOver = false;
        goOn();
    }

    void cancel() {
        RpcCall current = call;
        if (current != null) {
            current.cancel();
        }
    }

    private void goOn() {
        if (turns.getAndIncrement() == 0) {
            run();
        }
    }

    private void run() {
        int atOnce = 0;
        do {
            if (++atOnce > MOST_AT_ONCE) {
                calls.duties().putOff(this::run);
                return;
            }
            next();
        } while (turns.decrementAndGet() != 0);
    }

    private void next() {
        if (isOver || left == 0 || test.isStopping()) {
            test.ended();
            return;
        }
        if (left != TestRequest.FOR_EVER) {
            left--;
        }
        TestParameters.Bulk bulk = plan.bulk();
        MemorySegment data = memory;
        if (bulk == null || data == null) {
            ping();
        } else {
            transfer(bulk, data);
        }
    }

    private void ping() {
        sequence = calls.nextSequence();
        long wall = calls.clock().wallNanos();
        begin(new PingRequest(calls.rpc().nextId(), PingRequest.WORD, sequence, wall / SECOND, wall % SECOND), null);
    }

    private void transfer(TestParameters.Bulk bulk, MemorySegment data) {
        boolean reads = bulk.operation() == BrwRequest.READ;
        plan.pattern().fill(data, bulk.offset(), bulk.length(), reads ? Pattern.POISON : Pattern.MAGIC);
        begin(
                new BrwRequest(
                        calls.rpc().nextId(), calls.rpc().nextId(), bulk.operation(), bulk.length(), bulk.check()),
                new BulkMemory(data, reads));
    }

    private void begin(Request request, @Nullable BulkMemory bulk) {
        call = calls.rpc()
                .call(target, plan.service(), plan.features(), request, bulk, calls.limitNanos(), this::ended);
        if (test.isAborting()) {
            // Whoever ended the calls may have looked before there was this one.
            cancel();
        }
    }

    private void ended(int status, @Nullable RpcMessage<Reply> reply) {
        boolean good = status == 0 && reply != null && isGood(reply.body(), reply.order());
        if (!good && !test.isStopping()) {
            failed.count(plan.bulk() == null);
            isOver = plan.stopOnError();
        }
        goOn();
    }

    private boolean isGood(Reply reply, ByteOrder order) {
        TestParameters.Bulk bulk = plan.bulk();
        MemorySegment data = memory;
        if (reply.status() != 0) {
            return false;
        }
        if (bulk == null || data == null) {
            return reply instanceof PingTestReply pong
                    && pong.magic() == PingRequest.WORD
                    && pong.sequence() == sequence;
        }
        return bulk.operation() == BrwRequest.WRITE || plan.pattern().isIn(data, bulk.offset(), bulk.length(), order);
    }
}
