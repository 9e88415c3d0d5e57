package org.railyard.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;

/** What is told of an entry of a switch. */
class SwitchRouteTest {
    private static final int LMC = 1;
    private static final String SWITCH = "S-0.0.0";

    /** With up-down, the LIDs of a port have entries of their own. */
    @Test
    void eachLidOfAPortHasItsOwnEntry() {
        Fabric cabled = SampleTorus.torus(3, 3, 2, 1).fabric();
        int host = cabled.portIndex(cabled.nodeCount() - 1, 1);
        Fabric fabric = FreshLids.assign(cabled, cabled.portIndex(cabled.switchCount(), 1), LMC);
        Routing routing = (Routing)
                EngineName.UP_DOWN.engine(null, false, List.of()).route(fabric, new EngineOptions(4, 1, List.of()));
        int first = fabric.lid(host);
        int sw = new EndPortFinder(fabric).findSwitch(SWITCH);
        assertThat(routing.forwarding().port(sw, first))
                .isNotEqualTo(routing.forwarding().port(sw, first + 1));
        SwitchRoute routes = new SwitchRoute(fabric, routing, Optional.empty());
        for (int lid = first; lid < first + (1 << LMC); lid++) {
            for (String name : List.of(Integer.toString(lid), "0x%04x".formatted(lid))) {
                Map<String, Object> told = routes.document(SWITCH, name);
                assertThat(told).containsEntry("lid", (long) lid).containsEntry("end", "arrives");
                assertThat(told)
                        .containsEntry("port", (long) routing.forwarding().port(sw, lid));
            }
        }
        assertThat(routes.document(SWITCH, fabric.description(fabric.nodeOf(host))))
                .containsEntry("lid", (long) first);
    }
}
