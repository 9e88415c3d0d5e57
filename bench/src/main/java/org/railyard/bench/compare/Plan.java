package org.railyard.bench.compare;

/**
 * How much is measured.
 *
 * @param settings of every round
 * @param rounds measured rounds of each contender, 1 to {@link #MAX_ROUNDS}
 * @param warmups rounds before them that do not count, 0 to {@link #MAX_WARMUPS}
 */
public record Plan(RoundSettings settings, int rounds, int warmups) {
    /** Most measured rounds. */
    public static final int MAX_ROUNDS = 100;

    /** Most warm-up rounds. */
    public static final int MAX_WARMUPS = 10;

    /** Checks the ranges. */
    public Plan {
        if (rounds < 1 || rounds > MAX_ROUNDS) {
            throw new IllegalArgumentException(rounds + " rounds; the range is 1 to " + MAX_ROUNDS);
        }
        if (warmups < 0 || warmups > MAX_WARMUPS) {
            throw new IllegalArgumentException(warmups + " warm-up rounds; the range is 0 to " + MAX_WARMUPS);
        }
    }

    /** Returns how long the measuring of some contenders takes at least, in s. */
    public long seconds(long contenders) {
        return contenders * (rounds + warmups) * settings.seconds();
    }
}
