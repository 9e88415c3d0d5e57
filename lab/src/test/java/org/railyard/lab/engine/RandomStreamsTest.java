package org.railyard.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * The sources of chance of the parts of a run, and of runs with neighbouring seeds: none repeats what another draws,
 * now or later.
 */
class RandomStreamsTest {
    private static final int DRAWS = 4096;
    private static final int LAGS = 8;

    private static List<RandomGenerator> sources() {
        List<RandomGenerator> sources = new ArrayList<>();
        for (long seed = 1; seed <= 8; seed++) {
            for (int number = 0; number < 8; number++) {
                sources.add(new RandomStreams(seed).of("load", number));
                sources.add(new RandomStreams(seed).of("clock 1", number));
            }
        }
        return sources;
    }

    @Test
    void noSourceIsALaterPartOfAnother() {
        Set<Long> drawn = new HashSet<>();
        List<RandomGenerator> sources = sources();
        for (RandomGenerator source : sources) {
            for (int i = 0; i < DRAWS; i++) {
                drawn.add(source.nextLong());
            }
        }
        assertThat(drawn).as("values of 64 bits, all different").hasSize(sources.size() * DRAWS);
    }

    @Test
    void sourcesAreNotCorrelated() {
        double[][] drawn = sources().stream()
                .map(source ->
                        source.doubles(DRAWS, -Math.sqrt(3), Math.sqrt(3)).toArray())
                .toArray(double[][]::new);
        for (int a = 0; a < drawn.length; a++) {
            for (int b = a + 1; b < drawn.length; b++) {
                for (int lag = -LAGS; lag <= LAGS; lag++) {
                    double sum = 0;
                    for (int i = LAGS; i < DRAWS - LAGS; i++) {
                        sum += drawn[a][i] * drawn[b][i + lag];
                    }
                    assertThat(Math.abs(sum) / Math.sqrt(DRAWS))
                            .as("sources %d and %d, %d draws apart, in standard deviations", a, b, lag)
                            .isLessThan(6);
                }
            }
        }
    }

    @Test
    void theSamePartOfTheSameSeedDrawsTheSame() {
        assertThat(new RandomStreams(7).of("load", 3).longs(10))
                .containsExactlyElementsOf(
                        new RandomStreams(7).of("load", 3).longs(10).boxed().toList());
    }
}
