package org.railyard.o2iblnd.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.railyard.base.wire.WireFormatException;

/** Any bytes as a message: refused with a reason, or written back as they were. */
class KibMessageFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void message(byte[] bytes) {
        MemorySegment input = MemorySegment.ofArray(bytes);
        KibMessage message = new KibMessage();
        try {
            message.read(input, 0, bytes.length);
            message.verify(input, 0);
        } catch (WireFormatException e) {
            if (e.getMessage() == null || e.getMessage().isBlank()) {
                throw new AssertionError("refused without a reason", e);
            }
            return;
        }
        byte[] first = new byte[bytes.length];
        int length = message.write(MemorySegment.ofArray(first), 0);
        byte[] second = new byte[bytes.length];
        try {
            message.read(MemorySegment.ofArray(first), 0, length);
        } catch (WireFormatException e) {
            throw new AssertionError("what was written can not be read", e);
        }
        message.write(MemorySegment.ofArray(second), 0);
        if (!Arrays.equals(first, second)) {
            throw new AssertionError("written twice, it is not the same");
        }
    }
}
