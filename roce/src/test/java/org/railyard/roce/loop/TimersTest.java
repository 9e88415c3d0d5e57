package org.railyard.roce.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TimersTest {
    private final Timers timers = new Timers();
    private final List<Integer> happened = new ArrayList<>();

    private Timers.Timer timer(int number) {
        return new Timers.Timer(() -> happened.add(number));
    }

    @Test
    void theyHappenInTheirOrderOnceAndNotIfCancelled() {
        SplittableRandom random = new SplittableRandom(3);
        List<Timers.Timer> all = new ArrayList<>();
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            all.add(timer(i));
            times.add(0L);
        }
        for (int step = 0; step < 3000; step++) {
            int which = random.nextInt(all.size());
            if (random.nextInt(4) == 0) {
                timers.cancel(all.get(which));
                times.set(which, 0L);
            } else {
                // Far apart, so that no two are at the same time.
                long at = 1 + random.nextLong(1L << 40);
                timers.set(all.get(which), at);
                times.set(which, at);
            }
        }
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (times.get(i) > 0) {
                expected.add(i);
            }
        }
        expected.sort(Comparator.comparing(times::get));
        assertThat(timers.untilNext(0)).isEqualTo(times.get(expected.getFirst()));
        timers.run(1L << 39);
        assertThat(happened).hasSizeBetween(1, expected.size() - 1);
        timers.run(1L << 40);
        assertThat(happened).isEqualTo(expected);
        assertThat(timers.untilNext(0)).isEqualTo(Timers.NEVER);
        assertThat(timers.run(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void oneThatIsSetAgainForNowWaitsForTheNextTime() {
        Timers.Timer[] self = new Timers.Timer[1];
        self[0] = new Timers.Timer(() -> {
            happened.add(1);
            timers.set(self[0], 5);
        });
        timers.set(self[0], 5);
        timers.run(5);
        assertThat(happened).hasSize(1);
        timers.run(5);
        assertThat(happened).hasSize(2);
    }
}
