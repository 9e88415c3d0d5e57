package org.railyard.selftest.rpc;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.base.host.LimitedLog;
import org.railyard.base.host.NodeClock;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.api.RpcWatch;
import org.railyard.selftest.wire.Reply;
import org.railyard.selftest.wire.Request;
import org.railyard.selftest.wire.RpcMessage;
import org.railyard.selftest.wire.Service;
import org.railyard.selftest.wire.StatReply;

/** The calls that a node makes and answers. Thread-safe; takes no lock of its own while it calls LNet or a listener. */
public final class RpcNode {
    /** Most calls under way at a time. */
    public static final int MAX_CALLS = 1 << 17;

    private static final int ID_SHIFT = 48;
    private static final long SECOND = 1_000_000_000L;

    private final LNet lnet;
    private final NodeClock clock;
    private final LimitedLog log;
    private final Slots slots = new Slots();
    private final RpcCounters counters = new RpcCounters();
    private final AtomicLong ids;
    private final RpcWatch watch;

    /**
     * In the order in which they began, which is that in which those end whose time is over: a run in virtual time must
     * be repeatable.
     */
    private final ConcurrentSkipListMap<Long, RpcCall> calls = new ConcurrentSkipListMap<>();

    private final AtomicInteger callCount = new AtomicInteger();
    private final List<RequestBuffer> buffers = new ArrayList<>();
    private volatile boolean closed;

    /**
     * Begins on a node.
     *
     * @param watch is told of all calls
     * @throws ErrnoException EBUSY, ESHUTDOWN if the node does not take it
     */
    public RpcNode(LNet lnet, Host host, RpcWatch watch) {
        this.lnet = lnet;
        this.watch = watch;
        this.clock = host.clock();
        this.log = new LimitedLog(System.getLogger("org.railyard.selftest"), System.Logger.Level.WARNING, host.clock());
        // As kernel nodes do: what is left of the seconds in the upper bits.
        this.ids = new AtomicLong(clock.wallNanos() / SECOND << ID_SHIFT | 1);
        lnet.setLazyPortal(Service.TEST_PORTAL);
        lnet.setLazyPortal(Service.FRAMEWORK_PORTAL);
    }

    /**
     * Serves requests to a service from now on.
     *
     * @param requests room for so many, at least 2
     */
    public void serve(Service service, int requests, RequestHandler handler) {
        // Two, so that there is always one on offer.
        for (int i = 0; i < 2; i++) {
            RequestBuffer buffer = new RequestBuffer(this, lnet, service, requests / 2, handler);
            buffers.add(buffer);
            buffer.offer();
        }
    }

    Slots slots() {
        return slots;
    }

    RpcWatch watch() {
        return watch;
    }

    RpcCounters counters() {
        return counters;
    }

    /** Returns what was counted so far. */
    public StatReply.Rpc statistics() {
        return counters.view();
    }

    /** Returns the monotonic time, ns. */
    public long now() {
        return clock.nanoTime();
    }

    /** Logs a line, unless there were too many about the same topic. */
    public void log(String topic, String line) {
        log.log(topic, line);
    }

    /** Returns a number for a reply or bulk data that none of this node had. */
    public long nextId() {
        return ids.getAndIncrement();
    }

    /**
     * Calls a node.
     *
     * @param target whom, by its primary NID
     * @param features feature bits of the request
     * @param bulk memory for bulk data, not to be touched until the call has ended; null if there is none
     * @param limitNanos how long it may take, ns
     * @param listener hears of the end, maybe before this returns
     */
    public RpcCall call(
            ProcessId target,
            Service service,
            int features,
            Request request,
            @Nullable BulkMemory bulk,
            long limitNanos,
            CallListener listener) {
        RpcCall call = new RpcCall(this, request.replyId(), target, service, now() + limitNanos, listener);
        boolean room = callCount.incrementAndGet() <= MAX_CALLS;
        if (closed || !room) {
            callCount.decrementAndGet();
            slots.giveBack(call.memory());
            counters.errors.increment();
            listener.ended((closed ? Errno.ESHUTDOWN : Errno.ENOBUFS).status(), null);
            return call;
        }
        calls.put(call.id(), call);
        counters.sent.increment();
        watch.called(target, service, request, bulk == null ? null : bulk.memory(), limitNanos);
        call.begin(lnet, features, request, bulk);
        return call;
    }

