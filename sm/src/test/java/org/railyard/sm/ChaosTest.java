package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults by seeds; replay one with {@code new ChaosRun(seed).run()}. */
class ChaosTest {
    private static final int FEW = 20;
    private static final int MANY = 5000;
    private static final int BATCH = 10;

    static LongStream batches() {
        long first = Long.getLong("railyard.sm.firstSeed", 1);
        long count = Long.getLong("railyard.sm.seeds", Boolean.getBoolean("railyard.long") ? MANY : FEW);
        return LongStream.range(0, (count + BATCH - 1) / BATCH).map(batch -> first + batch * BATCH);
    }

    @ParameterizedTest
    @MethodSource("batches")
    void faultsBySeeds(long first) {
        for (long seed = first; seed < first + BATCH; seed++) {
            List<String> violations = new ChaosRun(seed).run();
            assertThat(violations).as("seed " + seed).isEmpty();
        }
    }

    /** Agents that answer half, and hosts that answer nonsense, besides all other faults. */
    @ParameterizedTest
    @MethodSource("batches")
    void strangersBySeeds(long first) {
        for (long seed = first; seed < first + BATCH; seed++) {
            List<String> violations = new ChaosRun(seed, true).run();
            assertThat(violations).as("seed " + seed).isEmpty();
        }
    }

    /** Switches that hang and forward: what passed them closed cycles with new routes. */
    @ParameterizedTest
    @ValueSource(longs = {212, 807})
    void hungSwitchesThatForward(long seed) {
        assertThat(new ChaosRun(seed).run()).isEmpty();
    }

    /** What is sent to a LID of nobody, by SLs of a subnet manager that was killed, closed a cycle with new routes. */
    @Test
    void entriesThatAKilledManagerLeft() {
        assertThat(new ChaosRun(690_055).run()).isEmpty();
    }

    /** Switches that lost their tables in a sweep that gave them back their LID and the top of their tables. */
    @ParameterizedTest
    @ValueSource(longs = {105_703, 113_338})
    void switchesThatWereOffInTheMiddleOfASweep(long seed) {
        assertThat(new ChaosRun(seed).run()).isEmpty();
    }

    /** What a host sends that can not be asked any more closed a cycle with routes between old and new. */
    @ParameterizedTest
    @ValueSource(longs = {501_835, 610_849})
    void aHostThatAnswersNonsenseGoesOnSending(long seed) {
        assertThat(new ChaosRun(seed, true).run()).isEmpty();
    }

    /** It had said, when it was seen first, that it has space for more P_Keys than it has. */
    @Test
    void aHostThatAnsweredNonsenseFirstIsBelievedLater() {
        assertThat(new ChaosRun(608_259, true).run()).isEmpty();
    }

    /** Everything is emptied: entries that stay as they were have to be written again. */
    @Test
    void allRoutesAreDrained() {
        assertThat(new ChaosRun(204_088).run()).isEmpty();
    }

    /** The checks of the end find what was planted for them, and nothing where nothing was. */
    @ParameterizedTest
    @CsvSource({
        "RESTLESS, it took 13 sweeps",
        "DEAF, not right again after",
        "EXCHANGED_LIDS, LIDs changed: ",
    })
    void plantedDefectsAreFound(ChaosRun.Planted planted, String found) {
        for (long seed = 1; seed <= 3; seed++) {
            assertThat(new ChaosRun(seed).run()).isEmpty();
            assertThat(new ChaosRun(seed).with(planted).run())
                    .first(InstanceOfAssertFactories.STRING)
                    .startsWith(found);
        }
    }

    @Test
    void momentsAreLookedAt() {
        ChaosRun run = new ChaosRun(3);
        run.run();
        assertThat(run.moments()).isGreaterThan(50);
    }
}
