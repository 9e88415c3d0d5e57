package org.railyard.fabric.torus.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The quick ways to the dependencies of all flows, against following each flow (spec 32 §1, §2). */
class UnicastFlowsTest {
    private static final int CASES = 120;

    private static SlToVlRule rule(int number) {
        return new SlToVlRule(new int[] {1, 2, 4, 8}[number % 4], 2);
    }

    @Test
    void dependenciesAreThoseOfAllFlows() {
        SplittableRandom dice = new SplittableRandom(7);
        int broken = 0;
        for (int i = 0; i < CASES; i++) {
            DimensionOrder order = new DimensionOrder(RandomGrid.grid(4, dice), DirectionRule.values()[i % 2]);
            WalkedFlows walked = new WalkedFlows(order, rule(i));
            UnicastDependencies.Result result = UnicastDependencies.of(order, rule(i));
            assertThat(result.broken().isEmpty()).isEqualTo(walked.isWhole());
            if (walked.isWhole()) {
                walked.assertSame(result.dependencies());
            } else {
                broken++;
            }
        }
        assertThat(broken).isBetween(CASES / 20, CASES / 2);
    }

    @Test
    void aPairWithoutAWayIsNamed() {
        TorusShape line = TorusShape.of(new int[] {4, 1, 1}, new boolean[] {true, true, true});
        TorusGrid cut = TorusGrid.whole(line).removeGroup(1, TorusGroup.plus(0)).build();
        assertThat(UnicastDependencies.of(new DimensionOrder(cut, DirectionRule.RING), rule(3))
                        .broken())
                .contains("no way from (2,0,0) to (0,0,0)");
    }

    @Test
    void whatIsGoneMovesTheFlowsThatItCarried() {
        SplittableRandom dice = new SplittableRandom(11);
        int moved = 0;
        int refused = 0;
        while (moved + refused < CASES) {
            DirectionRule direction = DirectionRule.values()[dice.nextInt(2)];
            DimensionOrder before = new DimensionOrder(RandomGrid.grid(2, dice), direction);
            int[] ends = WalkedFlows.ends(before.grid().shape());
            SlToVlRule rule = rule(dice.nextInt(4));
            Optional<UnicastFlows> flows = UnicastFlows.of(before, rule, ends);
            assertThat(flows.isPresent()).isEqualTo(new WalkedFlows(before, rule).isWhole());
            if (flows.isEmpty()) {
                continue;
            }
            UnicastChange change = new UnicastChange(flows.get());
            for (int i = 0; i < 4; i++) {
                DimensionOrder after = new DimensionOrder(RandomGrid.damaged(before.grid(), 3, dice), direction);
                WalkedFlows walked = new WalkedFlows(after, rule);
                assertThat(change.to(after)).isEqualTo(walked.isWhole());
                if (walked.isWhole()) {
                    assertSame(change, walked, before, after, ends);
                    moved++;
                } else {
                    refused++;
                }
            }
        }
        assertThat(moved).isGreaterThan(CASES / 2);
        assertThat(refused).isGreaterThan(CASES / 20);
    }

    private static void assertSame(
            UnicastChange change, WalkedFlows walked, DimensionOrder before, DimensionOrder after, int[] ends) {
        walked.assertSame(change.dependencies());
        for (int i = 0; i < walked.pairs.length; i++) {
            assertThat(change.pairs(i / TorusGroup.COUNT, i % TorusGroup.COUNT)).isEqualTo(walked.pairs[i]);
        }
        assertThat(change.maxHops()).isEqualTo(walked.hops.length - 1);
        for (int hops = 0; hops < walked.hops.length; hops++) {
            assertThat(change.pairsWithHops(hops)).isEqualTo(walked.hops[hops]);
        }
        long entries = 0;
        int[] left = after.grid().present().toArray();
        for (int at : left) {
            for (int to : left) {
                entries += before.nextGroup(at, to) == after.nextGroup(at, to) ? 0 : ends[to];
            }
        }
        assertThat(change.entriesChanged(ends)).isEqualTo(entries);
    }

