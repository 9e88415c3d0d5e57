package org.railyard.socklnd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import org.railyard.base.wire.WireFormatException;

/** Any bytes as a HELLO of any version: refused, or read the same from what it writes. */
class HelloFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void hello(byte[] bytes) throws WireFormatException {
        Hello hello;
        try {
            hello = Hello.read(MemorySegment.ofArray(bytes), 0);
        } catch (WireFormatException e) {
            assertThat(e).hasMessageMatching(".*(expected|limit).*");
            return;
        }
        MemorySegment out = MemorySegment.ofArray(new byte[hello.bytes()]);
        hello.write(out, 0);
        assertThat(Hello.read(out, 0)).isEqualTo(hello);
    }
}
