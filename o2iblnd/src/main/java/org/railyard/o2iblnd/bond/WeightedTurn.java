package org.railyard.o2iblnd.bond;

import java.util.function.IntToLongFunction;

/**
 * Whose turn it is when some get more turns than others: each as often as its weight says, spread as evenly as can be
 * (spec 21 cb-052).
 */
public final class WeightedTurn {
    private final long[] saved = new long[Target.MAX_ADDRESSES];

    /**
     * Returns whose turn it is.
     *
     * @param count of those who take turns, 1…16
     * @param weights of them, from 0; who has none takes no turn, unless none has
     */
    public int next(int count, IntToLongFunction weights) {
        long sum = 0;
        int best = 0;
        boolean found = false;
        for (int i = 0; i < count; i++) {
            long weight = weights.applyAsLong(i);
            if (weight == 0) {
                saved[i] = 0;
                continue;
            }
            sum += weight;
            saved[i] += weight;
            if (!found || saved[i] > saved[best]) {
                best = i;
                found = true;
            }
        }
        saved[best] -= sum;
        return best;
    }
}
