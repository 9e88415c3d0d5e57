package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SlToVlTable;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;

/** Each check of the devices finds what somebody else has spoilt behind the subnet manager's back. */
class DevicesTest {
    private final SimulatedSm sm =
            SimulatedSm.of(SampleTorus.torus(5, 5, 1, 1), 1).started();
    private final Devices devices = new Devices(sm.subnet);
    private final Fabric fabric = sm.fabric;
    private final int host = fabric.nodeCount() - 1;
    private final SimulatedPort vandal = sm.subnet.attach(fabric.portIndex(host, 1));
    private final int near = fabric.nodeOf(fabric.cable(fabric.portIndex(host, 1)));

    @BeforeEach
    void rightAtFirst() {
        assertThat(devices.faults(sm.snapshot())).isEmpty();
    }

    private <T extends BitStruct<T>> void set(AttributeType<T> type, int modifier, DirectedPath path, T value) {
        vandal.send(Mad.directed(MadMethod.SET, type, modifier, path).setData(type, value), MadAddress.DIRECTED, 100);
        sm.subnet.loop().runFor(1_000_000);
    }

    private DirectedPath toSwitch() {
        return DirectedPath.OWN_NODE.then(1);
    }

    private List<String> faults() {
        return devices.faults(sm.snapshot());
    }

    @Test
    void anEntryThatIsNotAsProgrammed() {
        LinearForwardingTable table = LinearForwardingTable.TYPE.create();
        for (int i = 0; i < LinearForwardingTable.BLOCK; i++) {
            table.set(LinearForwardingTable.PORTS, i, LinearForwardingTable.NO_PATH);
        }
        set(LinearForwardingTable.TYPE, Modifiers.block(0), toSwitch(), table);
        assertThat(faults()).anyMatch(fault -> fault.contains("goes to port 255"));
        assertThat(faults()).anyMatch(fault -> fault.contains("UNREACHABLE"));
    }

    @Test
    void packetsThatGoRound() {
        int away = 0;
        for (int port = 1; port <= fabric.ports(near) && away == 0; port++) {
            int peer = fabric.cable(fabric.portIndex(near, port));
            boolean back = peer != Fabric.NONE
                    && fabric.isSwitch(fabric.nodeOf(peer))
                    && sm.subnet.node(fabric.nodeOf(peer)).forward(lid(host)) == fabric.portNumber(peer);
            away = back ? port : away;
        }
        LinearForwardingTable table = LinearForwardingTable.TYPE.create();
        for (int i = 0; i < LinearForwardingTable.BLOCK; i++) {
            table.set(
                    LinearForwardingTable.PORTS,
                    i,
                    i == lid(host) ? away : sm.subnet.node(near).forward(i));
        }
        set(LinearForwardingTable.TYPE, Modifiers.block(0), toSwitch(), table);
        assertThat(faults()).anyMatch(fault -> fault.contains("FORWARDING_LOOP"));
    }

    private int lid(int node) {
        return sm.subnet.node(node).portInfo(1).getInt(PortInfo.LID);
    }

    @Test
    void aCreditLoop() {
        SlToVlTable zero = SlToVlTable.TYPE.create();
        List<DirectedPath> paths = new ArrayList<>(List.of(toSwitch()));
        List<Integer> nodes = new ArrayList<>(List.of(near));
        for (int i = 0; i < nodes.size(); i++) {
            for (int port = 1; port <= fabric.ports(nodes.get(i)); port++) {
                int peer = fabric.cable(fabric.portIndex(nodes.get(i), port));
                if (peer != Fabric.NONE
                        && fabric.isSwitch(fabric.nodeOf(peer))
                        && !nodes.contains(fabric.nodeOf(peer))) {
                    nodes.add(fabric.nodeOf(peer));
                    paths.add(paths.get(i).then(port));
                }
            }
        }
        for (int i = 0; i < nodes.size(); i++) {
            for (int in = 0; in <= fabric.ports(nodes.get(i)); in++) {
                for (int out = 1; out <= fabric.ports(nodes.get(i)); out++) {
                    set(SlToVlTable.TYPE, Modifiers.slToVl(in, out), paths.get(i), zero);
                }
            }
        }
        assertThat(faults()).anyMatch(fault -> fault.contains("credit loop"));
    }

    @Test
    void aLidThatIsAnothers() {
        PortInfo info = sm.subnet.node(host).portInfo(1);
        set(
                PortInfo.TYPE,
                Modifiers.port(1),
                DirectedPath.OWN_NODE,
                info.toSet().set(PortInfo.LID, 1));
        assertThat(faults()).anyMatch(fault -> fault.contains("is another's"));
    }

    @Test
    void anotherSubnetManager() {
        PortInfo info = sm.subnet.node(host).portInfo(1);
        set(
                PortInfo.TYPE,
                Modifiers.port(1),
                DirectedPath.OWN_NODE,
                info.toSet().set(PortInfo.MASTER_SM_LID, 9));
        assertThat(faults()).anyMatch(fault -> fault.contains("SM LID 9"));
    }

    @Test
    void aLinkThatCarriesNothing() {
        PortInfo info = sm.subnet.node(near).portInfo(1);
        set(PortInfo.TYPE, Modifiers.port(1), toSwitch(), info.toSet().set(PortInfo.STATE, PortState.DOWN.code()));
        assertThat(faults()).anyMatch(fault -> fault.contains("is up, but INIT"));
    }
}
