package org.railyard.lnet.nid;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Any text as NID ranges. */
class NidRangeListFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void nidRangeList(byte[] text) {
        RoundTrip.check(text, NidRangeList::parse);
    }
}
