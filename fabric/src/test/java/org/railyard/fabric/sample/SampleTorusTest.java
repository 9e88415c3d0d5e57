package org.railyard.fabric.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;

final class SampleTorusTest {
    @ParameterizedTest
    @CsvSource({"3, 3, 1, 3", "4, 5, 1, 4", "2, 4, 1, 2", "2, 3, 4, 4"})
    void seedsAreOfUseAtEdgesToo(int x, int y, int z, int most) {
        for (Set<Integer> open : List.of(Set.of(0), Set.of(1), Set.of(0, 1, 2))) {
            SampleTorus plan = SampleTorus.torus(x, y, z, 1).withOpen(open);
            Fabric fabric = FreshLids.assign(plan.fabric(), Fabric.NONE);
            for (int seeds = 1; seeds <= most; seeds++) {
                String conf;
                try {
                    conf = plan.conf(seeds);
                } catch (FabricException e) {
                    assertThat(seeds).as(e.getMessage()).isGreaterThan(1);
                    break;
                }
                assertThat(new TorusEngine(TorusConfParser.parse(conf), TorusOptions.DEFAULT)
                                .route(fabric, EngineOptions.DEFAULT))
                        .as(conf)
                        .isInstanceOf(Routing.class);
            }
        }
    }

    @Test
    void moreSeedsThanFitAreRefused() {
        assertThatThrownBy(
                        () -> SampleTorus.torus(3, 3, 1, 1).withOpen(Set.of(0)).conf(4))
                .hasMessageContaining("at most with no switch in common");
    }
}
