package org.railyard.cli.decode;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteOrder;
import org.railyard.cli.decode.capture.CaptureBuilder;

/** Any bytes behind the header of a pcap file. */
class PcapFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void pcap(byte[] records) {
        AnyCapture.check(CaptureBuilder.pcap(ByteOrder.LITTLE_ENDIAN, false, 1)
                .raw(records)
                .bytes());
    }
}
