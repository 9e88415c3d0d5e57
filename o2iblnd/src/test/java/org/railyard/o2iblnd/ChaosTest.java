package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages and faults by seeds; replay one with {@code new ChaosRun(seed).run()}, or with {@code
 * -Drailyard.o2iblnd.firstSeed=SEED -Drailyard.o2iblnd.seeds=1}.
 */
class ChaosTest {
    private static final int FEW = 10;
    private static final int MANY = 5000;
    private static final int BATCH = 10;

    static LongStream batches() {
        long first = first();
        return LongStream.iterate(first, seed -> seed < first + count(), seed -> seed + BATCH);
    }

    private static long first() {
        return Long.getLong("railyard.o2iblnd.firstSeed", 1);
    }

    private static long count() {
        return Long.getLong("railyard.o2iblnd.seeds", Boolean.getBoolean("railyard.long") ? MANY : FEW);
    }

    @ParameterizedTest
    @MethodSource("batches")
    void messagesAndFaultsBySeeds(long first) {
        long end = Math.min(first + BATCH, first() + count());
        for (long seed = first; seed < end; seed++) {
            ChaosRun run = new ChaosRun(seed);
            List<String> violations = run.run();
            assertThat(violations)
                    .as(
                            "replay with -Drailyard.o2iblnd.firstSeed=%d -Drailyard.o2iblnd.seeds=1; %s",
                            seed, String.join("\n", run.story()))
                    .isEmpty();
        }
    }

    /** Each check finds what was planted for it. */
    @ParameterizedTest
    @CsvSource({
        "LOST, its sender was told that it was delivered",
        "TWICE, arrived twice",
        "SPOILT, has other contents",
        "KEPT, has not ended",
        "DEAF, though all is whole",
        "ONE_SIDED, connections with",
        "UNCOUNTED, routes 0→1 count",
    })
    void plantedDefectsAreFound(ChaosRun.Planted planted, String found) {
        // Nothing is found in it otherwise: it is the first of those above.
        assertThat(new ChaosRun(1).with(planted).run()).anyMatch(violation -> violation.contains(found));
    }
}
