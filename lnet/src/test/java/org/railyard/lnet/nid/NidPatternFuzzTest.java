package org.railyard.lnet.nid;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Any text as a pattern of a selection rule. */
class NidPatternFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void nidPattern(byte[] text) {
        RoundTrip.check(text, NidPattern::parse);
    }
}
