package org.railyard.fabric.torus.multicast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.torus.grid.SlToVlRule;
import org.railyard.fabric.torus.grid.TorusDependencies;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;

/** Where roots of multicast trees are looked for, and how their trees grow. */
class MasterTreeTest {
    @Test
    void rootsAreLookedForFromTheMiddleOut() {
        assertThat(IntStream.range(0, 7).map(MiddleOut::offset)).containsExactly(0, -1, 1, -2, 2, -3, 3);
        assertThat(MiddleOut.coordinates(1)).containsExactly(0);
        assertThat(MiddleOut.coordinates(4)).containsExactly(2, 1, 3, 0);
        assertThat(MiddleOut.coordinates(5)).containsExactly(2, 1, 3, 0, 4);
    }

    @Test
    void theFirstRootIsInTheMiddleOfAPlaneWithoutAHole() {
        TorusShape shape = TorusShape.torus(5, 4, 3);
        assertThat(first(TorusGrid.whole(shape).build()).root()).isEqualTo(shape.position(2, 2, 1));
        // A hole in the middle plane: the one below it is whole.
        TorusGrid holed =
                TorusGrid.whole(shape).removeSwitch(shape.position(0, 0, 1)).build();
        assertThat(first(holed).root()).isEqualTo(shape.position(2, 2, 0));
        // A hole in each plane: a row without one, in the middle plane again.
        TorusGrid everywhere = TorusGrid.whole(shape)
                .removeSwitch(shape.position(1, 2, 0))
                .removeSwitch(shape.position(1, 2, 1))
                .removeSwitch(shape.position(1, 2, 2))
                .build();
        assertThat(first(everywhere).root()).isEqualTo(shape.position(2, 1, 1));
    }

    private static MasterTree first(TorusGrid grid) {
        return MasterTrees.of(grid).findFirst().orElseThrow();
    }

    @Test
    void aTreeHasEverySwitchThatIsThere() {
        TorusShape shape = TorusShape.torus(5, 4, 3);
        int hole = shape.position(3, 1, 1);
        TorusGrid grid = TorusGrid.whole(shape).removeSwitch(hole).build();
        MasterTree tree = first(grid);
        assertThat(tree.contains(hole)).isFalse();
        assertThat(grid.present().allMatch(tree::contains)).isTrue();

        BitSet all = new BitSet();
        grid.present().forEach(all::set);
        byte[] branches = tree.branches(all);
        int ends = IntStream.range(0, branches.length)
                .map(position -> Integer.bitCount(branches[position] & 0x3F))
                .sum();
        assertThat(ends).as("a cable less than switches, each with two ends").isEqualTo(2 * (all.cardinality() - 1));
        assertThat(branches[hole]).isZero();
        BitSet outside = new BitSet();
        outside.set(hole);
        assertThat(tree.branches(outside)).containsOnly((byte) 0);
    }

    /** Each cable of the tree both ways, be there another cable behind it or not. */
    @Test
    void channelsOfGroupsAreThoseOfTheTree() {
        SlToVlRule rule = new SlToVlRule(8, 8);
        TorusShape pair = TorusShape.torus(2, 1, 1);
        TorusGrid two = TorusGrid.whole(pair).build();
        TorusDependencies ofTwo = new TorusDependencies(pair);
        MulticastDependencies.add(ofTwo, two, first(two), rule);
        assertThat(ofTwo.channels()).isEqualTo(2);
        assertThat(ofTwo.dependencies()).isZero();
        TorusShape row = TorusShape.torus(5, 1, 1);
        TorusGrid five = TorusGrid.whole(row).build();
        TorusDependencies ofFive = new TorusDependencies(row);
        MulticastDependencies.add(ofFive, five, first(five), rule);
        assertThat(ofFive.channels())
                .as("a row without the cable over the dateline")
                .isEqualTo(2 * 4);
        assertThat(ofFive.dependencies()).isEqualTo(2 * 3);
    }

    @Test
    void treesAreEqualIfTheyAreAlikeFromTheSameRoot() {
        TorusGrid grid = TorusGrid.whole(TorusShape.torus(3, 3, 3)).build();
        List<MasterTree> trees = MasterTrees.of(grid).limit(2).toList();
        MasterTree again = first(grid);
        assertThat(trees.getFirst()).isEqualTo(again).hasSameHashCodeAs(again).isNotEqualTo(trees.get(1));
        assertThat(trees.getFirst().hashCode()).isNotEqualTo(trees.get(1).hashCode());
        assertThat(trees.getFirst())
                .isNotEqualTo(first(TorusGrid.whole(TorusShape.torus(3, 3, 4)).build()));
        assertThat((Object) trees.getFirst()).isNotEqualTo("a tree");
    }

