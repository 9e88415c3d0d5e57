package org.railyard.lnet.nid;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Any text as a process id. */
class ProcessIdFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void processId(byte[] text) {
        RoundTrip.check(text, ProcessId::parse);
    }
}
