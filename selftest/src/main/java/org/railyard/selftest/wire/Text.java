package org.railyard.selftest.wire;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Names in messages: 32 bytes that end with a zero (spec 03 §1.6). */
final class Text {
    static final int BYTES = 32;
    static final SequenceLayout LAYOUT = MemoryLayout.sequenceLayout(BYTES, ValueLayout.JAVA_BYTE);

    private Text() {}

    /** Reads a name; one without a zero ends where the field does. */
    static String read(MemorySegment from, long at) {
        byte[] bytes = from.asSlice(at, BYTES).toArray(ValueLayout.JAVA_BYTE);
        int length = 0;
        while (length < BYTES && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /** Writes a name, cut to what fits before the zero; the field is zero beforehand. */
    static void write(MemorySegment to, long at, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        MemorySegment.copy(bytes, 0, to, ValueLayout.JAVA_BYTE, at, Math.min(bytes.length, BYTES - 1));
    }
}
