package org.railyard.lnet.nid;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Any text as a NID. */
class NidFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void nid(byte[] text) {
        RoundTrip.check(text, Nid::parse);
    }
}
