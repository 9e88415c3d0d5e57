package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.lnet.sim.RouterSimulation;

/** Routers under random failures. The system property {@code railyard.seed} runs a single seed, {@code railyard.long} many. */
class RouterSimulationTest {
    private static final int SEEDS = 40;
    private static final int MANY_SEEDS = 20_000;

    @Test
    void whateverHappensEverythingEndsOnceAndAllBuffersAndCreditsComeBack() {
        Long seed = Long.getLong("railyard.seed");
        if (seed != null) {
            new RouterSimulation(seed).run();
            return;
        }
        int seeds = Boolean.getBoolean("railyard.long") ? MANY_SEEDS : SEEDS;
        RouterSimulation.Tally all = new RouterSimulation.Tally(0, 0, 0, 0, 0);
        for (int i = 1; i <= seeds; i++) {
            all = all.plus(new RouterSimulation(i).run());
        }
        assertThat(all.answered()).as("transactions that went well").isGreaterThan(5 * seeds);
        assertThat(all.unanswered()).as("transactions that did not").isGreaterThan(seeds);
        assertThat(all.forwarded()).as("messages forwarded").isGreaterThan(20L * seeds);
        assertThat(all.waited()).as("steps that messages waited for a buffer").isGreaterThan(seeds);
        assertThat(all.dropped()).as("messages that routers dropped").isGreaterThan(seeds);
    }
}
