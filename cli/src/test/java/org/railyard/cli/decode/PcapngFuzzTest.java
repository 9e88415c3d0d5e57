package org.railyard.cli.decode;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteOrder;
import org.railyard.cli.decode.capture.CaptureBuilder;

/** Any bytes behind the first section header and interface of a pcapng file. */
class PcapngFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void pcapng(byte[] blocks) {
        AnyCapture.check(CaptureBuilder.pcapng(ByteOrder.BIG_ENDIAN)
                .section()
                .describe(1, 0)
                .raw(blocks)
                .bytes());
    }
}