    @Test
    void onlyLossesAreChanges() {
        TorusShape shape = TorusShape.torus(4, 4, 1);
        TorusGrid whole = TorusGrid.whole(shape).build();
        TorusGrid less = whole.toBuilder()
                .removeSwitch(5)
                .removeGroup(0, TorusGroup.plus(0))
                .build();
        DimensionOrder from = new DimensionOrder(less, DirectionRule.RING);
        UnicastChange change =
                new UnicastChange(UnicastFlows.of(from, rule(3), new int[16]).orElseThrow());
        assertThat(change.to(from)).as("nothing").isTrue();
        assertThat(change.to(new DimensionOrder(less, DirectionRule.MESH_AWARE)))
                .as("by another rule")
                .isFalse();
        TorusGrid other =
                TorusGrid.whole(TorusShape.torus(4, 2, 2)).removeSwitch(5).build();
        assertThat(change.to(new DimensionOrder(other, DirectionRule.RING)))
                .as("of another shape")
                .isFalse();
        assertThat(change.to(new DimensionOrder(less.toBuilder().addSwitch(5).build(), DirectionRule.RING)))
                .as("a switch more")
                .isFalse();
        TorusGrid cable = less.toBuilder().addGroup(0, TorusGroup.plus(0)).build();
        assertThat(change.to(new DimensionOrder(cable, DirectionRule.RING)))
                .as("a cable more")
                .isFalse();
        assertThat(change.to(new DimensionOrder(less.toBuilder().removeSwitch(6).build(), DirectionRule.RING)))
                .isTrue();
    }

    @Test
    void largeToriAreNotCounted() {
        TorusShape line =
                TorusShape.of(new int[] {UnicastFlows.MAX_POSITIONS + 1, 1, 1}, new boolean[] {true, true, true});
        DimensionOrder empty = new DimensionOrder(TorusGrid.empty(line).build(), DirectionRule.RING);
        assertThat(UnicastFlows.of(empty, rule(3), new int[line.positions()])).isEmpty();
    }

    @Test
    void aLoopIsTheShortestFromTheLowestChannel() {
        TorusShape shape = TorusShape.torus(3, 3, 1);
        TorusDependencies some = new TorusDependencies(shape);
        some.addDependency(0, 1, 0, 1, 1, 0);
        some.addDependency(1, 1, 0, 2, 1, 0);
        assertThat(some.loop()).isEmpty();
        TorusDependencies ring = some.copy();
        ring.addDependency(2, 1, 0, 0, 1, 0);
        assertThat(some.loop()).as("a copy grows on its own").isEmpty();
        assertThat(ring.loop().orElseThrow())
                .extracting(channel -> channel.name(shape))
                .containsExactly("(0,0,0)+x vl 0", "(1,0,0)+x vl 0", "(2,0,0)+x vl 0");
        assertThat(ring.channels()).isEqualTo(3);
        assertThat(ring.dependencies()).isEqualTo(3);
        ring.addDependency(0, 3, 2, 3, 2, 1);
        ring.addDependency(3, 2, 1, 0, 3, 2);
        assertThat(ring.loop().orElseThrow())
                .as("+x comes first")
                .hasSize(3)
                .startsWith(new TorusDependencies.Channel(0, 1, 0));
        TorusDependencies back = new TorusDependencies(shape);
        back.addDependency(1, 0, 3, 0, 3, 2);
        back.addDependency(0, 3, 2, 3, 2, 1);
        back.addDependency(3, 2, 1, 0, 3, 2);
        assertThat(back.loop().orElseThrow())
                .extracting(channel -> channel.name(shape))
                .containsExactly("(0,0,0)+y vl 2", "(0,1,0)-y vl 1");
    }
}
