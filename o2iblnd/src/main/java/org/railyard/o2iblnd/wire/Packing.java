package org.railyard.o2iblnd.wire;

import static org.railyard.base.wire.Wire.BE32;

import java.lang.foreign.MemorySegment;

/**
 * Several small messages in one, between two nodes that both know it (spec 20 §23): behind the payload of an IMMEDIATE
 * follow further LNet headers, each with its payload, at multiples of {@value #ALIGNMENT} bytes. The length in the
 * header counts all of it. Who accepts a connection says so behind the CONNACK, where nodes that do not know it, the
 * kernel's among them, do not look; who is accepted then says so by a NOOP that is longer than others.
 */
public final class Packing {
    /** "RYP1". */
    public static final int MARKER = 0x52595031;

    /** Where an acceptance says it: behind the longest list of advertised addresses. */
    public static final int OFFSET = align(AdvertisedAddresses.OFFSET + AdvertisedAddresses.BYTES);

    /** Bytes of an acceptance that says it. */
    public static final int ACCEPTANCE_BYTES = OFFSET + Integer.BYTES;

    /** Bytes of a NOOP that says it. */
    public static final int NOOP_BYTES = KibHeader.BYTES + Integer.BYTES;

    /** Headers behind the first begin at multiples of this, bytes. */
    public static final int ALIGNMENT = 8;

    private Packing() {}

    /** Returns the first place at or behind this one where a header may begin. */
    public static int align(int at) {
        return (at + ALIGNMENT - 1) & -ALIGNMENT;
    }

    /** Writes the marker into an acceptance of {@link #ACCEPTANCE_BYTES}. */
    public static void writeAcceptance(MemorySegment to) {
        to.set(BE32, OFFSET, MARKER);
    }

    /** Tells whether an acceptance has the marker. */
    public static boolean isInAcceptance(MemorySegment from) {
        return from.byteSize() >= ACCEPTANCE_BYTES && from.get(BE32, OFFSET) == MARKER;
    }

    /** Writes the marker into a NOOP of {@link #NOOP_BYTES}. */
    public static void writeNoop(MemorySegment to, long at) {
        to.set(BE32, at + KibHeader.BYTES, MARKER);
    }

    /**
     * Tells whether a NOOP has the marker.
     *
     * @param bytes how long it says that it is
     */
    public static boolean isInNoop(MemorySegment from, long at, int bytes) {
        return bytes >= NOOP_BYTES && from.get(BE32, at + KibHeader.BYTES) == MARKER;
    }
}
