package org.railyard.sm.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.FabricBuilder.NodeBuilder;
import org.railyard.fabric.model.NodeType;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.sm.role.ManagerSearch.Place;

/** Which ports are asked for a subnet manager; of more than a subnet can have the first ones. */
class ManagerSearchTest {
    private static final int HOSTS = 70;
    private static final int PORTS = 80;

    private final Fabric fabric = fabric();
    private final OneAmongOthers one = new OneAmongOthers(fabric, host(0), RoleSettings.DEFAULT);

    /** One switch; the first node after it has as many ports, most of them without a cable. */
    private static Fabric fabric() {
        FabricBuilder builder = new FabricBuilder();
        NodeBuilder sw = builder.node(NodeType.SWITCH, 0x1000, PORTS, "S");
        for (int host = 0; host < HOSTS; host++) {
            NodeBuilder node = builder.node(NodeType.CA, 0x2000 + 0x100L * host, host == 1 ? PORTS : 1, "H-" + host);
            builder.connect(node, 1, sw, host + 1);
        }
        return builder.build();
    }

    private int host(int number) {
        return fabric.portIndex(fabric.switchCount() + number, 1);
    }

    private List<String> found(int foreignLid) {
        List<ManagerSearch.Result> results = new ArrayList<>();
        RequestSettings once = RequestSettings.DEFAULT.withTimeout(1_000_000, 0);
        ManagerSearch.start(one.requests, once, one.discover(), foreignLid, results::add);
        assertThat(one.loop.runUntil(() -> !results.isEmpty(), 60 * OneAmongOthers.SECOND))
                .isTrue();
        return results.getFirst().places().stream().map(Place::name).toList();
    }

    @Test
    void noMoreThanTheLimitAreAsked() {
        for (int host = 0; host < HOSTS; host++) {
            one.subnet
                    .attach(host(host) == one.port ? fabric.portIndex(0, 0) : host(host))
                    .markSm(true);
        }
        assertThat(found(0)).hasSize(ManagerSearch.MAX_MANAGERS).contains("S/0", "H-1/1");
    }

    @Test
    void portsThatSayNothingDoNotCount() {
        one.subnet.attach(host(HOSTS - 1)).markSm(true);
        assertThat(found(0)).containsExactly("H-69/1");
    }

    @Test
    void thePortOfAnotherMasterIsAskedAlthoughItSaysNothing() {
        one.says(host(3), 7, 7, PortState.ACTIVE);
        assertThat(found(7)).containsExactly("H-3/1");
        assertThat(found(8)).isEmpty();
        assertThat(found(0)).as("ports without a LID").isEmpty();
    }
}
