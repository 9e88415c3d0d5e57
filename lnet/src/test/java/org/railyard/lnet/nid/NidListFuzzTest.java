package org.railyard.lnet.nid;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Any text as a list of NIDs. */
class NidListFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void nidList(byte[] text) {
        RoundTrip.check(text, NidList::parse);
    }
}
