package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.lnet.sim.Simulation;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;

/**
 * Random runs by seed. One seed again: {@code -Dtest=SimulationTest -Drailyard.seed=N}; many: {@code
 * -Drailyard.long=true}.
 */
class SimulationTest {
    private static final int SEEDS = 400;
    private static final int MANY_SEEDS = 50_000;

    @Test
    @Requirement({"rsl-040", "rsl-044"})
    void whateverHappensEverythingEndsOnceAndAllCreditsComeBack() {
        Long seed = Long.getLong("railyard.seed");
        if (seed != null) {
            new Simulation(seed).run();
            return;
        }
        int seeds = Boolean.getBoolean("railyard.long") ? MANY_SEEDS : SEEDS;
        Simulation.Tally all = new Simulation.Tally(0, 0, 0, 0, 0, 0);
        try (LogTap _ = LogTap.quiet("org.railyard.lnet")) {
            for (int i = 1; i <= seeds; i++) {
                all = all.plus(new Simulation(i).run());
            }
        }
        assertThat(all.answered()).as("transactions that went well").isGreaterThan(seeds);
        assertThat(all.unanswered()).as("responses that did not come").isGreaterThan(seeds);
        assertThat(all.failed()).as("messages that were not sent").isGreaterThan(seeds);
        assertThat(all.resent()).as("messages sent again").isGreaterThan(seeds);
        assertThat(all.expired()).as("messages whose time was over").isGreaterThan(seeds / 4);
        assertThat(all.delivered()).as("PUTs that arrived").isGreaterThan(seeds);
    }
}
