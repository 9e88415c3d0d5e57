package org.railyard.o2iblnd.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.railyard.base.wire.WireFormatException;

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
        int read = Math.min(bytes.length, RejectRecord.BYTES);
        MemorySegment written = MemorySegment.ofArray(new long[RejectRecord.BYTES / Long.BYTES]);
        record.write(written, 0);
        MemorySegment.copy(written, ValueLayout.JAVA_BYTE, 0, again, 0, read);
        if (!Arrays.equals(again, bytes)) {
            throw new AssertionError("not written back as it was");
        }
    }
}
