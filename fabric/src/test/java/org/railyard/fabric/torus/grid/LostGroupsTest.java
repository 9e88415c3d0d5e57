package org.railyard.fabric.torus.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What paths depend on when switches or cables are lost, against following each path (spec 30 §6, spec 32 §1). */
class LostGroupsTest {
    private static final int CASES = 400;

    private static SlToVlRule rule(int number) {
        return new SlToVlRule(new int[] {1, 2, 4, 8}[number % 4], 2);
    }

    @Test
    void itIsWhatIsLeftAndWhatIsNew() {
        SplittableRandom dice = new SplittableRandom(3);
        int lost = 0;
        int cut = 0;
        while (lost + cut < CASES) {
            DirectionRule direction = DirectionRule.values()[dice.nextInt(2)];
            SlToVlRule rule = rule(dice.nextInt(4));
            DimensionOrder order = new DimensionOrder(RandomGrid.grid(2, dice), direction);
            UnicastDependencies.Result exact = UnicastDependencies.of(order, rule);
            TorusDependencies known = exact.dependencies();
            for (int i = 0; exact.broken().isEmpty() && i < 3; i++) {
                DimensionOrder after = new DimensionOrder(RandomGrid.damaged(order.grid(), 2, dice), direction);
                WalkedFlows walked = new WalkedFlows(after, rule);
                Optional<TorusDependencies> found = LostGroups.of(known, order, after, rule);
                assertThat(found.isPresent()).isEqualTo(walked.isWhole());
                if (found.isEmpty()) {
                    cut++;
                    break;
                }
                assertUnion(found.get(), known, order.grid(), after.grid(), walked);
                known = found.get();
                order = after;
                lost++;
            }
        }
        assertThat(lost).isGreaterThan(CASES / 2);
        assertThat(cut).isGreaterThan(CASES / 20);
    }

    private static void assertUnion(
            TorusDependencies found, TorusDependencies known, TorusGrid then, TorusGrid now, WalkedFlows walked) {
        TorusDependencies union = known.copy();
        for (int i = 0; i < now.shape().positions() * TorusGroup.COUNT; i++) {
            int at = i / TorusGroup.COUNT;
            int group = i % TorusGroup.COUNT;
            if (then.isCabled(at, group) && !now.isCabled(at, group)) {
                union.remove(at, group);
            }
        }
        walked.addTo(union);
        TorusDependencies both = found.copy();
        walked.addTo(both);
        assertThat(List.of(found.channels(), found.dependencies()))
                .isEqualTo(List.of(both.channels(), both.dependencies()))
                .isEqualTo(List.of(union.channels(), union.dependencies()));
    }

    @Test
    void onlyLossesAreAnswered() {
        TorusShape shape = TorusShape.torus(4, 4, 1);
        TorusGrid less =
                TorusGrid.whole(shape).removeGroup(0, TorusGroup.plus(0)).build();
        DimensionOrder from = new DimensionOrder(less, DirectionRule.RING);
        TorusDependencies known = UnicastDependencies.of(from, rule(3)).dependencies();
        assertThat(LostGroups.of(known, from, from, rule(3))).as("nothing").isPresent();
        assertThat(LostGroups.of(known, from, new DimensionOrder(less, DirectionRule.MESH_AWARE), rule(3)))
                .as("by another rule")
                .isEmpty();
        TorusGrid other = TorusGrid.whole(TorusShape.torus(4, 2, 2)).build();
        assertThat(LostGroups.of(known, from, new DimensionOrder(other, DirectionRule.RING), rule(3)))
                .as("of another shape")
                .isEmpty();
        TorusGrid without = less.toBuilder().removeSwitch(5).build();
        DimensionOrder gone = new DimensionOrder(without, DirectionRule.RING);
        assertThat(LostGroups.of(known, from, gone, rule(3)))
                .as("a switch less")
                .isPresent();
        assertThat(LostGroups.of(known, gone, from, rule(3)))
                .as("a switch more")
                .isEmpty();
        TorusGrid cable = less.toBuilder().addGroup(0, TorusGroup.plus(0)).build();
        assertThat(LostGroups.of(known, from, new DimensionOrder(cable, DirectionRule.RING), rule(3)))
                .as("a cable more")
                .isEmpty();
    }
}
