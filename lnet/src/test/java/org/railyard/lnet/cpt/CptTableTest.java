package org.railyard.lnet.cpt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.CpuLayout;
import org.railyard.base.host.CpuLayout.Cpu;
import org.railyard.base.host.CpuLayout.NumaNode;
import org.railyard.lnet.nid.Nid;
import org.railyard.testkit.Requirement;

class CptTableTest {
    /** Two nodes of four CPUs; CPUs i and i + 4 share a core. */
    private static final CpuLayout TWO_THREADS = new CpuLayout(List.of(
            new NumaNode(0, List.of(new Cpu(0, 0), new Cpu(1, 1), new Cpu(4, 0), new Cpu(5, 1)), List.of(10, 21)),
            new NumaNode(1, List.of(new Cpu(2, 2), new Cpu(3, 3), new Cpu(6, 2), new Cpu(7, 3)), List.of(21, 10))));

    private static List<List<Integer>> cpus(CptTable table) {
        return IntStream.range(0, table.count()).mapToObj(table::cpus).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "N                   | 0 | [[0, 1, 4, 5], [2, 3, 6, 7]]",
                "N                   | 4 | [[0, 4], [1, 5], [2, 6], [3, 7]]",
                "''                  | 0 | [[0, 1, 4, 5], [2, 3, 6, 7]]",
                "''                  | 1 | [[0, 1, 2, 3, 4, 5, 6, 7]]",
                "''                  | 3 | [[0, 1, 4], [2, 5, 6], [3, 7]]",
                "''                  | 8 | [[0], [4], [1], [5], [2], [6], [3], [7]]",
                "0[0-3] 1[4,5,7]     | 9 | [[0, 1, 2, 3], [4, 5, 7]]",
                "1[ 0 - 6 / 2 ] 0[7] | 0 | ERROR EINVAL",
                "1[0-6/2] 0[7]       | 0 | [[7], [0, 2, 4, 6]]",
                "N 0[1] 1[0]         | 0 | [[2, 3, 6, 7], [0, 1, 4, 5]]",
                "N 0[0,1]            | 0 | [[0, 1, 2, 3, 4, 5, 6, 7]]",
                "X[0-1]              | 0 | [[4, 5], [2, 3, 6, 7]]",
                "N X[2,3]            | 0 | [[0, 1, 4, 5], [6, 7]]",
                "C[0]                | 0 | [[1, 5], [3, 7]]",
                "N C[1]              | 0 | [[0, 4], [2, 6]]",
                "X[0-7]              | 0 | ERROR ENODEV",
                "N X[0,1,4,5]        | 0 | ERROR ENODEV",
                "0[0] 2[1]           | 0 | ERROR ERANGE",
                "0[0] 0[1]           | 0 | ERROR EPERM",
                "0[0] 1[0]           | 0 | ERROR EINVAL",
                "0[0-3               | 0 | ERROR EINVAL",
                "0 0-3]              | 0 | ERROR EINVAL",
                "0[]                 | 0 | ERROR EINVAL",
                "0[3-1]              | 0 | ERROR ERANGE",
                "0[0-3/0]            | 0 | ERROR ERANGE",
                "0[99]               | 0 | ERROR ERANGE",
                "0[99999999999]      | 0 | ERROR ERANGE",
                "X[0] C[0]           | 0 | ERROR EINVAL",
                "Y[0]                | 0 | ERROR EINVAL",
                "''                  | 9 | ERROR ERANGE",
                "''                  | -1| ERROR ERANGE",
            })
    void patterns(String pattern, int count, String expected) {
        String found;
        try {
            found = cpus(CptTable.of(TWO_THREADS, count, pattern)).toString();
        } catch (ErrnoException e) {
            found = "ERROR " + e.errno();
        }
        assertThat(found).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"1,1", "4,1", "5,1", "6,3", "8,4", "12,6", "16,8", "7,1"})
    void asManyAsSuitTheMachine(int cpus, int expected) {
        assertThat(CptTable.of(CpuLayout.flat(cpus), 0, "").count()).isEqualTo(expected);
    }

    @Test
    @Requirement("snd-010")
    void distancesAreTheLargestBetweenTheNodes() {
        CptTable byNode = CptTable.of(TWO_THREADS, 0, "N");
        assertThat(byNode.distance(0, 0)).isEqualTo(10);
        assertThat(byNode.distance(0, 1)).isEqualTo(21);
        assertThat(byNode.distance(CptTable.ANY, 1)).isEqualTo(21);
        assertThat(byNode.distance(1, CptTable.ANY)).isEqualTo(21);
        CptTable mixed = CptTable.of(TWO_THREADS, 0, "0[0,2] 1[4] 2[6]");
        assertThat(mixed.distance(0, 0)).isEqualTo(21);
        assertThat(mixed.distance(0, 1)).isEqualTo(21);
        assertThat(mixed.distance(1, 1)).isEqualTo(10);
        CptTable unknown = CptTable.of(CpuLayout.UNKNOWN, 0, "N");
        assertThat(unknown.count()).isEqualTo(1);
        assertThat(unknown.distance(0, CptTable.ANY)).isEqualTo(10);
    }

    @Test
    void cpusAndNodesHavePartitions() {
        CptTable table = CptTable.of(TWO_THREADS, 0, "0[0] 1[1] 2[2]");
        assertThat(table.ofCpu(1)).isEqualTo(1);
        assertThat(table.ofCpu(3)).isEqualTo(CptTable.ANY);
        assertThat(table.ofCpu(-1)).isEqualTo(CptTable.ANY);
        assertThat(table.ofCpu(4711)).isEqualTo(CptTable.ANY);
        assertThat(table.onNode(0)).containsExactly(0, 1);
        assertThat(table.ofNode(1)).isEqualTo(2);
        assertThat(table.ofNode(7)).isEqualTo(CptTable.ANY);
    }

    @Test
    void aNodeOfMemoryAloneMakesNoPartitionButCountsAsFar() {
        CpuLayout layout = new CpuLayout(List.of(
                new NumaNode(0, List.of(new Cpu(0, 0)), List.of(10, 40)), new NumaNode(3, List.of(), List.of(40, 10))));
        CptTable table = CptTable.of(layout, 0, "N");
        assertThat(table.count()).isEqualTo(1);
        assertThat(table.ofNode(3)).isEqualTo(CptTable.ANY);
        assertThat(table.distance(0, table.ofNode(3))).isEqualTo(40);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1@tcp, 3",
        "10.0.0.2@tcp, 0",
        "10.0.0.255@tcp, 1",
        "255.255.255.255@tcp3, 0",
        "2001:db8::1@tcp, 3"
    })
    void aNidIsCountedByTheSumOfItsBytes(String nid, int expected) {
        assertThat(CptTable.ofNid(Nid.parse(nid), new int[] {0, 1, 2, 3})).isEqualTo(expected);
        assertThat(CptTable.ofNid(Nid.parse(nid), new int[] {6})).isEqualTo(6);
    }

    @Test
    void listsOfPartitionsAreChecked() {
        CptTable table = CptTable.of(TWO_THREADS, 4, "");
        assertThat(table.check(List.of())).containsExactly(0, 1, 2, 3);
        assertThat(table.check(List.of(2, 0, 2))).containsExactly(0, 2);
        for (int wrong : new int[] {-1, 4}) {
            assertThatThrownBy(() -> table.check(List.of(0, wrong)))
                    .isInstanceOfSatisfying(
                            ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ERANGE))
                    .hasMessageContaining("0…3");
        }
    }

    @Test
    void layoutsAreChecked() {
        assertThatThrownBy(() -> new CpuLayout(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new CpuLayout(List.of(new NumaNode(0, List.of(new Cpu(0, 0)), List.of()))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
