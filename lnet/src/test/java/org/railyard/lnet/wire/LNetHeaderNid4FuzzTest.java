package org.railyard.lnet.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.railyard.base.wire.WireFormatException;

/** Any bytes as a header of 72 bytes. */
class LNetHeaderNid4FuzzTest {
    @FuzzTest(maxDuration = "3s")
    void nid4(byte[] bytes) throws WireFormatException {
        HeaderRoundTrip.check(bytes, false);
    }
}
