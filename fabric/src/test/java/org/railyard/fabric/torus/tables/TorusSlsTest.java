package org.railyard.fabric.torus.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
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
}
