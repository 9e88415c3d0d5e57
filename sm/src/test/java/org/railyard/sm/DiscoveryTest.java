package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.sm.conf.OpenSmOptions;
import org.railyard.sm.master.OpenSmSettings;

/** What a discovery makes of answers that say little, or not what they said before. */
class DiscoveryTest {
    private static final SampleTorus TORUS = SampleTorus.torus(3, 3, 1, 1);
    private static final int SWITCH = 4;

    private final SimulatedSm sm = SimulatedSm.of(TORUS, 3).started();
    private final Fabric fabric = sm.fabric;

    private void right() {
        assertThat(sm.settle()).isTrue();
        assertThat(new Devices(sm.subnet).faults(sm.snapshot())).isEmpty();
    }

    /** Sweeps once, whatever comes of it. */
    private void sweep() {
        int before = sm.reports.size();
        sm.manager.sweepNow("test");
        assertThat(sm.subnet.loop().runUntil(() -> sm.reports.size() > before, SimulatedSm.PATIENCE))
                .isTrue();
    }

    /** It was pulled when one end had been read: nothing is to be routed through it. */
    @Test
    void aCableOfWhichOneEndIsDownIsNoCable() {
        right();
        int port = sm.cable(SWITCH);
        int links = sm.last().links();
        sm.subnet.tamper(
                SWITCH,
                mad -> mad.isAbout(PortInfo.TYPE) && Modifiers.portOf(mad.modifier()) == fabric.portNumber(port)
                        ? mad.copy()
                                .setData(
                                        PortInfo.TYPE,
                                        mad.data(PortInfo.TYPE).set(PortInfo.STATE, PortState.DOWN.code()))
                        : mad);
        sweep();
        assertThat(sm.last().links()).isEqualTo(links - 1);
        assertThat(sm.snapshot().fabric().peer(port)).isEqualTo(Fabric.NONE);
        assertThat(sm.snapshot().fabric().peer(fabric.cable(port))).isEqualTo(Fabric.NONE);
    }

    /** Where it sends packets is not known, so that no proof holds with it. */
    @Test
    void aSwitchThatDoesNotTellItsTableIsLeftOut() {
        SimulatedSm next = after(sm.smPort, SimulatedSm.torus(TORUS));
        next.subnet.tamper(
                SWITCH,
                mad -> mad.isAbout(LinearForwardingTable.TYPE) ? mad.copy().setStatus(MadStatus.BUSY) : mad);
        int before = next.reports.size();
        next.subnet.loop().execute(next.manager::start);
        next.subnet.loop().runUntil(() -> next.reports.size() > before, SimulatedSm.PATIENCE);
        String name = fabric.description(SWITCH);
        assertThat(next.last().switches()).isEqualTo(fabric.switchCount() - 1);
        assertThat(next.last().result()).isEqualTo(SweepReport.Result.INCOMPLETE);
        assertThat(next.last().notes())
                .contains(name + ": it is left out, with its cables: it does not tell what it is")
                .anyMatch(note -> note.startsWith("LinearForwardingTable of " + name + ": answered with an error: "));
        next.subnet.tamper(SWITCH, null);
        assertThat(next.settle()).isTrue();
        assertThat(new Devices(next.subnet).faults(next.snapshot())).isEmpty();
    }

