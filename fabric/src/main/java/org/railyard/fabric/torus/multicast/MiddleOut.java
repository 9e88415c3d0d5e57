package org.railyard.fabric.torus.multicast;

import java.util.stream.IntStream;

/** The order middle, one lower, one higher, two lower … in which roots of multicast trees are looked for. */
final class MiddleOut {
    private MiddleOut() {}

    /** Returns the distance from the middle at the given attempt: 0, −1, +1, −2, +2 … */
    static int offset(int attempt) {
        return (attempt & 1) == 0 ? attempt / 2 : -(attempt + 1) / 2;
    }

    /** Returns the coordinates 0 to {@code radix} − 1, each once, from the middle out. */
    static IntStream coordinates(int radix) {
        return IntStream.range(0, 2 * radix)
                .map(attempt -> radix / 2 + offset(attempt))
                .filter(c -> c >= 0 && c < radix);
    }
}
