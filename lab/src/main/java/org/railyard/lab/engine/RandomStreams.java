package org.railyard.lab.engine;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Independent sources of chance for the parts of a run, all from its seed: what one part draws does not change what
 * another gets.
 */
public final class RandomStreams {
    private final long seed;

    /** Makes the sources of a seed. */
    public RandomStreams(long seed) {
        this.seed = seed;
    }

    /**
     * Returns the source of a part, from its beginning.
     *
     * @param part its name
     * @param number tells parts of the same name apart
     */
    public RandomGenerator of(String part, long number) {
        long mixed = mix(seed + 0x9e3779b97f4a7c15L);
        for (int i = 0; i < part.length(); i++) {
            mixed = mix(mixed ^ part.charAt(i));
        }
        return new SplittableRandom(mix(mixed + number));
    }

    private static long mix(long value) {
        long z = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
