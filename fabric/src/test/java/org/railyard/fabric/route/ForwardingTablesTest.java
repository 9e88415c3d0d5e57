package org.railyard.fabric.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardingTablesTest {
    private static final byte NONE = (byte) ForwardingTables.NO_PATH;

    private final ForwardingTables tables = new ForwardingTables(new byte[][] {{NONE, 1, 2, 3, 4}, {}});

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 5, 9})
    void copiesWhatItSaysOfLidsInARow(int first) {
        for (int sw = 0; sw < tables.switches(); sw++) {
            byte[] ports = new byte[3];
            tables.copyPorts(sw, first, ports);
            for (int i = 0; i < ports.length; i++) {
                assertThat(ports[i] & 0xFF).isEqualTo(tables.port(sw, first + i));
            }
        }
    }

    @Test
    void beyondARowThereIsNoPath() {
        byte[] ports = new byte[3];
        tables.copyPorts(0, 3, ports);
        assertThat(ports).containsExactly(3, 4, NONE);
    }

    /** Pairs near each other and far apart, up and down, of LIDs that rows reach and do not reach. */
    @Test
    void lidsThatAreTreatedAlikeAreFound() {
        SplittableRandom dice = new SplittableRandom(8);
        for (int round = 0; round < 200; round++) {
            byte[][] rows = new byte[dice.nextInt(1, 4)][];
            for (int sw = 0; sw < rows.length; sw++) {
                rows[sw] = new byte[dice.nextInt(0, 9_000)];
                for (int lid = 0; lid < rows[sw].length; lid++) {
                    rows[sw][lid] = (byte) (dice.nextInt(50) == 0 ? 1 : 2);
                }
            }
            int[] lids =
                    dice.ints(dice.nextInt(60), 1, 9_500).distinct().sorted().toArray();
            int[] others = Arrays.stream(lids)
                    .map(lid -> Math.clamp(lid - dice.nextInt(-1, 3) * 7, 1, 9_500))
                    .toArray();
            int[] switches =
                    Arrays.stream(lids).map(_ -> dice.nextInt(rows.length)).toArray();
            ForwardingTables random = new ForwardingTables(rows);
            byte[] unlike = random.unlike(lids, others, switches);
            for (int i = 0; i < lids.length; i++) {
                boolean same = true;
                for (int sw = 0; sw < rows.length; sw++) {
                    same &= sw == switches[i] || random.port(sw, lids[i]) == random.port(sw, others[i]);
                }
                assertThat(unlike[i] == 0).isEqualTo(same);
            }
        }
    }

    @Test
    void spansOfPairsAreLongerThanOneComparison() {
        byte[] row = new byte[20_000];
        row[12_345] = 1;
        int[] lids = IntStream.range(1_000, 20_000).toArray();
        int[] others = Arrays.stream(lids).map(lid -> lid - 1_000).toArray();
        byte[] unlike =
                new ForwardingTables(new byte[][] {row, row.clone()}).unlike(lids, others, new int[lids.length]);
        assertThat(IntStream.range(0, lids.length).filter(i -> unlike[i] != 0).map(i -> lids[i]))
                .containsExactly(12_345, 13_345);
    }
}
