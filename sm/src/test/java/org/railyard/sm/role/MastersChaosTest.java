package org.railyard.sm.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Several masters, by seeds; replay one with {@code new MastersRun(seed, Planted.NOTHING).run()}. */
class MastersChaosTest {
    private static final int FEW = 3;
    private static final int MANY = 2000;

    static LongStream seeds() {
        long first = Long.getLong("railyard.sm.firstSeed", 1);
        long count = Long.getLong("railyard.sm.seeds", Boolean.getBoolean("railyard.long") ? MANY : FEW);
        return LongStream.range(first, first + count);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void severalMastersBySeeds(long seed) {
        List<String> violations = new MastersRun(seed, MastersRun.Planted.NOTHING).run();
        assertThat(violations).as("seed " + seed).isEmpty();
    }

    /** A handover in the middle of a sweep made a master empty all tables that it had read before. */
    @Test
    void handedTheSubnetWhileItSweeps() {
        severalMastersBySeeds(20_000_003);
    }

    /** Another one had managed the subnet for a while and was killed, which nobody told the master that was stopped. */
    @Test
    void whoStoodStillReadsEverything() {
        severalMastersBySeeds(8_000_117);
    }

    /** A master that was stopped in the middle of a sweep wrote what it had planned over what others had written. */
    @Test
    void whoStoodStillGivesItsSweepUp() {
        severalMastersBySeeds(9_100_163);
    }

    /** It came to know of it by the timer that looks for that, and not when it sent something. */
    @Test
    void whoStoodStillGivesItsSweepUpWhoeverTells() {
        severalMastersBySeeds(9_300_002);
    }

    /** Another one wrote on for a moment while the master that had been stopped read everything, and was killed. */
    @Test
    void whoStoodStillReadsEverythingTwice() {
        severalMastersBySeeds(9_100_344);
    }

    /** One that was to become master stood still in its first sweep, while another master wrote what it had read. */
    @Test
    void whoStoodStillBeforeItWasMasterReadsTablesAgain() {
        severalMastersBySeeds(9_740_116);
    }

    /** A master that handed over in the middle of a sweep wrote on beside the one that had taken over. */
    @Test
    void whoLeavesWritesNothingMore() {
        severalMastersBySeeds(9_100_430);
    }

    /** One was killed while routes were drained: nobody tells why they are empty, but the next one is not to blame. */
    @Test
    void killedWhileItDrains() {
        severalMastersBySeeds(8_000_627);
    }

    /** The checks find what was planted for them; the seeds have the same run without it. */
    @ParameterizedTest
    @CsvSource({"EMPTIED, no switch forwards to H-1.1.0.0", "STOPPED, not right after"})
    void plantedDefectsAreFound(MastersRun.Planted planted, String found) {
        assertThat(new MastersRun(2, planted).run())
                .first(InstanceOfAssertFactories.STRING)
                .contains(found);
    }

    @Test
    void momentsAreLookedAt() {
        MastersRun run = new MastersRun(2, MastersRun.Planted.NOTHING);
        run.run();
        assertThat(run.moments()).isGreaterThan(50);
    }
}
