package org.railyard.selftest.wire;

import static org.railyard.base.wire.Wire.LE32;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;

/**
 * The parameters of a test as three words, whose meaning depends on the test and on the features of the session (spec
 * 03 §2).
 *
 * @param first bulk test: operation, with exact lengths the check in the upper half; ping: 0
 * @param second bulk test: length in bytes with exact lengths, otherwise in pages; ping: 0
 * @param third bulk test: offset in bytes with exact lengths, otherwise the check; ping: 0
 */
public record TestParameters(int first, int second, int third) {
    static final StructLayout LAYOUT =
            MemoryLayout.structLayout(LE32.withName("first"), LE32.withName("second"), LE32.withName("third"));

    private static final VarHandle FIRST = Wire.field(LAYOUT, "first");
    private static final VarHandle SECOND = Wire.field(LAYOUT, "second");
    private static final VarHandle THIRD = Wire.field(LAYOUT, "third");

    private static final int HALF = 16;
    private static final int LOW_HALF = 0xffff;

    /** Those of the ping test. */
    public static final TestParameters NONE = new TestParameters(0, 0, 0);

    /** What a bulk test does. {@code length} and {@code offset} are in bytes, {@code length} as an unsigned number. */
    public record Bulk(int operation, int check, int length, int offset) {
        /** Tells whether operation, check and length are such as kernel nodes survive (spec 03 §3.9). */
        public boolean isSound() {
            return (operation == BrwRequest.READ || operation == BrwRequest.WRITE)
                    && Pattern.of(check) != null
                    && length > 0
                    && length <= Wire.MTU
                    && length % Long.BYTES == 0;
        }

        /** Returns how data is checked: not at all if nobody knows the check. */
        public Pattern pattern() {
            Pattern known = Pattern.of(check);
            return known == null ? Pattern.NONE : known;
        }
    }

    /** Returns the words for a bulk test; without exact lengths the length is a number of whole pages. */
    public static TestParameters of(Bulk bulk, boolean exactLengths) {
        return exactLengths
                ? new TestParameters(bulk.operation | bulk.check << HALF, bulk.length, bulk.offset)
                : new TestParameters(bulk.operation, bulk.length / Pattern.PAGE, bulk.check);
    }

    /**
     * Returns what the words mean for a bulk test; lengths that are too long for a number of bytes become the longest
     * there is.
     */
    public Bulk bulk(boolean exactLengths) {
        if (exactLengths) {
            return new Bulk(first & LOW_HALF, first >>> HALF, second, third);
        }
        boolean tooMany = Integer.compareUnsigned(second, Integer.MAX_VALUE / Pattern.PAGE) > 0;
        return new Bulk(first, third, tooMany ? Integer.MAX_VALUE : second * Pattern.PAGE, 0);
    }

    /** Returns a copy in which the halves of the first word have changed places. */
    TestParameters withHalvesExchanged() {
        return new TestParameters(Integer.rotateLeft(first, HALF), second, third);
    }

    static TestParameters read(MemorySegment from, long at) {
        return new TestParameters((int) FIRST.get(from, at), (int) SECOND.get(from, at), (int) THIRD.get(from, at));
    }

    void write(MemorySegment to, long at) {
        FIRST.set(to, at, first);
        SECOND.set(to, at, second);
        THIRD.set(to, at, third);
    }
}
