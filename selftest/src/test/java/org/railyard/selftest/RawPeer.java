package org.railyard.selftest;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.wire.RpcMessage;
import org.railyard.selftest.wire.Service;

/** A node that says to selftest whatever bytes it is told to. */
record RawPeer(LNet lnet, ProcessId target) {
    private static final int REPLY_ID_AT = 24;

    private static MemorySegment memory(byte[] bytes) {
        MemorySegment memory = Arena.ofAuto().allocate(bytes.length, Long.BYTES);
        memory.copyFrom(MemorySegment.ofArray(bytes));
        return memory;
    }

    /** Offers memory for bulk data, once. */
    void offer(long bits, byte[] data, MdOption operation) {
        lnet.attach(
                MeConfig.of(Service.REPLY_PORTAL, bits).withInitiator(target),
                MdConfig.of(memory(data)).withThreshold(1).withAutoUnlink().withOptions(operation));
    }

    /** Sends a message, filled with zeros behind its end, and returns the reply to it. */
    MemorySegment ask(Service service, byte[] message, long replyId) {
        CompletableFuture<MemorySegment> came = new CompletableFuture<>();
        MemorySegment reply = Arena.ofAuto().allocate(RpcMessage.BYTES, Long.BYTES);
        lnet.attach(
                MeConfig.of(Service.REPLY_PORTAL, replyId).withInitiator(target),
                MdConfig.of(reply)
                        .withThreshold(1)
                        .withAutoUnlink()
                        .withOptions(MdOption.OP_PUT)
                        .withHandler(event -> {
                            if (event.kind() == EventKind.PUT) {
                                came.complete(reply);
                            }
                        }));
        tell(service, message);
        return Nodes.value(came);
    }

    /** Sends a message, filled with zeros behind its end. */
    void tell(Service service, byte[] message) {
        byte[] whole = new byte[RpcMessage.BYTES];
        System.arraycopy(message, 0, whole, 0, message.length);
        lnet.put(
                lnet.bind(MdConfig.of(memory(whole)).withThreshold(1).withAutoUnlink()),
                false,
                Nid.ANY,
                target,
                service.portal(),
                service.id(),
                0,
                0);
    }

    /** Sends a message whose sender writes big-endian. */
    MemorySegment askBigEndian(Service service, ByteBuffer message) {
        byte[] bytes = new byte[message.capacity()];
        message.get(0, bytes);
        return ask(service, bytes, message.getLong(REPLY_ID_AT));
    }
}
