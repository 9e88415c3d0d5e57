package org.railyard.conformance;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Off-heap memory in fragments of given sizes at odd addresses, with guard bytes around each. */
final class Memory {
    private static final int GUARD = 7;
    private static final byte GUARD_BYTE = 0x5A;

    private final ByteBuffer whole;
    private final int[] sizes;
    private final int length;

    private Memory(int... sizes) {
        this(Arena.ofAuto(), sizes);
    }

    private Memory(Arena arena, int... sizes) {
        this.sizes = sizes;
        this.length = Arrays.stream(sizes).sum();
        this.whole = arena.allocate(length + GUARD * (sizes.length + 1L)).asByteBuffer();
        for (int i = 0; i < whole.capacity(); i++) {
            whole.put(i, GUARD_BYTE);
        }
    }

    /** Makes memory in one fragment that its owner can free. */
    static Memory in(Arena arena, int length) {
        return new Memory(arena, length);
    }

    /** Makes memory with fragments of the given sizes. */
    static Memory of(int... sizes) {
        return new Memory(sizes);
    }

    /**
     * Makes memory of a length, in so many fragments of about the same size; without fragments if there is nothing to
     * hold.
     */
    static Memory inParts(int length, int parts) {
        if (length == 0) {
            return new Memory();
        }
        int[] sizes = new int[Math.min(parts, length)];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = (int) ((i + 1L) * length / sizes.length) - (int) ((long) i * length / sizes.length);
        }
        return new Memory(sizes);
    }

    /** Returns its length without guards, bytes. */
    int length() {
        return length;
    }

    /** Returns the fragments, each with a position of its own. */
    ByteBuffer[] fragments() {
        ByteBuffer[] fragments = new ByteBuffer[sizes.length];
        int at = GUARD;
        for (int i = 0; i < sizes.length; i++) {
            fragments[i] = whole.slice(at, sizes[i]);
            at += sizes[i] + GUARD;
        }
        return fragments;
    }

    /** Fills it with the bytes that belong to a number. */
    Memory fill(long number) {
        int i = 0;
        for (ByteBuffer fragment : fragments()) {
            while (fragment.hasRemaining()) {
                fragment.put(byteOf(number, i++));
            }
        }
        return this;
    }

    /** Overwrites the last byte. */
    void setLast(byte value) {
        ByteBuffer last = fragments()[sizes.length - 1];
        last.put(last.capacity() - 1, value);
    }

    /** Returns the last byte. */
    byte last() {
        ByteBuffer last = fragments()[sizes.length - 1];
        return last.get(last.capacity() - 1);
    }

    /**
     * Tells where the bytes differ from those that belong to a number, or that a guard was overwritten; empty if all is
     * well.
     */
    String flaw(long number) {
        return flaw(number, length);
    }

    /**
     * Tells where the beginning differs from the bytes that belong to a number, or the rest from what was there; empty
     * if all is well.
     */
    String flaw(long number, int bytes) {
        int i = 0;
        for (ByteBuffer fragment : fragments()) {
            while (fragment.hasRemaining()) {
                byte found = fragment.get();
                byte expected = i < bytes ? byteOf(number, i) : GUARD_BYTE;
                if (found != expected) {
                    return "byte " + i + " of " + bytes + " in " + length + " is " + found + ", expected " + expected;
                }
                i++;
            }
        }
        return guardFlaw();
    }

    /** Tells which guard was overwritten; empty if none. */
    String guardFlaw() {
        int at = 0;
        for (int i = 0; i <= sizes.length; i++) {
            for (int g = 0; g < GUARD; g++) {
                if (whole.get(at + g) != GUARD_BYTE) {
                    return "a byte before fragment " + i + " of " + sizes.length + " was overwritten";
                }
            }
            at += GUARD + (i < sizes.length ? sizes[i] : 0);
        }
        return "";
    }

    private static byte byteOf(long number, int i) {
        return (byte) (number * 31 + i * 7L + (i >> 8));
    }
}
