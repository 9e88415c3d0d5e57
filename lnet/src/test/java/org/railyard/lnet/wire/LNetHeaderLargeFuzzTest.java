package org.railyard.lnet.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.railyard.base.wire.WireFormatException;

/** Any bytes as a header of 96 bytes. */
class LNetHeaderLargeFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void large(byte[] bytes) throws WireFormatException {
        HeaderRoundTrip.check(bytes, true);
    }
}
