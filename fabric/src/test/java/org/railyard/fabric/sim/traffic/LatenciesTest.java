package org.railyard.fabric.sim.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    @Test
    void sharesAreThoseOfASortedListToThreePercent() {
        SplittableRandom random = new SplittableRandom(3);
        Latencies latencies = new Latencies();
        long[] all = new long[10_000];
        for (int i = 0; i < all.length; i++) {
            all[i] = random.nextLong(1L << random.nextInt(1, 45));
            latencies.add(all[i]);
        }
        Arrays.sort(all);
        for (double share : new double[] {0.01, 0.25, 0.5, 0.9, 0.99, 1}) {
            long exact = all[(int) Math.ceil(share * all.length) - 1];
            assertThat(latencies.share(share)).as("%s", share).isBetween(exact, exact + exact / 32 + 1);
        }
        assertThat(latencies.max()).isEqualTo(all[all.length - 1]);
        assertThat(latencies.count()).isEqualTo(all.length);
        latencies.clear();
        assertThat(latencies.share(0.5)).isZero();
        latencies.add(Long.MAX_VALUE);
        assertThat(latencies.share(0.5)).isEqualTo(Long.MAX_VALUE);
    }
}
