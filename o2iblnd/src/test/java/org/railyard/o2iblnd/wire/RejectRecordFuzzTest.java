package org.railyard.o2iblnd.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.railyard.lnet.wire.WireFormatException;

/** Any bytes as the private data of a reject: refused, or written back as they were. */
class RejectRecordFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void reject(byte[] bytes) {
        RejectRecord record;
        try {
            record = RejectRecord.read(MemorySegment.ofArray(bytes), 0, bytes.length);
        } catch (WireFormatException e) {
            return;
        }
        byte[] again = Arrays.copyOf(bytes, bytes.length);
        Arrays.fill(again, 0, RejectRecord.BYTES, (byte) 0);
        record.write(MemorySegment.ofArray(again), 0);
        if (!Arrays.equals(again, bytes)) {
            throw new AssertionError("not written back as it was");
        }
    }
}
