package org.railyard.fabric.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The wheel against a priority queue, with times near and far. */
class TimeWheelTest {
    private record Expected(long time, long order) {}

    @Test
    void eventsComeInTheOrderOfAQueue() {
        for (long seed = 0; seed < 20; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            TimeWheel wheel = new TimeWheel();
            PriorityQueue<Expected> queue =
                    new PriorityQueue<>(Comparator.comparingLong(Expected::time).thenComparingLong(Expected::order));
            long order = 0;
            for (int step = 0; step < 20_000; step++) {
                if (queue.isEmpty() || random.nextInt(100) < (step < 10_000 ? 55 : 40)) {
                    long ahead = switch (random.nextInt(4)) {
                        case 0 -> 0;
                        case 1 -> random.nextLong(300);
                        case 2 -> random.nextLong(2L * TimeWheel.SLOTS);
                        default -> random.nextLong(10_000_000_000L);
                    };
                    queue.add(new Expected(wheel.now() + ahead, order));
                    wheel.schedule(wheel.now() + ahead, order++);
                } else {
                    Expected next = queue.remove();
                    assertThat(wheel.nextTime()).isEqualTo(next.time);
                    wheel.advance(next.time);
                    assertThat(wheel.isDue()).isTrue();
                    assertThat(wheel.poll()).as("seed %d, step %d", seed, step).isEqualTo(next.order);
                }
                assertThat(wheel.size()).isEqualTo(queue.size());
            }
        }
    }

    @Test
    void anEmptyWheelGoesOnToAnyTime() {
        TimeWheel wheel = new TimeWheel();
        assertThat(wheel.nextTime()).isEqualTo(TimeWheel.NEVER);
        wheel.schedule(5_000_000_000L, 7);
        wheel.advance(4_999_999_999L);
        assertThat(wheel.nextTime()).isEqualTo(5_000_000_000L);
        wheel.schedule(0, 8);
        assertThat(wheel.isDue()).as("the past counts as now").isTrue();
        assertThat(wheel.poll()).isEqualTo(8);
    }
}