    void ended(RpcCall call, int status, @Nullable RpcMessage<Reply> reply) {
        calls.remove(call.id());
        callCount.decrementAndGet();
        if (status == Errno.ETIMEDOUT.status()) {
            counters.expired.increment();
        } else if (status < 0) {
            counters.errors.increment();
        }
        watch.ended(call.id(), status, reply == null ? null : reply.body());
    }

    /** Ends calls whose time is over. */
    public void expire() {
        long now = now();
        for (RpcCall call : calls.values()) {
            if (call.deadline() - now <= 0) {
                call.expire();
            }
        }
    }

    void reply(IncomingRequest to, int features, Reply reply) {
        watch.answered(to.from(), to.request(), reply);
        MemorySegment slot = slots.take();
        MemorySegment message = slot.asSlice(0, RpcMessage.BYTES);
        RpcMessage.writeReply(message, to.service(), features, reply);
        put(to, message, to.request().replyId(), status -> {
            slots.giveBack(slot);
            if (status < 0) {
                counters.errors.increment();
            }
        });
    }

    void send(IncomingRequest to, MemorySegment memory, IntConsumer then) {
        put(to, memory, to.request().bulkId(), status -> {
            if (status == 0) {
                counters.bulkPut.add(memory.byteSize());
            }
            watch.moved(to.from(), to.request(), false, memory, status);
            then.accept(status);
        });
    }

    private void put(IncomingRequest to, MemorySegment memory, long bits, IntConsumer then) {
        start(
                MdConfig.of(memory)
                        .withThreshold(1)
                        .withAutoUnlink()
                        .withHandler(new Transfer(EventKind.SEND, (int) memory.byteSize(), then)),
                md -> lnet.put(md, false, to.self(), to.from(), Service.REPLY_PORTAL, bits, 0, 0),
                then);
    }

    void fetch(IncomingRequest to, MemorySegment memory, long limitNanos, IntConsumer then) {
        watch.fetching(to.from(), to.request(), memory);
        IntConsumer counted = status -> {
            if (status == 0) {
                counters.bulkGet.add(memory.byteSize());
            }
            watch.moved(to.from(), to.request(), true, memory, status);
            then.accept(status);
        };
        start(
                MdConfig.of(memory)
                        .withThreshold(2)
                        .withAutoUnlink()
                        .withOptions(MdOption.TRACK_RESPONSE)
                        .withTimeoutNanos(limitNanos)
                        .withHandler(new Transfer(EventKind.REPLY, (int) memory.byteSize(), counted)),
                md -> lnet.get(
                        md,
                        to.self(),
                        to.from(),
                        Service.REPLY_PORTAL,
                        to.request().bulkId(),
                        0),
                counted);
    }

    /** What is done with a descriptor. */
    private interface Use {
        void with(Md md);
    }

    private void start(MdConfig config, Use use, IntConsumer then) {
        Md md;
        try {
            md = lnet.bind(config);
        } catch (ErrnoException e) {
            then.accept(e.errno().status());
            return;
        }
        try {
            use.with(md);
        } catch (ErrnoException e) {
            // The handler hears that it is unlinked, and so that nothing was sent.
            md.unlink();
        }
    }

    /** Returns the first NID of this node whose address has four bytes, as of IPv4; nothing if it has none. */
    public Optional<Nid> firstNid4() {
        return lnet.nids().stream().filter(Nid::isNid4).findFirst();
    }

    /** Takes no more requests, and ends all calls. */
    public void close() {
        closed = true;
        buffers.forEach(RequestBuffer::withdraw);
        lnet.clearLazyPortal(Service.TEST_PORTAL);
        lnet.clearLazyPortal(Service.FRAMEWORK_PORTAL);
        List.copyOf(calls.values()).forEach(RpcCall::cancel);
    }
}
