package org.railyard.selftest.wire;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Turns structures from one byte order into the other: a big-endian node writes everything its own way (spec 03,
 * introduction).
 */
final class ByteOrders {
    private ByteOrders() {}

    /**
     * Turns the numbers of a structure around; texts stay as they are.
     *
     * @param memory changed in place
     * @param at where the structure begins
     */
    static void turn(MemorySegment memory, long at, MemoryLayout layout) {
        switch (layout) {
            case GroupLayout group -> {
                long offset = at;
                for (MemoryLayout member : group.memberLayouts()) {
                    turn(memory, offset, member);
                    offset += member.byteSize();
                }
            }
            case ValueLayout value -> turn(memory.asSlice(at, value.byteSize()));
            // A text.
            default -> {}
        }
    }

    /** Turns one number around. */
    static void turn(MemorySegment number) {
        long last = number.byteSize() - 1;
        for (long i = 0; i < number.byteSize() / 2; i++) {
            byte low = number.get(ValueLayout.JAVA_BYTE, i);
            number.set(ValueLayout.JAVA_BYTE, i, number.get(ValueLayout.JAVA_BYTE, last - i));
            number.set(ValueLayout.JAVA_BYTE, last - i, low);
        }
    }
}
