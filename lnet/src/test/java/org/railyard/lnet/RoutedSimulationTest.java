package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.lnet.sim.RoutedSimulation;
import org.railyard.lnet.sim.Simulation;
import org.railyard.testkit.LogTap;

/**
 * Random runs by seed. One seed again: {@code -Dtest=RoutedSimulationTest -Drailyard.seed=N}; many: {@code
 * -Drailyard.long=true}.
 */
class RoutedSimulationTest {
    private static final int SEEDS = 15;
    private static final int MANY_SEEDS = 5_000;

    @Test
    void whateverHappensToRoutersEverythingEndsOnceAndNothingStaysInThem() {
        Long seed = Long.getLong("railyard.seed");
        if (seed != null) {
            new RoutedSimulation(seed).run();
            return;
        }
        int seeds = Boolean.getBoolean("railyard.long") ? MANY_SEEDS : SEEDS;
        Simulation.Tally all = new Simulation.Tally(0, 0, 0, 0, 0, 0);
        try (LogTap _ = LogTap.quiet("org.railyard.lnet")) {
            for (int i = 1; i <= seeds; i++) {
                all = all.plus(new RoutedSimulation(i).run());
            }
        }
        assertThat(all.answered()).as("transactions that went well").isGreaterThan(seeds);
        assertThat(all.failed()).as("messages that were not sent").isGreaterThan(seeds);
        assertThat(all.resent()).as("messages sent again").isGreaterThan(seeds);
    }
}
