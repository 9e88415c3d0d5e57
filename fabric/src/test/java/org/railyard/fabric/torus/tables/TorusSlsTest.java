package org.railyard.fabric.torus.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.sample.Position;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.fabric.torus.placement.Placement;
import org.railyard.fabric.torus.qos.QosMode;

final class TorusSlsTest {
    @ParameterizedTest
    @EnumSource(QosMode.class)
    void allSlsToOneAreWhatEachIs(QosMode mode) {
        for (List<Integer> radix : List.of(List.of(5, 4, 3), List.of(6, 5, 1), List.of(1, 7, 1), List.of(2, 3, 4))) {
            SampleTorus torus = new SampleTorus(radix, Set.of(), 1, 1, Set.of(new Position(0, 2, 0)), Set.of());
            Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
            Placement placement = new TorusEngine(TorusConfParser.parse(torus.conf(1)), TorusOptions.DEFAULT)
                    .place(fabric)
                    .orElseThrow();
            TorusSls sls = new TorusSls(fabric, placement, mode);
            int[] all = new int[sls.classes()];
            for (int to = 0; to < sls.classes(); to++) {
                sls.slSetsTo(to, all);
                for (int from = 0; from < sls.classes(); from++) {
                    int expected = 0;
                    for (int level = 0; level < sls.levels(); level++) {
                        expected |= 1 << sls.classSl(from, to, level);
                    }
                    assertThat(all[from]).isEqualTo(expected);
                }
            }
        }
    }

    private static TorusSls sls(List<Integer> radix, Set<Position> missing, QosMode mode) {
        SampleTorus torus = new SampleTorus(radix, Set.of(), 1, 1, missing, Set.of());
        Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
        return new TorusSls(
                fabric,
                new TorusEngine(TorusConfParser.parse(torus.conf(1)), TorusOptions.DEFAULT)
                        .place(fabric)
                        .orElseThrow(),
                mode);
    }

    /** They say nothing of what is missing, so that a failure changes no SL. */
    @Test
    void whatAgreesHasTheSameSls() {
        List<Integer> radix = List.of(5, 4, 3);
        TorusSls whole = sls(radix, Set.of(), QosMode.TWO_LEVELS);
        TorusSls damaged = sls(radix, Set.of(new Position(0, 2, 0)), QosMode.TWO_LEVELS);
        assertThat(whole.isKnownToAgree(damaged)).isTrue();
        for (int from = 0; from < whole.classes(); from++) {
            for (int to = 0; to < whole.classes(); to++) {
                assertThat(whole.classSl(from, to, 1)).isEqualTo(damaged.classSl(from, to, 1));
            }
        }
        assertThat(whole.isKnownToAgree(sls(List.of(4, 5, 3), Set.of(), QosMode.TWO_LEVELS)))
                .isFalse();
        assertThat(whole.isKnownToAgree(sls(radix, Set.of(), QosMode.SEPARATE_MULTICAST)))
                .isFalse();
        assertThat(whole.isKnownToAgree(PathSls.constant(0))).isFalse();
    }

    @Test
    void lidsOfNobodyHaveNoClass() {
        SampleTorus torus = new SampleTorus(List.of(3, 3, 1), Set.of(), 1, 1, Set.of(), Set.of());
        Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
        TorusSls sls = sls(List.of(3, 3, 1), Set.of(), QosMode.TWO_LEVELS);
        for (int lid = 1; lid <= fabric.maxLid(); lid++) {
            assertThat(sls.classOf(lid)).as("LID %d", lid).isNotNegative();
        }
        for (int lid : new int[] {-1, 0, fabric.maxLid() + 1, 0xBFFF}) {
            assertThat(sls.classOf(lid)).as("LID %d", lid).isEqualTo(Placement.NONE);
        }
    }
}
