package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.sim.SimulatedNode;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.sm.model.SubnetSnapshot;

class SnapshotTest {
    @Test
    void saysWhatTheDevicesHave() {
        SimulatedSm sm = SimulatedSm.of(SampleTorus.torus(3, 3, 1, 1), 1).started();
        SubnetSnapshot snapshot = sm.snapshot();
        Fabric fabric = snapshot.fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            SimulatedNode device = sm.subnet.node(sm.fabric.nodeOfGuid(fabric.guid(fabric.nodeOf(port))));
            int number = fabric.portNumber(port);
            if (snapshot.portInfo(port).isEmpty()) {
                continue;
            }
            PortInfo said = snapshot.portInfo(port).orElseThrow();
            PortInfo has = device.portInfo(number);
            assertThat(said.differences(has).stream().filter(field -> field != PortInfo.LOCAL_PORT))
                    .isEmpty();
            boolean linked = fabric.peer(port) != Fabric.NONE;
            for (int block = Modifiers.LOW_FIRST; block <= Modifiers.HIGH_FIRST; block += 2) {
                int at = device.isSwitch() ? number : 0;
                assertThat(snapshot.vlArbitration(port, block)
                                .map(Object::toString)
                                .orElse(""))
                        .isEqualTo(linked ? device.vlArbitration(at, block).toString() : "");
            }
        }
        for (int node = 0; node < fabric.nodeCount(); node++) {
            SimulatedNode device = sm.subnet.node(sm.fabric.nodeOfGuid(fabric.guid(node)));
            assertThat(snapshot.nodeInfo(node).get(NodeInfo.NODE_GUID)).isEqualTo(fabric.guid(node));
            assertThat(snapshot.switchInfo(node).isPresent()).isEqualTo(device.isSwitch());
            if (device.isSwitch()) {
                assertThat(snapshot.switchInfo(node).orElseThrow().get(SwitchInfo.LINEAR_TOP))
                        .isEqualTo(fabric.maxLid());
            }
        }
    }

    @Test
    void saysWhoMadeItAndWhen() {
        SimulatedSm sm = SimulatedSm.of(SampleTorus.torus(3, 3, 1, 1), 1).started();
        SubnetSnapshot first = sm.snapshot();
        assertThat(first.sweep()).isEqualTo(1);
        sm.manager.sweepNow("test");
        sm.settle();
        assertThat(sm.snapshot().sweep()).isEqualTo(2);
        assertThat(sm.snapshot().takenNanos()).isGreaterThan(first.takenNanos());
    }
}
