package org.railyard.decode;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;

/** Any bytes in a TCP connection. */
class StreamFuzzTest {
    /** The first byte says how the rest is cut into segments. */
    @FuzzTest(maxDuration = "3s")
    void stream(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        Conversation conversation = new Conversation();
        if (bytes[0] >= 0) {
            conversation.syn();
        }
        int step = 1 + (bytes[0] & 0x7f);
        for (int at = 1; at < bytes.length; at += step) {
            conversation.a(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + step)));
        }
        AnyCapture.check(conversation.bytes());
    }
}
