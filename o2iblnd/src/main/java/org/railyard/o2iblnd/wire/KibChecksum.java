package org.railyard.o2iblnd.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The checksum of messages (spec 20 §3.6): rotate left by one, add the byte; never 0. */
public final class KibChecksum {
    private KibChecksum() {}

    /**
     * Returns the checksum of bytes that come behind others.
     *
     * @param sum of the bytes before; 0 to begin
     * @param signed whether bytes from 0x80 on count as negative, as on x86 kernels before 6.2
     */
    public static int add(int sum, MemorySegment from, long at, long bytes, boolean signed) {
        int result = sum;
        for (long i = at; i < at + bytes; i++) {
            byte value = from.get(ValueLayout.JAVA_BYTE, i);
            result = Integer.rotateLeft(result, 1) + (signed ? value : value & 0xFF);
        }
        return result;
    }

    /** Returns what a sum is on the wire, where 0 means that there is none. */
    public static int finish(int sum) {
        return sum == 0 ? 1 : sum;
    }

    /** Returns the checksum of a message, whose checksum field counts as 0. */
    public static int of(MemorySegment from, long at, long bytes, boolean signed) {
        long field = KibHeader.CHECKSUM_OFFSET;
        int sum = add(0, from, at, field, signed);
        for (int i = 0; i < Integer.BYTES; i++) {
            sum = Integer.rotateLeft(sum, 1);
        }
        return finish(add(sum, from, at + field + Integer.BYTES, bytes - field - Integer.BYTES, signed));
    }
}
