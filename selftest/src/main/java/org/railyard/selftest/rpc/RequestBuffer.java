package org.railyard.selftest.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.wire.Request;
import org.railyard.selftest.wire.RpcMessage;
import org.railyard.selftest.wire.Service;
import org.railyard.selftest.wire.StatusReply;

/**
 * Memory for requests to a service. When it is full it is offered again; until then requests wait in the lazy portal.
 * Thread-safe.
 */
final class RequestBuffer {
    private final RpcNode node;
    private final LNet lnet;
    private final Service service;
    private final RequestHandler handler;
    private final MemorySegment memory;

    @GuardedBy("this")
    private @Nullable Md md;

    @GuardedBy("this")
    private boolean withdrawn;

    RequestBuffer(RpcNode node, LNet lnet, Service service, int requests, RequestHandler handler) {
        this.node = node;
        this.lnet = lnet;
        this.service = service;
        this.handler = handler;
        this.memory = Arena.ofAuto().allocate((long) RpcMessage.BYTES * requests, Long.BYTES);
    }

    /** Offers it to whoever asks. */
    synchronized void offer() {
        if (!withdrawn) {
            md = lnet.attach(
                    MeConfig.of(service.portal(), service.id()),
                    MdConfig.of(memory)
                            .withMaxSize(RpcMessage.BYTES)
                            .withOptions(MdOption.OP_PUT, MdOption.MAX_SIZE)
                            .withAutoUnlink()
                            .withHandler(this::onEvent));
        }
    }

    void withdraw() {
        Md last;
        synchronized (this) {
            withdrawn = true;
            last = md;
        }
        if (last != null) {
            Unlinking.unlink(last);
        }
    }

    private void onEvent(Event event) {
        if (event.kind() == EventKind.PUT && event.status() == 0) {
            take(event);
        }
        if (event.unlinked()) {
            offer();
        }
    }

    private void take(Event event) {
        MemorySegment message = memory.asSlice(event.offset());
        try {
            RpcMessage<Request> read = RpcMessage.readRequest(message, event.mlength(), service);
            IncomingRequest request = new IncomingRequest(
                    node,
                    service,
                    event.targetNid(),
                    new ProcessId(event.sourceNid(), event.initiatorPid()),
                    read.features(),
                    read.order(),
                    read.body());
            node.counters().received.increment();
            node.watch().asked(request.from(), service, request.request());
            if (RpcMessage.isVersionKnown(message)) {
                handler.handle(request);
            } else {
                request.reply(read.features(), new StatusReply(Errno.EPROTO.number()));
            }
        } catch (WireFormatException e) {
            node.counters().dropped.increment();
            node.log(
                    "request",
                    "a request of " + event.sourceNid() + " to " + service + " is dropped: " + e.getMessage());
        }
    }
}
