package org.railyard.selftest.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventHandler;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.wire.Reply;
import org.railyard.selftest.wire.Request;
import org.railyard.selftest.wire.RpcMessage;
import org.railyard.selftest.wire.Service;

/**
 * One call (spec 03 §1.2): up to three memory descriptors, of the request, the reply and the bulk memory. It is over
 * when all of them are gone, in whatever order things happened. Thread-safe.
 */
public final class RpcCall {
    private final RpcNode node;
    private final long id;
    private final Service service;
    private final ProcessId target;
    private final long deadline;
    private final CallListener listener;
    private final MemorySegment memory;
    private final MemorySegment requestMemory;
    private final MemorySegment replyMemory;

    @GuardedBy("this")
    private final List<Md> descriptors = new ArrayList<>();

    @GuardedBy("this")
    private @Nullable Md bulkDescriptor;

    @GuardedBy("this")
    private int left;

    @GuardedBy("this")
    private int status;

    @GuardedBy("this")
    private @Nullable RpcMessage<Reply> reply;

    RpcCall(RpcNode node, long id, ProcessId target, Service service, long deadline, CallListener listener) {
        this.node = node;
        this.id = id;
        this.target = target;
        this.service = service;
        this.deadline = deadline;
        this.listener = listener;
        this.memory = node.slots().take();
        this.requestMemory = memory.asSlice(0, RpcMessage.BYTES);
        this.replyMemory = memory.asSlice(RpcMessage.BYTES, RpcMessage.BYTES);
    }

    MemorySegment memory() {
        return memory;
    }

    /** Returns the match bits of its reply, which no other call of the node has. */
    long id() {
        return id;
    }

    long deadline() {
        return deadline;
    }

    /** Sends the request; what goes wrong is told to the listener. */
    void begin(LNet lnet, int features, Request request, @Nullable BulkMemory bulk) {
        RpcMessage.writeRequest(requestMemory, service, features, request);
        // For the time of this method, so that it does not end before it has begun.
        hold();
        try {
            attach(lnet, request.replyId(), replyMemory, MdOption.OP_PUT, this::onReply);
            if (bulk != null) {
                MdOption operation = bulk.receives() ? MdOption.OP_PUT : MdOption.OP_GET;
                Md md = attach(lnet, request.bulkId(), bulk.memory(), operation, event -> onBulk(event, bulk.memory()));
                synchronized (this) {
                    bulkDescriptor = md;
                }
            }
            Md md = keep(() -> lnet.bind(
                    MdConfig.of(requestMemory).withThreshold(1).withAutoUnlink().withHandler(this::onRequest)));
            lnet.put(md, false, Nid.ANY, target, service.portal(), service.id(), 0, 0);
        } catch (ErrnoException e) {
            fail(e.errno().status());
        }
        if (hasFailed()) {
            // Maybe before all descriptors were there.
            unlinkAll();
        }
        release();
    }

    private Md attach(LNet lnet, long bits, MemorySegment memory, MdOption operation, EventHandler handler) {
        return keep(() -> lnet.attach(
                MeConfig.of(Service.REPLY_PORTAL, bits).withInitiator(target),
                MdConfig.of(memory)
                        .withThreshold(1)
                        .withAutoUnlink()
                        .withOptions(operation)
                        .withHandler(handler)));
    }

    private Md keep(Supplier<Md> made) {
        hold();
        Md md;
        try {
            md = made.get();
        } catch (ErrnoException e) {
            release();
            throw e;
        }
        synchronized (this) {
            descriptors.add(md);
        }
        return md;
    }

    private synchronized boolean hasFailed() {
        return status != 0;
    }

    private synchronized void hold() {
        left++;
    }

    private void onRequest(Event event) {
        if (event.status() < 0) {
            fail(event.status());
        }
        if (event.unlinked()) {
            release();
        }
    }

    private void onReply(Event event) {
        if (event.kind() == EventKind.PUT) {
            take(event);
        }
        if (event.unlinked()) {
            release();
        }
    }

    private void take(Event event) {
        if (event.status() < 0) {
            fail(event.status());
            return;
        }
        try {
            RpcMessage<Reply> read = RpcMessage.readReply(replyMemory, event.mlength(), service);
            Md rest;
            synchronized (this) {
                reply = read;
                rest = bulkDescriptor;
            }
            if (read.body().status() != 0 && rest != null) {
                // There will be no bulk data. The request may still be on its way out: it ends by itself.
                Unlinking.unlink(rest);
            }
        } catch (WireFormatException e) {
            fail(Errno.EBADMSG.status());
        }
    }

    private void onBulk(Event event, MemorySegment memory) {
        if (event.kind() == EventKind.PUT || event.kind() == EventKind.GET) {
            if (event.status() < 0) {
                fail(event.status());
            } else if (event.mlength() != memory.byteSize()) {
                fail(Errno.EBADMSG.status());
            }
        }
        if (event.unlinked()) {
            release();
        }
    }

    /** Ends it, unless it is over already: a reply that comes later is dropped. */
    public void cancel() {
        fail(Errno.ECANCELED.status());
    }

    /** Ends it because no reply came in time. */
    void expire() {
        fail(Errno.ETIMEDOUT.status());
    }

    private void fail(int why) {
        synchronized (this) {
            status = status == 0 ? why : status;
        }
        unlinkAll();
    }

    private void unlinkAll() {
        List<Md> all;
        synchronized (this) {
            all = List.copyOf(descriptors);
        }
        for (Md md : all) {
            Unlinking.unlink(md);
        }
    }

    private void release() {
        int end;
        RpcMessage<Reply> came;
        synchronized (this) {
            if (--left > 0) {
                return;
            }
            RpcMessage<Reply> last = reply;
            // What a node refuses it has refused, whatever becomes of the bulk memory.
            boolean refused = last != null && last.body().status() != 0;
            end = refused ? 0 : status == 0 && last == null ? Errno.ESHUTDOWN.status() : status;
            came = end == 0 ? last : null;
        }
        node.slots().giveBack(memory);
        node.ended(this, end, came);
        listener.ended(end, came);
    }
}
