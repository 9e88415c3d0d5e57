package org.railyard.conformance.verbs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.conformance.verbs.VerbsFixture;

/**
 * Connections, messages and faults by seeds: the test class of a provider extends this and says in what world each seed
 * runs. {@code -Drailyard.verbs.firstSeed=SEED -Drailyard.verbs.seeds=1} runs one again.
 */
public abstract class ChaosContract {
    private static final int FEW = 12;
    private static final int MANY = 500;
    private static final int BATCH = 3;

    /** For subclasses. */
    protected ChaosContract() {}

    /** Returns a world of its own for a seed, in virtual time; it comes with all faults. */
    protected abstract VerbsFixture open(long seed);

    static LongStream batches() {
        return LongStream.iterate(first(), seed -> seed < end(), seed -> seed + BATCH);
    }

    private static long first() {
        return Long.getLong("railyard.verbs.firstSeed", 1);
    }

    private static long end() {
        return first() + Long.getLong("railyard.verbs.seeds", Boolean.getBoolean("railyard.long") ? MANY : FEW);
    }

    @ParameterizedTest
    @MethodSource("batches")
    void connectionsMessagesAndFaultsBySeeds(long from) {
        int messages = 0;
        for (long seed = from; seed < Math.min(from + BATCH, end()); seed++) {
            ChaosRun run = new ChaosRun(open(seed), seed, Planted.NOTHING);
            assertThat(run.run())
                    .as("replay with -Drailyard.verbs.firstSeed=%d -Drailyard.verbs.seeds=1", seed)
                    .isEmpty();
            assertThat(run.connections()).as("seed %d: connections", seed).isPositive();
            messages += run.messages();
        }
        assertThat(messages).as("messages").isPositive();
    }

    /** Each check finds what was planted for it. */
    @ParameterizedTest
    @CsvSource({
        "LOST, expected",
        "TWICE, expected",
        "SPOILT, is spoilt at",
        "KEPT, was left out before",
        "LEFT, queue pairs",
    })
    void plantedDefectsAreFound(Planted planted, String found) {
        // Nothing is found in it otherwise: it is the first of those above.
        assertThat(new ChaosRun(open(1), 1, planted).run()).anyMatch(violation -> violation.contains(found));
    }
}