    @Test
    void openSmsRootIsLookedForOnADiagonal() {
        TorusShape shape = TorusShape.torus(5, 5, 3);
        assertThat(rootOfOpenSm(TorusGrid.whole(shape).build())).contains(shape.position(2, 2, 1));
        // The ring of the middle has a hole: the next plane is whole.
        TorusGrid holed =
                TorusGrid.whole(shape).removeSwitch(shape.position(0, 2, 1)).build();
        assertThat(rootOfOpenSm(holed)).contains(shape.position(2, 2, 0));
        // No plane is whole: in the middle plane, one lower on the diagonal.
        TorusGrid everywhere = TorusGrid.whole(shape)
                .removeSwitch(shape.position(0, 2, 0))
                .removeSwitch(shape.position(0, 2, 1))
                .removeSwitch(shape.position(0, 2, 2))
                .build();
        assertThat(rootOfOpenSm(everywhere)).contains(shape.position(1, 1, 1));
    }

    @Test
    void openSmsRootMayBeTheFirstSwitch() {
        TorusShape shape = TorusShape.torus(3, 3, 1);
        TorusGrid grid =
                TorusGrid.whole(shape).removeSwitch(shape.position(2, 1, 0)).build();
        assertThat(rootOfOpenSm(grid)).contains(0);
    }

    /** Though lines from its first switch would reach all: OpenSM wants a root whose two rings are whole. */
    @Test
    void openSmHasNoTreeWithoutARoot() {
        TorusShape shape = TorusShape.torus(3, 3, 1);
        TorusGrid grid = TorusGrid.whole(shape)
                .removeSwitch(shape.position(1, 0, 0))
                .removeSwitch(shape.position(1, 1, 0))
                .removeSwitch(shape.position(1, 2, 0))
                .build();
        assertThat(UpstreamTree.of(grid)).isEmpty();
    }

    /** The groups by which a switch is in the tree of all. */
    private static List<Integer> branches(TorusGrid grid, int position) {
        BitSet all = new BitSet();
        grid.present().forEach(all::set);
        byte branches = first(grid).branches(all)[position];
        return IntStream.range(0, TorusGroup.COUNT)
                .filter(group -> (branches & 1 << group) != 0)
                .boxed()
                .toList();
    }

    @Test
    void aLeafHangsFromItsLowerNeighbourIfThatIsNoWayOverTheDateline() {
        TorusShape shape = TorusShape.torus(5, 4, 3);
        TorusGrid.Builder holed = TorusGrid.whole(shape).removeSwitch(shape.position(3, 1, 1));
        int leaf = shape.position(3, 1, 2);
        assertThat(branches(holed.build(), leaf)).containsExactly(TorusGroup.minus(1));
        // Without that cable it hangs from the higher one.
        holed.removeGroup(leaf, TorusGroup.minus(1));
        assertThat(first(holed.build()).root()).as("the first tree reaches it").isEqualTo(shape.position(2, 2, 0));
        assertThat(branches(holed.build(), leaf)).containsExactly(TorusGroup.plus(1));
        TorusGrid atTheDateline =
                TorusGrid.whole(shape).removeSwitch(shape.position(3, 0, 1)).build();
        assertThat(branches(atTheDateline, shape.position(3, 0, 2))).containsExactly(TorusGroup.plus(1));
        // The lower neighbour may be the first switch of all.
        TorusGrid atTheFirst =
                TorusGrid.whole(shape).removeSwitch(shape.position(0, 1, 2)).build();
        assertThat(branches(atTheFirst, shape.position(0, 1, 0))).containsExactly(TorusGroup.minus(1));
    }

    @Test
    void aLeafHangsFromAnotherRowIfItHasNoNeighbourInItsColumn() {
        TorusShape shape = TorusShape.torus(5, 1, 3);
        TorusGrid grid =
                TorusGrid.whole(shape).removeSwitch(shape.position(3, 0, 1)).build();
        assertThat(branches(grid, shape.position(3, 0, 2))).containsExactly(TorusGroup.minus(0));
    }

    private static Optional<Integer> rootOfOpenSm(TorusGrid grid) {
        return UpstreamTree.of(grid).map(MasterTree::root);
    }

    @Test
    void aCableHangsASwitchOnceOnly() {
        TorusShape shape = TorusShape.torus(3, 3, 1);
        TorusGrid grid = TorusGrid.whole(shape).build();
        MasterTree.Builder tree = new MasterTree.Builder(grid, 0);
        assertThat(tree.hang(0, 0)).isTrue();
        assertThat(tree.hang(0, 0)).as("it is in the tree").isFalse();
        tree.line(0, 1);
        assertThat(tree.contains(shape.position(0, 2, 0))).isTrue();
        assertThat(tree.contains(shape.position(1, 2, 0))).isFalse();
        assertThat(tree.isComplete()).isFalse();
    }
}
