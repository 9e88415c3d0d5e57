package org.railyard.decode.capture;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteOrder;

/** Any bytes behind the first section header and interface of a pcapng file. */
class PcapngReaderFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void pcapng(byte[] blocks) throws NotACaptureException {
        AllPackets.check(CaptureBuilder.pcapng(ByteOrder.BIG_ENDIAN)
                .section()
                .describe(1, 0)
                .raw(blocks));
    }
}
