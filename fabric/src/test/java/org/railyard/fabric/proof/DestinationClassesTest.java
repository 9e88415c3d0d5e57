package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;

/** What the proof looks at grows with the switches of a torus, and not with its hosts. */
class DestinationClassesTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void aTorusHasOneClassForEachSwitch(int hosts) {
        SampleTorus torus = new SampleTorus(List.of(5, 4, 3), Set.of(), hosts, 1, Set.of(), Set.of());
        Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
        TorusEngine engine = new TorusEngine(TorusConfParser.parse(torus.conf(1)), TorusOptions.DEFAULT);
        Routing routing = (Routing) engine.route(fabric, EngineOptions.DEFAULT);
        List<DestinationClasses.Destination> classes =
                new DestinationClasses(fabric, routing, CheckOptions.DEFAULT).all();
        assertThat(classes).hasSize(60).allMatch(each -> each.count() == hosts);
    }
}
