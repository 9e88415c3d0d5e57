package org.railyard.lnet.nid;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Any text as a net. */
class NetFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void net(byte[] text) {
        RoundTrip.check(text, Net::parse);
    }
}
