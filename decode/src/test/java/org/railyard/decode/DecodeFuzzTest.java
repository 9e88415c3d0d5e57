package org.railyard.decode;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Any bytes as a file. */
class DecodeFuzzTest {
    @FuzzTest(maxDuration = "3s")
    void anything(byte[] file) {
        AnyCapture.check(file);
    }
}
