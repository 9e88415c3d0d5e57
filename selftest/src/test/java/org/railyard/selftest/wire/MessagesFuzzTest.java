package org.railyard.selftest.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.railyard.lnet.wire.WireFormatException;

/** Any bytes as messages of each service: refused, or read and written back as they are, but for what nobody reads. */
class MessagesFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void messages(byte[] bytes) {
        MemorySegment given = MemorySegment.ofArray(Arrays.copyOf(bytes, RpcMessage.BYTES));
        for (Service service : Service.values()) {
            MemorySegment request = MemorySegment.ofArray(new byte[RpcMessage.BYTES]);
            MemorySegment reply = MemorySegment.ofArray(new byte[RpcMessage.BYTES]);
            Request asked = service.readRequest(given, 24);
            Reply answered = service.readReply(given, 24);
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
                RpcMessage.readRequest(given, bytes.length, service);
            } catch (WireFormatException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
    }
}
