package org.railyard.socklnd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import org.railyard.base.wire.WireFormatException;

/** Any bytes as a connection request: refused, or read the same from what it writes. */
class ConnectionRequestFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void connectionRequest(byte[] bytes) throws WireFormatException {
        ConnectionRequest request;
        try {
            request = ConnectionRequest.read(MemorySegment.ofArray(bytes), 0);
        } catch (WireFormatException e) {
            assertThat(e).hasMessageMatching(".*(expected|limit).*");
            return;
        }
        MemorySegment out = MemorySegment.ofArray(new byte[request.bytes()]);
        request.write(out, 0);
        assertThat(ConnectionRequest.read(out, 0)).isEqualTo(request);
    }
}
