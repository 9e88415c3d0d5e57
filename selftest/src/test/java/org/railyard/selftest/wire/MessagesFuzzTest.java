package org.railyard.selftest.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.railyard.base.wire.WireFormatException;

/** Any bytes as messages of each service: refused, or read and written back as they are, but for what nobody reads. */
class MessagesFuzzTest {
    private static final int HEADER = 24;

    @FuzzTest(maxDuration = "3s")
    void messages(byte[] bytes) {
        MemorySegment given = MemorySegment.ofArray(Arrays.copyOf(bytes, RpcMessage.BYTES));
        for (Service service : Service.values()) {
            MemorySegment request = MemorySegment.ofArray(new byte[RpcMessage.BYTES]);
            MemorySegment reply = MemorySegment.ofArray(new byte[RpcMessage.BYTES]);
            Request asked = service.readRequest(given, HEADER);
            Reply answered = service.readReply(given, HEADER);
            RpcMessage.writeRequest(request, service, 1, asked);
            RpcMessage.writeReply(reply, service, 1, answered);
            try {
                // Names end at their first zero, flags become 0 or 1: the second reading is what counts.
                Request again = RpcMessage.readRequest(request, RpcMessage.BYTES, service)
                        .body();
                Reply answeredAgain =
                        RpcMessage.readReply(reply, RpcMessage.BYTES, service).body();
                assertThat(again.replyId()).isEqualTo(asked.replyId());
                assertThat(again.bulkId()).isEqualTo(asked.bulkId());
                assertThat(answeredAgain.status()).isEqualTo(answered.status());
                bothOrders(request, reply, service);
                RpcMessage.readRequest(given, bytes.length, service);
            } catch (WireFormatException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
    }

    /** What a big-endian node would have written means the same. */
    private static void bothOrders(MemorySegment request, MemorySegment reply, Service service)
            throws WireFormatException {
        Request asked =
                RpcMessage.readRequest(request, RpcMessage.BYTES, service).body();
        Reply answered = RpcMessage.readReply(reply, RpcMessage.BYTES, service).body();
        for (MemorySegment message : List.of(request, reply)) {
            for (int at = 0; at < HEADER; at += Integer.BYTES) {
                ByteOrders.turn(message.asSlice(at, Integer.BYTES));
            }
        }
        ByteOrders.turn(request, HEADER, service.requestLayout());
        ByteOrders.turn(reply, HEADER, service.replyLayout());
        RpcMessage<Request> turned = RpcMessage.readRequest(request, RpcMessage.BYTES, service);
        assertThat(turned.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
        assertThat(turned.body() instanceof TestRequest test ? test.withBulkHalvesExchanged() : turned.body())
                .isEqualTo(asked);
        assertThat(RpcMessage.readReply(reply, RpcMessage.BYTES, service).body())
                .isEqualTo(answered);
    }
}
