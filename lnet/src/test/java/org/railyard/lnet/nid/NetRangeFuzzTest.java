package org.railyard.lnet.nid;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Any text as a range of nets. */
class NetRangeFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void netRange(byte[] text) {
        RoundTrip.check(text, NetRange::parse);
    }
}
