package org.railyard.fabric.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.sample.SampleNetwork.Gap;

final class SampleNetworkTest {
    /** Names of the switches that a switch has cables to, in the order of its ports. */
    private static List<String> neighbours(Fabric fabric, String name) {
        int sw = find(fabric, name);
        return IntStream.rangeClosed(1, fabric.ports(sw))
                .map(port -> fabric.peer(fabric.portIndex(sw, port)))
                .filter(peer -> peer != Fabric.NONE)
                .mapToObj(peer -> fabric.description(fabric.nodeOf(peer)))
                .toList();
    }

    private static int find(Fabric fabric, String name) {
        return IntStream.range(0, fabric.nodeCount())
                .filter(node -> fabric.description(node).equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aFatTreeJoinsSwitchesThatDifferInOnePlace() {
        Fabric tree = SampleFatTree.full(List.of(2, 3, 4)).network().fabric();
        assertThat(tree.switchCount()).isEqualTo(4 * 3 + 4 * 2 + 3 * 2);
        assertThat(tree.nodeCount() - tree.switchCount()).isEqualTo(2 * 3 * 4);
        assertThat(neighbours(tree, "S-1.3.2")).containsExactly("H-1.3.2.0", "H-1.3.2.1", "S-2.3.0", "S-2.3.1");
        assertThat(neighbours(tree, "S-2.3.1"))
                .containsExactly("S-1.3.0", "S-1.3.1", "S-1.3.2", "S-3.0.1", "S-3.1.1", "S-3.2.1");
        assertThat(neighbours(tree, "S-3.2.1")).containsExactly("S-2.0.1", "S-2.1.1", "S-2.2.1", "S-2.3.1");
        assertThat(new SampleFatTree(List.of(6), List.of(), 1)
                        .network()
                        .fabric()
                        .switchCount())
                .isOne();
    }

    @Test
    void aDragonflyJoinsEachTwoSwitchesOfAGroupAndEachTwoGroups() {
        Fabric dragonfly = new SampleDragonfly(9, 4, 2, 2).network().fabric();
        assertThat(dragonfly.switchCount()).isEqualTo(36);
        TreeMap<Set<String>, Integer> cables =
                new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
        for (int sw = 0; sw < 36; sw++) {
            String group = dragonfly.description(sw).replaceAll("\\.\\d+$", "");
            List<String> there = neighbours(dragonfly, dragonfly.description(sw)).stream()
                    .filter(name -> name.startsWith("S-"))
                    .map(name -> name.replaceAll("\\.\\d+$", ""))
                    .toList();
            assertThat(there).hasSize(3 + 2);
            assertThat(there.stream().filter(group::equals)).hasSize(3);
            there.stream()
                    .filter(other -> !other.equals(group))
                    .forEach(other -> cables.merge(new TreeSet<>(Set.of(group, other)), 1, Integer::sum));
        }
        // Each cable is seen from both of its ends.
        assertThat(cables).hasSize(36);
        assertThat(cables.values()).containsOnly(2);
    }

    @Test
    void moreCablesOfADragonflyGoRoundAllGroupsEvenly() {
        Fabric dragonfly = new SampleDragonfly(3, 4, 1, 3).network().fabric();
        // 12 ports of a group for two others: six cables to each.
        assertThat(IntStream.range(0, 12)
                        .mapToLong(sw ->
                                neighbours(dragonfly, dragonfly.description(sw)).size() - 4)
                        .sum())
                .isEqualTo(3 * 6 * 2);
        assertThat(new SampleDragonfly(1, 1, 3, 0).network().fabric().nodeCount())
                .isEqualTo(4);
    }

    @Test
    void aHyperXJoinsAllSwitchesOfARow() {
        Fabric hyperx = new SampleHyperX(List.of(3, 4), 1, 1).network().fabric();
        assertThat(neighbours(hyperx, "S-1.2"))
                .containsExactlyInAnyOrder("H-1.2.0", "S-0.2", "S-2.2", "S-1.0", "S-1.1", "S-1.3");
        Fabric cube = new SampleHyperX(List.of(2, 2, 2), 0, 2).network().fabric();
        assertThat(neighbours(cube, "S-0.0.0"))
                .containsExactlyInAnyOrder("S-1.0.0", "S-1.0.0", "S-0.1.0", "S-0.1.0", "S-0.0.1", "S-0.0.1");
    }

    @Test
    void whatIsMissingChangesNothingElse() {
        SampleNetwork plan = new SampleHyperX(List.of(4), 2, 1).network();
        Fabric whole = plan.fabric();
        Fabric damaged = plan.fabric(Set.of("S-1"), Set.of(new Gap("S-3", "S-0")));
        assertThat(damaged.switchCount()).isEqualTo(3);
        assertThat(damaged.nodeCount()).isEqualTo(9);
        assertThat(neighbours(damaged, "S-0")).containsExactly("H-0.0", "H-0.1", "S-2");
        for (String name : List.of("S-0", "S-2", "S-3", "H-3.1")) {
            assertThat(damaged.guid(find(damaged, name))).isEqualTo(whole.guid(find(whole, name)));
        }
        int cable = damaged.peer(damaged.portIndex(find(damaged, "S-0"), 4));
        assertThat(damaged.description(damaged.nodeOf(cable))).isEqualTo("S-2");
    }

    @Test
    void whatCannotBeIsRefusedBeforeItIsMade() {
        SampleNetwork plan = new SampleHyperX(List.of(2, 2), 1, 1).network();
        List<org.assertj.core.api.ThrowableAssert.ThrowingCallable> wrong = List.of(
                () -> plan.fabric(Set.of("S-2.2"), Set.of()),
                () -> plan.fabric(Set.of(), Set.of(new Gap("S-0.0", "S-1.1"))),
                () -> plan.fabric(Set.of("S-0.1"), Set.of(new Gap("S-0.0", "S-0.1"))),
                () -> new SampleFatTree(List.of(4, 4), List.of(), 1),
                () -> SampleFatTree.full(List.of()),
                () -> SampleFatTree.full(List.of(4, 0)),
                () -> SampleFatTree.full(List.of(200, 200, 200)).network(),
                () -> SampleFatTree.full(List.of(200, 100)).network(),
                () -> new SampleFatTree(
                                List.of(1, 250, 250, 250, 250, 250, 250, 250),
                                List.of(250, 250, 250, 250, 250, 250, 250),
                                1)
                        .network(),
                () -> new SampleDragonfly(10, 2, 1, 4),
                () -> new SampleDragonfly(60_000, 200, 1, 0).network(),
                () -> new SampleDragonfly(64_770, 1, 0, 0).network(),
                () -> new SampleHyperX(List.of(), 1, 1),
                () -> new SampleHyperX(IntStream.range(0, 17).mapToObj(_ -> 1).collect(Collectors.toList()), 1, 1),
                () -> new SampleHyperX(List.of(254, 254, 254, 254, 254, 254), 254, 1).network(),
                () -> new SampleHyperX(List.of(200, 200), 0, 1).network(),
                () -> new SampleHyperX(List.of(4), 255, 1));
        for (int i = 0; i < wrong.size(); i++) {
            assertThatExceptionOfType(FabricException.class).as("case " + i).isThrownBy(wrong.get(i));
        }
    }
}
