package org.railyard.decode.capture;

/**
 * How an interface of a pcapng file counts time.
 *
 * @param binary whether a tick is a power of two of a second rather than of ten
 * @param exponent a tick is 2 or 10 to minus this, in seconds
 * @param offsetSeconds added to every time, s
 */
record TimestampResolution(boolean binary, int exponent, long offsetSeconds) {
    static final TimestampResolution MICROSECONDS = new TimestampResolution(false, 6, 0);

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int NANO_EXPONENT = 9;
    /** Finest resolutions that make sense in 64 bits of ticks. */
    private static final int MAX_DECIMAL = 18;

    private static final int MAX_BINARY = 63;

    /** Tells whether an option byte names a resolution that can be used. */
    static boolean isUsable(int option) {
        return (option & 0x7f) <= ((option & 0x80) != 0 ? MAX_BINARY : MAX_DECIMAL);
    }

    TimestampResolution withOption(int option) {
        return new TimestampResolution((option & 0x80) != 0, option & 0x7f, offsetSeconds);
    }

    TimestampResolution withOffset(long seconds) {
        return new TimestampResolution(binary, exponent, seconds);
    }

    /** Returns ns since 1970 of a 64-bit count of ticks; what a long cannot hold wraps. */
    long nanos(long ticks) {
        return offsetSeconds * NANOS_PER_SECOND + (binary ? binaryNanos(ticks) : decimalNanos(ticks));
    }

    private long decimalNanos(long ticks) {
        return exponent <= NANO_EXPONENT
                ? ticks * powerOfTen(NANO_EXPONENT - exponent)
                : Long.divideUnsigned(ticks, powerOfTen(exponent - NANO_EXPONENT));
    }

    private long binaryNanos(long ticks) {
        long seconds = ticks >>> exponent;
        long fraction = ticks - (seconds << exponent);
        // Thirty-two bits of a second are finer than a nanosecond and leave room for the product.
        int bits = Math.min(exponent, 32);
        return seconds * NANOS_PER_SECOND + (((fraction >>> (exponent - bits)) * NANOS_PER_SECOND) >>> bits);
    }

    private static long powerOfTen(int n) {
        long power = 1;
        for (int i = 0; i < n; i++) {
            power *= 10;
        }
        return power;
    }
}
