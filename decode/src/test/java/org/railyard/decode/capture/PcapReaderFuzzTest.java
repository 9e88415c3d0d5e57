package org.railyard.decode.capture;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteOrder;

/** Any bytes behind the header of a pcap file. */
class PcapReaderFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void pcap(byte[] records) throws NotACaptureException {
        AllPackets.check(CaptureBuilder.pcap(ByteOrder.LITTLE_ENDIAN, false, 1).raw(records));
    }
}
