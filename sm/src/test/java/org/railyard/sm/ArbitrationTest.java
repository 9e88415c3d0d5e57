package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.fabric.torus.qos.QosSettings;
import org.railyard.fabric.torus.qos.VlArbTable;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.VlArbitrationTable;

/** VL arbitration tables of ports with space for more entries than one block has. */
class ArbitrationTest {
    private static final SampleTorus TORUS = SampleTorus.torus(3, 3, 1, 1);
    private static final int ROOMY = 4;
    private static final int LOW_SPACE = 35;

    private static VlArbTable table(int entries) {
        return VlArbTable.parse(
                IntStream.range(0, entries).mapToObj(i -> i % 8 + ":" + (i + 1)).collect(Collectors.joining(",")));
    }

    private static SmSettings settings(int low, int high) {
        QosSettings.Ports all = new QosSettings.Ports(8, table(high), table(low), OptionalLong.empty());
        return SmSettings.of(
                RoutingSettings.of(EngineName.TORUS_2QOS.engine(TorusConfParser.parse(TORUS.conf(1)), false, List.of()))
                        .withQos(new QosSettings(all, all, all, all)));
    }

    private static SimulatedSm sm(int low, int high) {
        SimulatedSm sm = new SimulatedSm(TORUS.fabric(), settings(low, high), TextStore.NONE, 1);
        sm.subnet.tamper(
                ROOMY,
                mad -> mad.isAbout(PortInfo.TYPE)
                        ? mad.copy()
                                .setData(
                                        PortInfo.TYPE,
                                        mad.data(PortInfo.TYPE)
                                                .set(PortInfo.VL_ARB_LOW_CAP, LOW_SPACE)
                                                .set(PortInfo.VL_ARB_HIGH_CAP, VlArbTable.MAX_ENTRIES))
                        : mad);
        return sm.started();
    }

    private static boolean isBetweenSwitches(Fabric fabric, int port) {
        int peer = fabric.cable(port);
        return peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer));
    }

    private static int[] weights(SimulatedSm sm, int node, int block) {
        int port = 1;
        while (!isBetweenSwitches(sm.fabric, sm.fabric.portIndex(node, port))) {
            port++;
        }
        VlArbitrationTable held = sm.subnet.node(node).vlArbitration(port, block);
        return IntStream.range(0, VlArbitrationTable.BLOCK)
                .map(i -> held.getInt(VlArbitrationTable.WEIGHTS, i))
                .toArray();
    }

    private static int[] from(int first, int count) {
        return IntStream.range(0, VlArbitrationTable.BLOCK)
                .map(i -> i < count ? first + i : 0)
                .toArray();
    }

    @Test
    void theRestGoesIntoTheSecondBlockAsFarAsThereIsSpace() {
        SimulatedSm sm = sm(50, 50);
        assertThat(weights(sm, ROOMY, Modifiers.LOW_FIRST)).isEqualTo(from(1, 32));
        assertThat(weights(sm, ROOMY, Modifiers.LOW_SECOND)).isEqualTo(from(33, LOW_SPACE - 32));
        assertThat(weights(sm, ROOMY, Modifiers.HIGH_FIRST)).isEqualTo(from(1, 32));
        assertThat(weights(sm, ROOMY, Modifiers.HIGH_SECOND)).isEqualTo(from(33, 50 - 32));
        assertThat(weights(sm, ROOMY + 1, Modifiers.LOW_FIRST))
                .as("a port with space for 8")
                .isEqualTo(from(1, 8));
        assertThat(weights(sm, ROOMY + 1, Modifiers.LOW_SECOND)).containsOnly(0);
    }

    @Test
    void entriesOfALongerTableDoNotStay() {
        SimulatedSm sm = sm(50, 50);
        sm.manager.stop();
        sm.port.close();
        SimulatedPort port = sm.subnet.attach(sm.smPort);
        SubnetManager manager = new SubnetManager(port, settings(3, 33), TextStore.NONE, sm, (mad, from) -> {});
        sm.reports.clear();
        sm.subnet.loop().execute(manager::start);
        sm.subnet.loop().runUntil(() -> !sm.reports.isEmpty(), SimulatedSm.PATIENCE);
        assertThat(weights(sm, ROOMY, Modifiers.LOW_FIRST)).isEqualTo(from(1, 3));
        assertThat(weights(sm, ROOMY, Modifiers.LOW_SECOND)).containsOnly(0);
        assertThat(weights(sm, ROOMY, Modifiers.HIGH_SECOND)).isEqualTo(from(33, 1));
    }
}