    /** It has dropped the requests, and is there: nothing is to be routed around it. */
    @Test
    void aSwitchThatIsBusyForAMomentIsWaitedFor() {
        right();
        long until = sm.subnet.loop().nanoTime() + SimulatedSm.SECOND / 2;
        sm.subnet.tamper(
                SWITCH, mad -> sm.subnet.loop().nanoTime() < until ? mad.copy().setStatus(MadStatus.BUSY) : mad);
        sweep();
        assertThat(sm.last().switches()).isEqualTo(fabric.switchCount());
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.DONE);
    }

    /** Another subnet manager in the same subnet, after this one has ended. */
    private SimulatedSm after(int port, SmSettings settings) {
        sm.manager.stop();
        sm.port.close();
        return new SimulatedSm(sm.subnet, port, settings, TextStore.NONE);
    }

    private static SmSettings keys(Integer... keys) {
        return SimulatedSm.torus(TORUS).withKeys((_, _) -> List.of(keys));
    }

    private List<Integer> held(int port) {
        PKeyTable table = sm.subnet.node(fabric.nodeOf(port)).pKeys(fabric.isSwitch(fabric.nodeOf(port)) ? 0 : 1, 0);
        return IntStream.range(0, 3)
                .mapToObj(i -> table.getInt(PKeyTable.KEYS, i))
                .toList();
    }

    /** Programs have the index of a key, not the key. */
    @Test
    void keysKeepTheirPlacesWhenTheSubnetManagerStartsAgain() {
        for (SmSettings settings : List.of(keys(0xFFFF, 0x8010, 0x8020), keys(0xFFFF, 0x8020))) {
            sm.subnet.loop().execute(() -> sm.manager.configure(settings, "reload"));
            right();
        }
        SimulatedSm next = after(sm.smPort, keys(0xFFFF, 0x8020)).started();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port)) {
                assertThat(held(port)).as(fabric.portName(port)).containsExactly(0xFFFF, 0, 0x8020);
            }
        }
        assertThat(next.last().phases()).noneMatch(phase -> phase.name().startsWith("P_Key"));
    }

    /** Its link was down for a moment, and its LID is what it was. */
    @Test
    void keysThatAHostLostWithoutItsLidAreWritten() {
        sm.subnet.loop().execute(() -> sm.manager.configure(keys(0xFFFF, 0x8020), "reload"));
        right();
        int host = fabric.portIndex(fabric.nodeCount() - 1, 1);
        SimulatedPort own = sm.subnet.attach(host);
        sm.subnet.unlink(host);
        own.send(
                Mad.directed(MadMethod.SET, PKeyTable.TYPE, Modifiers.pKeys(0, 0), DirectedPath.OWN_NODE)
                        .setData(PKeyTable.TYPE, PKeyTable.TYPE.create().set(PKeyTable.KEYS, 0, 0xFFFF)),
                MadAddress.DIRECTED,
                100);
        sm.subnet.loop().runFor(1_000_000);
        assertThat(held(host)).containsExactly(0xFFFF, 0, 0);
        sm.subnet.relink(host);
        right();
        assertThat(sm.reports).noneMatch(report -> report.notes().stream().anyMatch(note -> note.startsWith("gone")));
        assertThat(held(host)).containsExactly(0xFFFF, 0x8020, 0);
    }

    @Test
    void aSubnetManagerAtASwitch() {
        SimulatedSm next =
                after(fabric.portIndex(SWITCH, 0), SimulatedSm.torus(TORUS)).started();
        assertThat(next.last().result()).isEqualTo(SweepReport.Result.DONE);
        assertThat(next.snapshot().smPort()).isEqualTo(fabric.portIndex(SWITCH, 0));
        assertThat(new Devices(next.subnet).faults(next.snapshot())).isEmpty();
        assertThat(next.isMarked()).isTrue();
        next.subnet.unlink(sm.cable(SWITCH));
        assertThat(next.settle()).isTrue();
        assertThat(new Devices(next.subnet).faults(next.snapshot())).isEmpty();
    }

    /** Nobody would know otherwise why hosts have other GIDs: the file of a standby may not be that of the master. */
    @Test
    void anotherGidPrefixOfPortsInUseIsTold() {
        assertThat(sm.reports).noneMatch(DiscoveryTest::tellsOfPrefixes);
        OpenSmOptions conf = OpenSmOptions.parse("subnet_prefix 0xfec0000000000001\n");
        SimulatedSm next = after(sm.smPort, new OpenSmSettings(conf).manager(SimulatedSm.torus(TORUS), false))
                .started();
        int first = fabric.portIndex(fabric.switchCount(), 1);
        assertThat(next.reports.getFirst().notes())
                .filteredOn(note -> note.startsWith("GID prefix"))
                .singleElement()
                .asString()
                .startsWith("GID prefix 0xfec0000000000001 instead of 0xfe80000000000000, so other GIDs, for "
                        + fabric.portName(first) + ", ")
                .contains(" and 5 others; it is subnet_prefix of opensm.conf");
        assertThat(next.subnet.node(fabric.nodeOf(first)).portInfo(1).get(PortInfo.GID_PREFIX))
                .isEqualTo(0xFEC0_0000_0000_0001L);
        int before = next.reports.size();
        next.manager.sweepNow("test");
        assertThat(next.subnet.loop().runUntil(() -> next.reports.size() > before, SimulatedSm.PATIENCE))
                .isTrue();
        assertThat(next.last()).as("they have it now").matches(report -> !tellsOfPrefixes(report));
    }

    private static boolean tellsOfPrefixes(SweepReport report) {
        return report.notes().stream().anyMatch(note -> note.startsWith("GID prefix"));
    }

    /** Somebody has put both ends of a cable into one switch: no packet takes it, and all others are routed. */
    @Test
    void aCableFromASwitchToItselfDoesNoHarm() {
        FabricBuilder builder = new FabricBuilder();
        FabricBuilder.NodeBuilder one = builder.node(NodeType.SWITCH, 0x10, 6, "one");
        FabricBuilder.NodeBuilder other = builder.node(NodeType.SWITCH, 0x20, 6, "other");
        builder.connect(builder.node(NodeType.CA, 0x30, 1, "h1"), 1, one, 1);
        builder.connect(builder.node(NodeType.CA, 0x40, 1, "h2"), 1, other, 1);
        builder.connect(one, 2, other, 2);
        builder.connect(one, 4, one, 3);
        Fabric looped = builder.build();
        SimulatedSm next = new SimulatedSm(
                        looped,
                        SmSettings.of(RoutingSettings.of(EngineName.MIN_HOP.engine(null, false, List.of()))),
                        TextStore.NONE,
                        1)
                .started();
        assertThat(next.last().result()).isEqualTo(SweepReport.Result.DONE);
        assertThat(next.last().links()).isEqualTo(4);
        int port = looped.portIndex(0, 3);
        assertThat(next.snapshot().fabric().cable(port)).isEqualTo(looped.portIndex(0, 4));
        assertThat(new Devices(next.subnet).faults(next.snapshot())).isEmpty();
        next.subnet.unlink(port);
        assertThat(next.settle()).isTrue();
        assertThat(next.last().links()).isEqualTo(3);
    }
}
