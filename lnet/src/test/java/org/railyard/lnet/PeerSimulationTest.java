package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.lnet.sim.PeerSimulation;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;

/**
 * Random runs by seed. One seed again: {@code -Dtest=PeerSimulationTest -Drailyard.seed=N}; many: {@code
 * -Drailyard.long=true}.
 */
class PeerSimulationTest {
    private static final int SEEDS = 40;
    private static final int MANY_SEEDS = 20_000;

    @Test
    @Requirement({"snd-065", "dyn-060"})
    void whateverHappensPeerTablesAreSoundAndNobodyWaitsForEver() {
        Long seed = Long.getLong("railyard.seed");
        if (seed != null) {
            new PeerSimulation(seed).run();
            return;
        }
        int seeds = Boolean.getBoolean("railyard.long") ? MANY_SEEDS : SEEDS;
        PeerSimulation.Tally all = new PeerSimulation.Tally(0, 0, 0, 0);
        try (LogTap _ = LogTap.quiet("org.railyard.lnet")) {
            for (int i = 1; i <= seeds; i++) {
                all = all.plus(new PeerSimulation(i).run());
            }
        }
        assertThat(all.sent()).as("messages that were acknowledged").isGreaterThan(seeds);
        assertThat(all.discovered()).as("discoveries that went well").isGreaterThan(seeds);
        assertThat(all.refused()).as("changes that were refused").isGreaterThan(seeds);
        assertThat(all.merged()).as("peers that became part of others").isGreaterThan(seeds);
    }
}
