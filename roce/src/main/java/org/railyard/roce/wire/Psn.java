package org.railyard.roce.wire;

/** Packet sequence numbers: 24 bits, in a circle. */
public final class Psn {
    /** All bits of a number. */
    public static final int MASK = 0xFF_FFFF;

    private static final int SPARE_BITS = 8;

    private Psn() {}

    /** Returns the number that comes so many behind another, or before it if negative. */
    public static int plus(int psn, int count) {
        return psn + count & MASK;
    }

    /** Returns how far a number is behind another: −2²³ … 2²³ − 1, negative if it comes before it. */
    public static int distance(int from, int to) {
        return to - from << SPARE_BITS >> SPARE_BITS;
    }
}
