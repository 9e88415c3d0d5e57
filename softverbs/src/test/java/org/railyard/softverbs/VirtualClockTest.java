package org.railyard.softverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.VerbsClock;

/** The time of simulated cards is that of their fabric: only what happens there moves it. */
class VirtualClockTest {
    private static final long HOUR = 3_600_000_000_000L;

    @Test
    @Requirement("sv-002")
    void timersFollowTheTimeOfTheFabric() {
        SmallWorld world = SmallWorld.ofThree(1);
        VerbsClock clock = world.node(0).clock();
        List<Long> rang = new ArrayList<>();
        try (EventLoop loop = world.node(0).createEventLoop("clock")) {
            long start = clock.nanoTime();
            assertThat(start).isEqualTo(world.time().now());
            loop.schedule(HOUR, () -> rang.add(clock.nanoTime() - start));
            loop.schedule(1, () -> rang.add(clock.nanoTime() - start));
            assertThat(clock.nanoTime())
                    .as("it stands still while nothing happens")
                    .isEqualTo(start);
            world.time().run(HOUR - 1);
            assertThat(rang).containsExactly(1L);
            world.time().run(1);
            assertThat(rang).as("to the nanosecond, and without waiting").containsExactly(1L, HOUR);
            assertThat(clock.nanoTime() - start).isEqualTo(HOUR);
            assertThat(world.node(1).clock().nanoTime()).as("all have the same").isEqualTo(clock.nanoTime());
        }
    }
}
