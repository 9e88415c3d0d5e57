package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.smp.PortInfo;
import org.railyard.sm.SweepReport.Result;
import org.railyard.sm.conf.OpenSmOptions;
import org.railyard.sm.master.OpenSmSettings;

/** What QoS settings of an opensm.conf become in ports: limits and SL to VL tables of each kind. */
class QosOfPortsTest {
    private static final SampleTorus TORUS = SampleTorus.torus(3, 3, 1, 1);
    private static final int NO_LIMIT = 255;

    private final Fabric fabric = TORUS.fabric();
    private final int host = fabric.nodeCount() - 1;
    private final int door = fabric.cable(fabric.portIndex(host, 1));

    private static SmSettings settings(String conf) {
        RoutingSettings upDown = RoutingSettings.of(EngineName.UP_DOWN.engine(null, false, List.of()));
        return new OpenSmSettings(OpenSmOptions.parse(conf)).manager(SmSettings.of(upDown), false);
    }

    private static String same(int vl) {
        return (vl + ",").repeat(15) + vl + "\n";
    }

    private int limit(SimulatedSm sm, int node, int port) {
        return sm.subnet.node(node).portInfo(port).getInt(PortInfo.VL_HIGH_LIMIT);
    }

    private int vlFromHost(SimulatedSm sm) {
        return sm.subnet.node(host).slToVl(0, 0, 0);
    }

    private int vlToHost(SimulatedSm sm) {
        return sm.subnet.node(fabric.nodeOf(door)).slToVl(1, fabric.portNumber(door), 0);
    }

    @Test
    void kindsOfPortsHaveTheirOwnLimit() {
        SimulatedSm sm =
                new SimulatedSm(fabric, settings("qos TRUE\nqos_swe_high_limit 3\n"), TextStore.NONE, 1).started();
        assertThat(limit(sm, fabric.nodeOf(door), fabric.portNumber(door))).isEqualTo(3);
        assertThat(limit(sm, host, 1)).isEqualTo(NO_LIMIT);
        sm.subnet.loop().execute(() -> sm.manager.configure(settings("qos TRUE\nqos_ca_high_limit 9\n"), "reload"));
        sm.settle();
        assertThat(limit(sm, fabric.nodeOf(door), fabric.portNumber(door))).isEqualTo(NO_LIMIT);
        assertThat(limit(sm, host, 1)).isEqualTo(9);
    }

    @Test
    void tablesAreThoseOfTheFileAndChangeWithIt() {
        String conf = "qos TRUE\nqos_swe_sl2vl " + same(5) + "qos_ca_sl2vl " + same(1);
        SimulatedSm sm = new SimulatedSm(fabric, settings(conf), TextStore.NONE, 1).started();
        assertThat(vlToHost(sm)).isEqualTo(5);
        assertThat(vlFromHost(sm)).isEqualTo(1);
        sm.subnet.loop().execute(() -> sm.manager.configure(settings("qos TRUE\nqos_sl2vl " + same(3)), "reload"));
        sm.settle();
        assertThat(sm.last().result()).isEqualTo(Result.DONE);
        assertThat(vlToHost(sm)).isEqualTo(3);
        assertThat(vlFromHost(sm)).isEqualTo(3);
    }
}
