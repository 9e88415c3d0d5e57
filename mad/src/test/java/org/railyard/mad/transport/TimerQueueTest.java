package org.railyard.mad.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** By time, then in the order in which they were set; what is cancelled does not come. */
class TimerQueueTest {
    /** More than are kept apart from the others at a time. */
    private static final int MANY = 2000;

    private record Planned(long at, int number, Runnable cancel) {}

    private final TimerQueue timers = new TimerQueue();
    private final List<Integer> ran = new ArrayList<>();

    @Test
    void anEmptyQueueHasNoNextTask() {
        assertThat(timers.untilNext(7)).isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(timers::remove).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void tasksComeByTimeAndThenInOrder() {
        for (int seed = 0; seed < 20; seed++) {
            anyOrder(new Random(seed));
        }
    }

    private void anyOrder(Random random) {
        List<Planned> planned = new ArrayList<>();
        // Times of a clock that passes the largest number meanwhile.
        long start = Long.MAX_VALUE - 20;
        for (int i = 0; i < MANY; i++) {
            int number = i;
            long at = start + random.nextInt(60);
            planned.add(new Planned(at, number, timers.add(at, () -> ran.add(number))));
            if (random.nextInt(4) == 0) {
                planned.remove(random.nextInt(planned.size())).cancel().run();
            }
            if (random.nextInt(4) == 0 && !planned.isEmpty()) {
                takesFirst(planned, start);
            }
        }
        while (!planned.isEmpty()) {
            takesFirst(planned, start);
        }
        assertThat(timers.untilNext(start)).isEqualTo(Long.MAX_VALUE);
    }

    private void takesFirst(List<Planned> planned, long start) {
        Planned first = planned.stream()
                .min(Comparator.comparingLong((Planned each) -> each.at() - start)
                        .thenComparingInt(Planned::number))
                .orElseThrow();
        planned.remove(first);
        assertThat(timers.untilNext(start)).isEqualTo(first.at() - start);
        timers.remove().run();
        assertThat(ran.removeLast()).isEqualTo(first.number());
        // Too late: nothing happens, and nothing else is cancelled.
        first.cancel().run();
    }
}
