package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sim.Deadlock;

/** What a running fabric waits for, beside what the proof says that it can wait for. */
final class Waits {
    private Waits() {}

    /** Checks that each wait is a dependency, one of these edges in their order. */
    static void assertAreDependencies(Fabric fabric, List<Deadlock.Hold> waits, long[] edges) {
        for (Deadlock.Hold wait : waits) {
            long from = Channel.number(wait.channel().port(), wait.channel().vl());
            long to = Channel.number(wait.wants().port(), wait.wants().vl());
            assertThat(Arrays.binarySearch(edges, from << 32 | to))
                    .as(
                            "%s waits for %s",
                            wait.channel().text(fabric), wait.wants().text(fabric))
                    .isNotNegative();
        }
    }

    /** Checks that each waits for the next, and the last for the first. */
    static void assertIsCycle(List<Deadlock.Hold> cycle) {
        for (int i = 0; i < cycle.size(); i++) {
            assertThat(cycle.get(i).wants())
                    .isEqualTo(cycle.get((i + 1) % cycle.size()).channel());
        }
    }
}
