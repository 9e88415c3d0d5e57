package org.railyard.fabric.torus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.fabric.torus.grid.DimensionOrder;
import org.railyard.fabric.torus.grid.DirectionRule;
import org.railyard.fabric.torus.grid.SlToVlRule;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.UnicastDependencies;
import org.railyard.fabric.torus.qos.QosMode;
import org.railyard.fabric.torus.tables.TorusPath;
import org.railyard.testkit.Requirement;

/** The figures over all ordered pairs of switches of spec 30 §6, by walking every path. */
class WholeFabricFiguresTest {
    private static final SlToVlRule EIGHT_VLS = new SlToVlRule(8, 8);

    @ParameterizedTest
    @Requirement("t2q-003")
    @CsvSource(
            delimiter = '|',
            value = {
                "3 3 3 | | | 162 | 324 | 1458 | 3 | 316 98 98 28 98 28 28 8",
                "4 4 4 | | | 384 | 960 | 12288 | 6 | 2680 392 392 56 392 56 56 8",
                "5 5 5 | | | 1050 | 2910 | 56250 | 6 | 6734 2166 2166 684 2166 684 684 216",
                "5 5 5 | 2,2,2 | | 1056 | 2900 | 55500 | 7 | 6486 2166 2166 684 2166 684 684 216",
                "6 5 1 | | | 164 | 288 | 2430 | 5 | 540 114 180 36 0 0 0 0",
                "6 5 1 | | 1,1-2,1 | 164 | 285 | 2510 | 7 | 540 114 180 36 0 0 0 0",
                "6 5 1 | 3,1 | | 162 | 281 | 2300 | 6 | 494 114 168 36 0 0 0 0",
                "6 6 6 | | | 1728 | 4824 | 209952 | 9 | 26784 5400 5400 1080 5400 1080 1080 216",
                "8 8 8 | | | 4608 | 13440 | 1572864 | 12 | 140096 32448 32448 7488 32448 7488 7488 1728"
            })
    void areThoseOfTheSpecification(
            String dims, String missing, String broken, int channels, int deps, long hops, int longest, String sls) {
        DimensionOrder order = new DimensionOrder(GridText.grid(dims, missing, broken), DirectionRule.RING);
        Walked walked = new Walked(order);
        assertThat(walked.channels).hasSize(channels);
        assertThat(walked.dependencies).hasSize(deps);
        assertThat(walked.hops).isEqualTo(hops);
        assertThat(walked.longest).isEqualTo(longest);
        assertThat(walked.slCounts()).isEqualTo(sls);

        UnicastDependencies.Result result = UnicastDependencies.of(order, EIGHT_VLS);
        assertThat(result.broken()).isEmpty();
        assertThat(result.dependencies().channels()).isEqualTo(channels);
        assertThat(result.dependencies().dependencies()).isEqualTo(deps);
        assertThat(result.dependencies().loop()).isEmpty();
    }

    /** Every path, hop by hop: the slow way that the fast one is compared with. */
    private static final class Walked {
        final Set<Integer> channels = new HashSet<>();
        final Set<Long> dependencies = new HashSet<>();
        final int[] sls = new int[8];
        long hops;
        int longest;

        Walked(DimensionOrder order) {
            int[] present = order.grid().present().toArray();
            for (int from : present) {
                for (int to : present) {
                    if (from != to) {
                        add(TorusPath.walk(order, EIGHT_VLS, QosMode.TWO_LEVELS, from, to, 0)
                                .orElseThrow());
                    }
                }
            }
        }

        private void add(TorusPath path) {
            sls[path.sl()]++;
            hops += path.hops().size();
            longest = Math.max(longest, path.hops().size());
            int before = -1;
            for (TorusPath.Hop hop : path.hops()) {
                int channel = (hop.from() * TorusGroup.COUNT + hop.group()) * 8 + hop.vl();
                channels.add(channel);
                if (before >= 0) {
                    dependencies.add((long) before << 32 | channel);
                }
                before = channel;
            }
        }

        String slCounts() {
            StringBuilder counts = new StringBuilder();
            for (int count : sls) {
                counts.append(counts.isEmpty() ? "" : " ").append(count);
            }
            return counts.toString();
        }
    }
}
