package org.railyard.selftest.node;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.selftest.rpc.IncomingRequest;
import org.railyard.selftest.wire.BrwRequest;
import org.railyard.selftest.wire.Pattern;
import org.railyard.selftest.wire.PingRequest;
import org.railyard.selftest.wire.PingTestReply;
import org.railyard.selftest.wire.RpcMessage;
import org.railyard.selftest.wire.StatusReply;
import org.railyard.selftest.wire.TestParameters;

/** The services that tests call (spec 03 §3.8, §3.9). They need no session and serve anybody. Thread-safe. */
final class TestServices {
    private final BulkBuffers buffers;

    private final long limitNanos;

    /**
     * Makes them.
     *
     * @param limitNanos how long bulk data of a client may take, ns: its call does not last longer
     * @param memory returns memory of so many bytes, or throws OutOfMemoryError
     * @param log takes a line when memory is short
     */
    TestServices(long limitNanos, LongFunction<MemorySegment> memory, Consumer<String> log) {
        this.limitNanos = limitNanos;
        buffers = new BulkBuffers(memory, log);
    }

    /** Serves a ping. */
    void ping(IncomingRequest incoming) {
        PingRequest request = (PingRequest) incoming.request();
        if (request.magic() != PingRequest.WORD) {
            return;
        }
        boolean known = isKnown(incoming.features());
        int status = known ? 0 : Errno.EPROTO.number();
        incoming.reply(
                known ? incoming.features() : RpcMessage.KNOWN_FEATURES,
                new PingTestReply(status, PingRequest.WORD, request.sequence()));
    }

    private static boolean isKnown(int features) {
        return (features & ~RpcMessage.KNOWN_FEATURES) == 0;
    }

    /** Serves a request of the bulk test. */
    void brw(IncomingRequest incoming) {
        BrwRequest request = (BrwRequest) incoming.request();
        Errno wrong = check(incoming.features(), request);
        if (wrong != null) {
            int features = wrong == Errno.EPROTO ? RpcMessage.KNOWN_FEATURES : incoming.features();
            incoming.reply(features, new StatusReply(wrong.number()));
            return;
        }
        boolean taken = buffers.take(incoming.from(), buffer -> {
            MemorySegment memory = buffer.asSlice(0, request.length());
            if (request.operation() == BrwRequest.READ) {
                read(incoming, request, buffer, memory);
            } else {
                write(incoming, request, buffer, memory);
            }
        });
        if (!taken) {
            incoming.reply(incoming.features(), new StatusReply(Errno.ENOMEM.number()));
        }
    }

    private static @Nullable Errno check(int features, BrwRequest request) {
        if (!isKnown(features)) {
            return Errno.EPROTO;
        }
        boolean exact = (features & RpcMessage.EXACT_LENGTHS) != 0;
        boolean good = bulk(request).isSound() && (exact || request.length() % Pattern.PAGE == 0);
        return good ? null : Errno.EINVAL;
    }

    private static TestParameters.Bulk bulk(BrwRequest request) {
        return new TestParameters.Bulk(request.operation(), request.check(), request.length(), 0);
    }

    private void read(IncomingRequest incoming, BrwRequest request, MemorySegment buffer, MemorySegment memory) {
        bulk(request).pattern().fill(memory, 0, request.length(), Pattern.MAGIC);
        incoming.send(memory, status -> {
            buffers.giveBack(incoming.from(), buffer);
            if (status == 0) {
                incoming.reply(incoming.features(), new StatusReply(0));
            }
        });
    }

    private void write(IncomingRequest incoming, BrwRequest request, MemorySegment buffer, MemorySegment memory) {
        incoming.fetch(memory, limitNanos, status -> {
            boolean good = status == 0 && bulk(request).pattern().isIn(memory, 0, request.length(), incoming.order());
            buffers.giveBack(incoming.from(), buffer);
            if (status == 0) {
                incoming.reply(incoming.features(), new StatusReply(good ? 0 : Errno.EBADMSG.number()));
            }
        });
    }
}
