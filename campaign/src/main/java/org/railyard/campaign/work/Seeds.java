package org.railyard.campaign.work;

import java.util.SplittableRandom;

/** Chance for one case: it depends on the campaign's seed and the number of the case, and on no other case. */
final class Seeds {
    /** Odd, and far from the step of {@link SplittableRandom}: streams of neighbours do not overlap. */
    private static final long STEP = 0xD1342543DE82EF95L;

    private Seeds() {}

    static SplittableRandom of(long seed, long number) {
        return new SplittableRandom(new SplittableRandom(seed + number * STEP).nextLong());
    }
}
