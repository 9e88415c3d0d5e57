package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.MulticastForwardingTable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.sm.model.GroupMembers;

/** What is known of tables when answers lie, get lost, or somebody else has written before. */
class WritesTest {
    private static final SampleTorus TORUS = SampleTorus.torus(4, 4, 1, 1);
    private static final int GROUP = 0xC000;
    private static final int SWITCH = 5;

    private static int cable(Fabric fabric, int sw) {
        int port = fabric.portIndex(sw, 1);
        while (fabric.cable(port) == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(fabric.cable(port)))) {
            port++;
        }
        return port;
    }

    private static List<Long> hosts(Fabric fabric, int count) {
        List<Long> guids = new ArrayList<>();
        for (int node = fabric.switchCount(); node < fabric.switchCount() + count; node++) {
            guids.add(fabric.portGuid(fabric.portIndex(node, 1)));
        }
        return guids;
    }

    private static BitSet mask(SimulatedSm sm, int sw) {
        BitSet mask = new BitSet();
        for (int port = 1; port <= sm.fabric.ports(sw); port++) {
            mask.set(port, sm.subnet.node(sw).multicasts(GROUP, port));
        }
        return mask;
    }

    private static void group(SimulatedSm sm, SubnetManager manager, int hosts) {
        int before = sm.reports.size();
        sm.subnet.loop().execute(() -> manager.multicast(List.of(new GroupMembers(GROUP, 0, hosts(sm.fabric, hosts)))));
        sm.subnet.loop().runUntil(() -> sm.reports.size() > before, SimulatedSm.PATIENCE);
    }

    @Test
    void anAnswerWithOtherEntriesIsAFailure() {
        SimulatedSm sm = SimulatedSm.of(TORUS, 3).started();
        sm.subnet.tamper(SWITCH, mad -> {
            Mad other = mad.copy();
            if (mad.isAbout(LinearForwardingTable.TYPE)) {
                other.bytes()[Mad.SMP_DATA + 1] ^= 1;
            }
            return other;
        });
        int before = sm.reports.size();
        sm.subnet.unlink(cable(sm.fabric, SWITCH));
        sm.subnet.loop().runUntil(() -> sm.reports.size() > before, SimulatedSm.PATIENCE);
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.INCOMPLETE);
        assertThat(sm.last().notes()).anyMatch(note -> note.contains("the node did not take it"));
        sm.subnet.tamper(SWITCH, null);
        assertThat(sm.settle()).isTrue();
        assertThat(new Devices(sm.subnet).faults(sm.snapshot())).isEmpty();
    }

    @Test
    void aPortThatAcknowledgesItsLidAndHasNoneIsToldEachTime() {
        SimulatedSm sm = SimulatedSm.of(TORUS, 3);
        int host = sm.fabric.nodeCount() - 1;
        sm.subnet.tamper(
                host,
                mad -> mad.isAbout(PortInfo.TYPE)
                        ? mad.copy()
                                .setData(PortInfo.TYPE, mad.data(PortInfo.TYPE).set(PortInfo.LID, 0))
                        : mad);
        sm.subnet.loop().execute(sm.manager::start);
        for (int i = 0; i < 3; i++) {
            int before = sm.reports.size();
            sm.subnet.loop().runUntil(() -> sm.reports.size() > before, SimulatedSm.PATIENCE);
            assertThat(sm.last().result()).isEqualTo(SweepReport.Result.INCOMPLETE);
            assertThat(sm.last().notes())
                    .anyMatch(note -> note.startsWith(sm.fabric.description(host))
                            && note.contains("PortInfo")
                            && note.contains("the node did not take it"));
        }
        sm.subnet.tamper(host, null);
        assertThat(sm.settle()).isTrue();
        assertThat(new Devices(sm.subnet).faults(sm.snapshot())).isEmpty();
    }

    @Test
    void aTableWhoseAnswerWasLostIsWrittenAgain() {
        SimulatedSm sm = SimulatedSm.of(TORUS, 3).started();
        group(sm, sm.manager, 2);
        BitSet few = mask(sm, SWITCH);
        sm.subnet.tamper(
                SWITCH,
                mad -> mad.isAbout(MulticastForwardingTable.TYPE)
                        ? mad.copy().set(Mad.TRANSACTION_ID, mad.get(Mad.TRANSACTION_ID) ^ 1L << 20)
                        : mad);
        group(sm, sm.manager, 16);
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.INCOMPLETE);
        assertThat(mask(sm, SWITCH)).as("it was carried out").isNotEqualTo(few);
        sm.subnet.tamper(SWITCH, null);
        group(sm, sm.manager, 2);
        assertThat(mask(sm, SWITCH)).isEqualTo(few);
    }

    @Test
    void groupsOfTheSubnetManagerBeforeAreEmptiedFirst() {
        SimulatedSm sm = SimulatedSm.of(TORUS, 3).started();
        group(sm, sm.manager, 16);
        sm.port.close();
        sm.manager.stop();
        SimulatedPort port = sm.subnet.attach(sm.smPort);
        SubnetManager second = new SubnetManager(port, SimulatedSm.torus(TORUS), TextStore.NONE, sm, (mad, from) -> {});
        int before = sm.reports.size();
        sm.subnet.loop().execute(second::start);
        sm.subnet.loop().runUntil(() -> sm.reports.size() > before, SimulatedSm.PATIENCE);
        assertThat(sm.last().notes()).anyMatch(note -> note.contains("SL to VL tables of 16 switches are not known"));
        group(sm, second, 2);
        assertThat(sm.last().phases()).anyMatch(phase -> phase.name().equals("MFT: less") && phase.nodes() == 16);
        int ports = 0;
        for (int sw = 0; sw < 16; sw++) {
            ports += mask(sm, sw).cardinality();
        }
        assertThat(ports).as("two hosts, and both ends of the cables between").isLessThan(16);
    }

    /** A subnet manager without groups leaves a switch that looks up no multicast LID at all. */
    @Test
    void multicastIsLookedUpAsFarAsGroupsNeedIt() {
        SimulatedSm sm = SimulatedSm.of(TORUS, 3).started();
        int host = sm.fabric.switchCount() + SWITCH;
        int near = sm.fabric.nodeOf(sm.fabric.cable(sm.fabric.portIndex(host, 1)));
        SimulatedPort vandal = sm.subnet.attach(sm.fabric.portIndex(host, 1));
        Mad none = Mad.directed(MadMethod.SET, SwitchInfo.TYPE, 0, DirectedPath.OWN_NODE.then(1))
                .setData(SwitchInfo.TYPE, sm.subnet.node(near).switchInfo().set(SwitchInfo.MULTICAST_TOP, GROUP - 1));
        vandal.send(none, MadAddress.DIRECTED, 100);
        sm.subnet.loop().runFor(1_000_000);
        assertThat(top(sm, near)).isEqualTo(GROUP - 1);
        group(sm, sm.manager, 16);
        assertThat(sm.last().phases().getLast().name()).isEqualTo("SwitchInfo: MulticastFDBTop");
        assertThat(top(sm, near)).isEqualTo(GROUP + 31);
        assertThat(mask(sm, near).isEmpty()).isFalse();
        group(sm, sm.manager, 3);
        assertThat(sm.last().phases()).noneMatch(phase -> phase.name().startsWith("SwitchInfo"));
        group(sm, sm.manager, 0);
        assertThat(top(sm, near)).as("others may have groups").isEqualTo(GROUP + 31);
    }

    @Test
    void aSwitchThatKeepsItsMulticastTopIsToldOnce() {
        SimulatedSm sm = SimulatedSm.of(TORUS, 3);
        sm.subnet.tamper(
                SWITCH,
                mad -> mad.isAbout(SwitchInfo.TYPE)
                        ? mad.copy()
                                .setData(
                                        SwitchInfo.TYPE,
                                        mad.data(SwitchInfo.TYPE).set(SwitchInfo.MULTICAST_TOP, GROUP - 1))
                        : mad);
        sm.started();
        group(sm, sm.manager, 2);
        group(sm, sm.manager, 5);
        assertThat(sm.last().phases()).noneMatch(phase -> phase.name().startsWith("SwitchInfo"));
    }

    private static int top(SimulatedSm sm, int sw) {
        return sm.subnet.node(sw).switchInfo().getInt(SwitchInfo.MULTICAST_TOP);
    }

    @Test
    void vlsBeforeTheFirstSweepSayNothing() {
        SimulatedSm sm = SimulatedSm.of(TORUS, 3);
        for (int node = 0; node < sm.fabric.nodeCount(); node++) {
            Set<Integer> asked = new TreeSet<>();
            sm.subnet.tamper(node, mad -> {
                boolean unset = mad.isAbout(PortInfo.TYPE) && asked.add(Modifiers.portOf(mad.modifier()));
                return unset
                        ? mad.copy()
                                .setData(PortInfo.TYPE, mad.data(PortInfo.TYPE).set(PortInfo.OPERATIONAL_VLS, 1))
                        : mad;
            });
        }
        sm.started();
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.DONE);
        assertThat(new Devices(sm.subnet).faults(sm.snapshot())).isEmpty();
    }

    /** Nothing may use a link whose VLs are not those that were proved. */
    @Test
    void portsThatTakeFewerVlsAreRoutedWithThose() {
        SampleTorus rings = SampleTorus.torus(5, 5, 1, 1);
        SimulatedSm sm = SimulatedSm.of(rings, 3);
        for (int node = 0; node < sm.fabric.switchCount(); node++) {
            sm.subnet.tamper(
                    node,
                    mad -> mad.isAbout(PortInfo.TYPE) && Modifiers.portOf(mad.modifier()) > 0
                            ? mad.copy()
                                    .setData(
                                            PortInfo.TYPE,
                                            mad.data(PortInfo.TYPE).set(PortInfo.OPERATIONAL_VLS, 1))
                            : mad);
        }
        sm.subnet.loop().execute(sm.manager::start);
        sm.subnet.loop().runFor(20 * SimulatedSm.SECOND);
        assertThat(sm.reports.getFirst().notes())
                .anyMatch(note -> note.startsWith("OperationalVLs: acknowledged, but kept as it was by S-")
                        && note.endsWith("others; it is not asked for again"));
        assertThat(sm.reports).noneMatch(report -> report.result() == SweepReport.Result.DONE);
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.UNROUTABLE);
        for (int port = 0; port < sm.fabric.portCount(); port++) {
            boolean isOfSwitch = sm.fabric.isSwitch(sm.fabric.nodeOf(port)) && sm.fabric.portNumber(port) > 0;
            assertThat(isOfSwitch
                            && sm.subnet
                                            .node(sm.fabric.nodeOf(port))
                                            .portInfo(sm.fabric.portNumber(port))
                                            .state()
                                    == PortState.ACTIVE)
                    .isFalse();
        }
    }

    @Test
    void oneSwitchWithFewerVlsIsUsedIfTheProofAllowsIt() {
        SimulatedSm sm = SimulatedSm.of(TORUS, 3);
        sm.subnet.tamper(
                SWITCH,
                mad -> mad.isAbout(PortInfo.TYPE) && Modifiers.portOf(mad.modifier()) > 0
                        ? mad.copy()
                                .setData(PortInfo.TYPE, mad.data(PortInfo.TYPE).set(PortInfo.OPERATIONAL_VLS, 3))
                        : mad);
        sm.started();
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.DONE);
        assertThat(sm.last().linksDown()).isZero();
        assertThat(sm.snapshot().fabric().operVls(cable(sm.fabric, SWITCH))).isEqualTo(3);
    }

    @Test
    void aNeighbourThatHangsIsNotProved() {
        SimulatedSm sm = SimulatedSm.of(TORUS, 3).started();
        sm.subnet.silence(SWITCH, true);
        sm.manager.sweepNow("test");
        int before = sm.reports.size();
        sm.subnet.loop().runUntil(() -> sm.reports.size() > before, SimulatedSm.PATIENCE);
        assertThat(sm.last().notes()).anyMatch(note -> note.contains("neighbours that are up and do not answer"));
    }

    @Test
    void whatIsLeftAboveTheTopDoesNotComeToLife() {
        SimulatedSm sm = SimulatedSm.of(SampleTorus.torus(5, 5, 1, 2), 3);
        int last = sm.fabric.nodeCount() - 1;
        for (int node = last - 20; node < last; node++) {
            sm.subnet.powerOff(node);
        }
        sm.started();
        SimulatedPort vandal = sm.subnet.attach(sm.fabric.portIndex(last, 1));
        int near = sm.fabric.nodeOf(sm.fabric.cable(sm.fabric.portIndex(last, 1)));
        LinearForwardingTable left = LinearForwardingTable.TYPE.create();
        for (int i = 0; i < LinearForwardingTable.BLOCK; i++) {
            left.set(LinearForwardingTable.PORTS, i, 1);
        }
        Mad set = Mad.directed(
                        MadMethod.SET, LinearForwardingTable.TYPE, Modifiers.block(1), DirectedPath.OWN_NODE.then(1))
                .setData(LinearForwardingTable.TYPE, left);
        vandal.send(set, MadAddress.DIRECTED, 100);
        sm.subnet.loop().runFor(1_000_000);
        assertThat(sm.subnet.node(near).forward(70)).isEqualTo(1);
        List<Integer> seen = new ArrayList<>();
        sm.subnet.tamper(near, mad -> {
            if (mad.isAbout(SwitchInfo.TYPE) && mad.data(SwitchInfo.TYPE).getInt(SwitchInfo.LINEAR_TOP) >= 70) {
                seen.add(sm.subnet.node(near).forward(70));
            }
            return mad;
        });
        for (int node = last - 20; node < last; node++) {
            sm.subnet.powerOn(node);
        }
        assertThat(sm.settle()).isTrue();
        assertThat(seen).isNotEmpty();
        assertThat(seen.getFirst()).isEqualTo(LinearForwardingTable.NO_PATH);
        assertThat(new Devices(sm.subnet).faults(sm.snapshot())).isEmpty();
    }
}
