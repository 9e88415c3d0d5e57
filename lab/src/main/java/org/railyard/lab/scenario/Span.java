package org.railyard.lab.scenario;

import java.util.random.RandomGenerator;

/**
 * A number, or a range of numbers from which the seed chooses.
 *
 * @param min the least
 * @param max the greatest
 */
public record Span(long min, long max) {
    /** Checks the order. */
    public Span {
        if (max < min) {
            throw new IllegalArgumentException("from " + min + " to " + max);
        }
    }

    /** Returns one of the numbers. */
    public long draw(RandomGenerator random) {
        return min == max ? min : random.nextLong(min, max + 1);
    }
}
