package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SlToVlTable;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.sm.lid.LidOrder;
import org.railyard.sm.model.GroupMembers;
import org.railyard.sm.program.Executor;

/** What happens after the first sweep: traps, light sweeps, nodes that come, go, hang or lie. */
class SweepsTest {
    private static final SampleTorus TORUS = SampleTorus.torus(4, 4, 1, 1);

    private final SimulatedSm sm = SimulatedSm.of(TORUS, 3).started();
    private final Fabric fabric = sm.fabric;

    /** A cable between two switches, of the switch with this index. */
    private int cable(int sw) {
        return cable(fabric, sw);
    }

    private static int cable(Fabric fabric, int sw) {
        for (int port = fabric.portIndex(sw, 1); port <= fabric.portIndex(sw, fabric.ports(sw)); port++) {
            int peer = fabric.cable(port);
            if (peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer))) {
                return port;
            }
        }
        throw new AssertionError("no cable");
    }

    private void right() {
        assertThat(sm.settle()).isTrue();
        assertThat(new Devices(sm.subnet).faults(sm.snapshot())).isEmpty();
    }

    private long sets() {
        return sm.last().phases().stream().mapToLong(Executor.Figures::sets).sum();
    }

    @Test
    void aCableIsPulledAndPutBack() {
        sm.subnet.unlink(cable(5));
        right();
        assertThat(sm.traps).containsOnly(Notice.LINK_STATE);
        assertThat(sm.last().reason()).startsWith("trap 128");
        assertThat(sm.last().links()).isEqualTo(32 + 16 - 1);
        assertThat(sets()).isLessThan(60);

        sm.subnet.relink(cable(5));
        right();
        assertThat(sm.last().links()).isEqualTo(32 + 16);
        sm.manager.sweepNow("nothing changed");
        right();
        assertThat(sm.last().phases()).isEmpty();
    }

    @Test
    void whatIsGoneAndWhatIsNewIsNamed() {
        int port = cable(5);
        String name = fabric.portName(port) + " to " + fabric.portName(fabric.cable(port));
        String back = fabric.portName(fabric.cable(port)) + " to " + fabric.portName(port);
        sm.subnet.unlink(port);
        right();
        assertThat(sm.last().notes()).containsAnyOf("gone: " + name, "gone: " + back);
        sm.subnet.relink(port);
        right();
        assertThat(sm.last().notes()).containsAnyOf("new: " + name, "new: " + back);
        int host = fabric.portIndex(20, 1);
        sm.subnet.unlink(host);
        right();
        assertThat(sm.last().notes())
                .contains("gone: " + fabric.description(20) + " at " + fabric.portName(fabric.cable(host)));
        sm.subnet.powerOff(5);
        right();
        assertThat(sm.last().notes())
                .anyMatch(note -> note.startsWith("gone: switch " + fabric.description(5) + ", H-"));
    }

    @Test
    void aHostThatTellsItsNameLater() {
        sm.settle();
        int host = 20;
        sm.subnet.rename(host, "compute-17 mlx5_0");
        right();
        assertThat(sm.last().reason()).isEqualTo("descriptions of nodes changed");
        assertThat(sm.last().phases()).isEmpty();
        Fabric now = sm.snapshot().fabric();
        assertThat(now.description(now.nodeOfGuid(fabric.guid(host)))).isEqualTo("compute-17 mlx5_0");
        assertThat(sm.snapshot().routing()).isPresent();
        // Without a trap, it is found when all is read.
        sm.subnet.loss(1);
        sm.subnet.rename(host, "compute-18 mlx5_0");
        sm.subnet.loop().runFor(1);
        sm.subnet.loss(0);
        sm.manager.sweepNow("test");
        right();
        Fabric later = sm.snapshot().fabric();
        assertThat(later.description(later.nodeOfGuid(fabric.guid(host)))).isEqualTo("compute-18 mlx5_0");
    }

    /** The bytes are for the subnet administration and for QoS policies, which name ports by them. */
    @Test
    void aNameThatIsNotAsciiIsKeptAndShownAsFarAsThatIsSafe() {
        sm.settle();
        int host = 20;
        int port = fabric.cable(fabric.portIndex(host, 1));
        String raw = "H\u00C3\u00B4st \"1\"\n\u001B[2J";
        String shown = "H\u00F4st \"1\"__[2J";
        sm.subnet.rename(host, raw);
        right();
        Fabric now = sm.snapshot().fabric();
        int node = now.nodeOfGuid(fabric.guid(host));
        assertThat(now.rawDescription(node)).isEqualTo(raw);
        assertThat(now.description(node)).isEqualTo(shown);
        sm.subnet.unlink(port);
        right();
        assertThat(sm.last().notes()).contains("gone: " + shown + " at " + fabric.portName(port));
    }

    @Test
    void aSwitchIsSwitchedOffAndOn() {
        sm.subnet.powerOff(5);
        right();
        assertThat(sm.snapshot().fabric().switchCount()).isEqualTo(15);
        sm.subnet.powerOn(5);
        right();
        assertThat(sm.snapshot().fabric().nodeCount()).isEqualTo(32);
    }

    @Test
    void aSwitchRestartsBetweenTwoSweeps() {
        sm.subnet.powerOff(5);
        sm.subnet.powerOn(5);
        right();
        assertThat(sm.last().phases()).anyMatch(phase -> phase.name().startsWith("LFT of new"));
    }

    @Test
    void nodesVanishWhileTheyAreProgrammed() {
        sm.subnet.powerOff(7);
        sm.subnet.powerOff(20);
        right();
        sm.subnet.powerOn(7);
        sm.subnet.powerOn(20);
        // Sweeping again, and just reading or writing it.
        sm.subnet.loop().runFor(30_000_000L + 150_000L);
        sm.subnet.powerOff(7);
        right();
        assertThat(sm.snapshot().fabric().switchCount()).isEqualTo(15);
    }

    @Test
    void aLightSweepFindsWhatNoTrapTold() {
        sm.subnet.loss(1);
        sm.subnet.unlink(cable(5));
        sm.subnet.loop().runFor(SimulatedSm.SECOND / 2);
        assertThat(sm.traps).isEmpty();
        // Traps are repeated for ever: the devices must not get a chance.
        sm.subnet.loop().runFor(SimulatedSm.SECOND / 4);
        int before = sm.reports.size();
        sm.subnet.silence(5, false);
        sm.subnet.loss(0);
        sm.subnet.loop().runUntil(() -> sm.reports.size() > before, SimulatedSm.PATIENCE);
        assertThat(new Devices(sm.subnet).faults(sm.snapshot())).isEmpty();
    }

    @Test
    void lightSweepsGoOnWhileNothingHappens() {
        sm.settle();
        int before = sm.reports.size();
        long sent = sm.manager.counters().sent();
        long lightSweeps = sm.manager.lightSweeps();
        sm.subnet.loop().runFor(65 * SimulatedSm.SECOND);
        assertThat(sm.reports).hasSize(before);
        assertThat(sm.manager.lightSweeps() - lightSweeps).isEqualTo(6);
        assertThat(sm.manager.counters().sent() - sent)
                .as("each switch, and the own port")
                .isEqualTo(6 * (16 + 1));
    }

    @Test
    void theFirstLightSweepHasPortsReadAgain() {
        assertThat(sm.manager.lightSweeps()).isZero();
        sm.settle();
        assertThat(sm.manager.lightSweeps()).isEqualTo(1);
        assertThat(sm.last().reason()).contains("read again");
        assertThat(sm.last().notes()).contains("cables and links are as they were");
        // Now only the ends of a cable are read.
        sm.subnet.unlink(cable(5));
        sm.settle();
        assertThat(sm.last().notes()).anyMatch(note -> note.startsWith("2 of 16 switches tell of changes"));
    }

    /** Sweeps that one agent makes incomplete are far between; changes elsewhere are not to wait for them. */
    @Test
    void lightSweepsGoOnWhileAnAgentHangs() {
        sm.subnet.silence(20, true);
        sm.manager.sweepNow("test");
        sm.subnet.loop().runFor(300 * SimulatedSm.SECOND);
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.INCOMPLETE);
        assertThat(sm.manager.isIdle()).isFalse();
        int before = sm.reports.size();
        long lightSweeps = sm.manager.lightSweeps();
        sm.subnet.loop().runFor(130 * SimulatedSm.SECOND);
        assertThat(sm.manager.lightSweeps() - lightSweeps).isBetween(8L, 13L);
        assertThat(sm.reports.size() - before).isBetween(1, 3);
        assertThat(sm.last().reason()).isEqualTo("the last sweep was not complete");
    }

    /** A new name is published with the LIDs that ports have, all of them. */
    @Test
    void aNewNameLeavesLidsAsTheyAre() {
        SimulatedSm two = new SimulatedSm(
                        TORUS.fabric(), SimulatedSm.torus(TORUS).withLids(LidOrder.GUID, 1, true), TextStore.NONE, 3)
                .started();
        two.settle();
        Fabric before = two.snapshot().fabric();
        two.subnet.rename(20, "compute-17");
        assertThat(two.settle()).isTrue();
        assertThat(two.last().notes()).contains("nodes have other descriptions");
        Fabric now = two.snapshot().fabric();
        assertThat(now.description(now.nodeOfGuid(fabric.guid(20)))).isEqualTo("compute-17");
        for (int port = 0; port < now.portCount(); port++) {
            assertThat(now.lid(port)).isEqualTo(before.lid(port));
            assertThat(now.lmc(port)).isEqualTo(before.lmc(port));
        }
        assertThat(now.lmc(now.portIndex(now.nodeOfGuid(fabric.guid(20)), 1))).isEqualTo(1);
    }

    /** MADs may be lost; what is known to be silent does not hold each sweep up so long. */
    @Test
    void whatIsSilentIsAskedTwiceAsOftenInTheFirstSweepThatFindsItSo() {
        sm.settle();
        sm.subnet.silence(5, true);
        for (int requests : new int[] {22, 11}) {
            int before = sm.reports.size();
            sm.manager.sweepNow("test");
            sm.subnet.loop().runUntil(() -> sm.reports.size() > before, SimulatedSm.PATIENCE);
            assertThat(sm.last().notes())
                    .anyMatch(note ->
                            note.contains(fabric.description(5) + " was: no answer to " + requests + " requests"));
        }
    }

    @Test
    void aHostWhoseAgentHangsKeepsItsRoutesForAWhile() {
        int host = 20;
        sm.settle();
        int lid = sm.snapshot()
                .fabric()
                .lid(sm.snapshot().fabric().portIndex(sm.snapshot().fabric().nodeOfGuid(fabric.guid(host)), 1));
        int forward = sm.subnet.node(5).forward(lid);
        assertThat(forward).isNotEqualTo(ForwardingTables.NO_PATH);
        sm.subnet.silence(host, true);
        sm.manager.sweepNow("test");
        sm.subnet.loop().runFor(10 * SimulatedSm.SECOND);
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.INCOMPLETE);
        assertThat(sm.last().notes()).anyMatch(note -> note.contains("it counts as it was for up to 30 s"));
        // Others are routed meanwhile, and so is the way to it.
        sm.subnet.unlink(cable(9));
        sm.subnet.loop().runFor(10 * SimulatedSm.SECOND);
        assertThat(sm.snapshot().fabric().nodeCount()).isEqualTo(32);
        assertThat(new Devices(sm.subnet).faults(sm.snapshot())).isEmpty();
        sm.subnet.loop().runFor(60 * SimulatedSm.SECOND);
        assertThat(sm.snapshot().fabric().nodeCount()).isEqualTo(31);
        assertThat(sm.subnet.node(5).forward(lid)).isEqualTo(ForwardingTables.NO_PATH);
        sm.subnet.silence(host, false);
        right();
        assertThat(sm.snapshot().fabric().nodeCount()).isEqualTo(32);
    }

    @Test
    void aHostThatAnswersInTimeIsSilentAnewTheNextTime() {
        int host = 20;
        for (int i = 0; i < 3; i++) {
            sm.subnet.silence(host, true);
            sm.manager.sweepNow("test");
            sm.subnet.loop().runFor(20 * SimulatedSm.SECOND);
            assertThat(sm.snapshot().fabric().nodeCount()).isEqualTo(32);
            sm.subnet.silence(host, false);
            right();
        }
    }

    @Test
    void aHostThatIsUnpluggedIsGoneAtOnce() {
        int port = fabric.portIndex(20, 1);
        sm.subnet.silence(20, true);
        sm.subnet.unlink(port);
        right();
        assertThat(sm.snapshot().fabric().nodeCount()).isEqualTo(31);
    }

    @Test
    void anAgentHangsAndComesBack() {
        sm.subnet.silence(5, true);
        sm.subnet.loop().runFor(40 * SimulatedSm.SECOND);
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.INCOMPLETE);
        assertThat(sm.last().notes()).anyMatch(note -> note.contains("no answer"));
        assertThat(sm.snapshot().fabric().switchCount()).isEqualTo(15);
        sm.subnet.silence(5, false);
        right();
        assertThat(sm.snapshot().fabric().switchCount()).isEqualTo(16);
    }

    /** One switch must not hide what failed elsewhere, nor its links look like bad cables. */
    @Test
    void tablesThatASwitchNeverAcknowledgesAreToldInALine() {
        SimulatedSm fresh = SimulatedSm.of(TORUS, 3);
        boolean[] lost = {true};
        fresh.subnet.tamper(
                5, mad -> lost[0] && mad.isAbout(SlToVlTable.TYPE) ? mad.copy().set(Mad.TRANSACTION_ID, 0) : mad);
        fresh.subnet.loop().execute(fresh.manager::start);
        assertThat(fresh.subnet.loop().runUntil(() -> !fresh.reports.isEmpty(), SimulatedSm.PATIENCE))
                .isTrue();
        String name = fabric.description(5);
        List<String> notes = fresh.last().notes();
        assertThat(notes.stream().filter(note -> note.contains("SLtoVLMappingTable")))
                .singleElement()
                .asString()
                .startsWith(name + ": SMP-D Set SLtoVLMappingTable in 0 out 1 route ")
                .contains(" more: in 0 out 2, in 0 out 3, ", "no answer to 11 requests");
        assertThat(notes).noneMatch(note -> note.contains("bad cable"));
        assertThat(notes.stream().filter(note -> note.startsWith(name + ": gave no answer, so these links")))
                .singleElement()
                .asString()
                .contains(name + "/1 to H-");
        lost[0] = false;
        assertThat(fresh.settle()).isTrue();
        assertThat(new Devices(fresh.subnet).faults(fresh.snapshot())).isEmpty();
    }

    @Test
    void aNoisySourceIsIgnored() {
        sm.subnet.babble(6, Notice.LINK_STATE, 20_000_000L);
        int before = sm.reports.size();
        sm.subnet.loop().runFor(60 * SimulatedSm.SECOND);
        assertThat(sm.reports.size() - before).isLessThan(15);
        assertThat(sm.manager.ignoredTraps()).isGreaterThan(2000);
        sm.subnet.babble(6, Notice.LINK_STATE, 0);
        sm.subnet.unlink(cable(5));
        right();
    }

    @Test
    void clientsAreAskedToRegisterAgain() {
        // The first one has the subnet manager.
        int host = fabric.switchCount() + 1;
        assertThat(sm.subnet.node(host).reregistrations()).isEqualTo(1);
        sm.subnet.powerOff(host);
        right();
        sm.subnet.powerOn(host);
        right();
        assertThat(sm.subnet.node(host).reregistrations()).isEqualTo(2);
        assertThat(sm.subnet.node(host + 1).reregistrations()).isEqualTo(1);
    }

    @Test
    void aNodeThatClaimsNonsenseIsLeftOut() {
        sm.subnet.tamper(
                5,
                mad -> mad.isAbout(NodeInfo.TYPE)
                        ? mad.copy()
                                .setData(NodeInfo.TYPE, mad.data(NodeInfo.TYPE).set(NodeInfo.NUM_PORTS, 255))
                        : mad);
        sm.manager.sweepNow("test");
        assertThat(sm.settle()).isTrue();
        assertThat(sm.last().notes()).anyMatch(note -> note.contains("255 ports"));
        assertThat(sm.snapshot().fabric().switchCount()).isEqualTo(15);
    }

    @Test
    void anotherNodeWithTheSameGuidIsLeftOut() {
        long guid = fabric.guid(9);
        sm.subnet.tamper(
                5,
                mad -> mad.isAbout(NodeInfo.TYPE)
                        ? mad.copy()
                                .setData(NodeInfo.TYPE, mad.data(NodeInfo.TYPE).set(NodeInfo.NODE_GUID, guid))
                        : mad);
        sm.manager.sweepNow("test");
        sm.subnet.loop().runFor(2 * SimulatedSm.SECOND);
        assertThat(sm.last().notes()).anyMatch(note -> note.contains("two nodes with one GUID"));
    }

    @Test
    void anAdapterWithTheGuidOfASwitchIsLeftOut() {
        int host = fabric.switchCount() + 2;
        sm.subnet.tamper(
                host,
                mad -> mad.isAbout(NodeInfo.TYPE)
                        ? mad.copy()
                                .setData(
                                        NodeInfo.TYPE,
                                        mad.data(NodeInfo.TYPE)
                                                .set(NodeInfo.NODE_GUID, fabric.guid(0))
                                                .set(NodeInfo.NODE_TYPE, NodeInfo.SWITCH)
                                                .set(NodeInfo.NUM_PORTS, 36)
                                                .set(NodeInfo.LOCAL_PORT, 20))
                        : mad);
        sm.manager.sweepNow("test");
        sm.subnet.loop().runFor(2 * SimulatedSm.SECOND);
        assertThat(sm.last().notes()).anyMatch(note -> note.contains("two nodes with one GUID"));
        assertThat(sm.snapshot().fabric().nodeCount()).isEqualTo(31);
    }

    @Test
    void aDrainThatFailsEndsTheProgramming() {
        SimulatedSm ring =
                SimulatedSm.keepingTurnsBack(SampleTorus.torus(8, 3, 1, 1), 3).started();
        for (int sw = 0; sw < ring.fabric.switchCount(); sw++) {
            ring.subnet.tamper(
                    sw,
                    mad -> mad.isAbout(LinearForwardingTable.TYPE)
                            ? mad.copy().set(Mad.STATUS, MadStatus.BAD_VALUE)
                            : mad);
        }
        int before = ring.reports.size();
        ring.subnet.unlink(cable(ring.fabric, 5));
        ring.subnet.loop().runUntil(() -> ring.reports.size() > before, SimulatedSm.PATIENCE);
        assertThat(ring.last().result()).isEqualTo(SweepReport.Result.INCOMPLETE);
        assertThat(ring.last().phases()).extracting(Executor.Figures::name).containsExactly("SwitchInfo", "LFT: drain");
        assertThat(ring.snapshot().sweep()).isEqualTo(1);
        for (int sw = 0; sw < ring.fabric.switchCount(); sw++) {
            ring.subnet.tamper(sw, null);
        }
        assertThat(ring.settle()).isTrue();
        assertThat(new Devices(ring.subnet).faults(ring.snapshot())).isEmpty();
    }

    private static ForwardingTables tables(Devices devices) {
        return devices.routing(PathSls.constant(0), devices.live(PortState.INIT))
                .forwarding();
    }

    @Test
    void whereNothingTurnsBackNoRouteWaitsWhenACableIsLost() {
        SimulatedSm ring = SimulatedSm.of(SampleTorus.torus(8, 3, 1, 1), 3).started();
        ring.subnet.unlink(cable(ring.fabric, 5));
        ring.settle();
        SweepReport routed = ring.reports.get(1);
        assertThat(routed.phases())
                .extracting(Executor.Figures::name)
                .contains("LFT round 1", "LFT round 2")
                .doesNotContain("LFT: drain");
        assertThat(routed.nanos()).isLessThan(SimulatedSm.SECOND / 2);
        assertThat(new Devices(ring.subnet).faults(ring.snapshot())).isEmpty();
    }

    /** Only what is drained waits until packets have died out. */
    @Test
    void othersDoNotWaitForWhatIsDrained() {
        SimulatedSm ring =
                SimulatedSm.keepingTurnsBack(SampleTorus.torus(8, 3, 1, 1), 3).started();
        ring.subnet.unlink(cable(ring.fabric, 5));
        ring.subnet.loop().runFor(SimulatedSm.SECOND / 2);
        Devices devices = new Devices(ring.subnet);
        ForwardingTables early = tables(devices);
        ring.settle();
        List<String> phases = ring.reports.get(1).phases().stream()
                .map(Executor.Figures::name)
                .toList();
        assertThat(phases).contains("LFT: drain", "LFT round 1").endsWith("LFT: drained");
        ForwardingTables late = tables(devices);
        int drained = 0;
        for (int lid = 1; lid <= ring.snapshot().fabric().maxLid(); lid++) {
            boolean waits = false;
            boolean differs = false;
            for (int sw = 0; sw < ring.fabric.switchCount(); sw++) {
                waits |= early.port(sw, lid) == ForwardingTables.NO_PATH;
                differs |= early.port(sw, lid) != late.port(sw, lid);
            }
            assertThat(differs).as("LID " + lid).isEqualTo(waits);
            drained += waits ? 1 : 0;
        }
        assertThat(drained).isBetween(1, ring.snapshot().fabric().maxLid() / 2);
        assertThat(devices.faults(ring.snapshot())).isEmpty();
    }

    @Test
    void nothingPassesAHungSwitchWhileOthersChange() {
        sm.subnet.silence(5, true);
        sm.manager.sweepNow("test");
        sm.subnet.loop().runUntil(() -> sm.reports.size() > 1, SimulatedSm.PATIENCE);
        assertThat(sm.last().phases()).extracting(Executor.Figures::name).startsWith("LFT: into what does not answer");
        assertThat(sm.last().nanos()).isGreaterThan(SimulatedSm.SECOND);
        assertThat(sm.last().notes()).anyMatch(note -> note.contains("into neighbours that are up and do not answer"));
    }

    /** A subnet manager that begins finds them, and nobody can tell it with which SLs others send there. */
    @Test
    void entriesOfLidsThatNobodyHasAreEmptiedBeforeOthersChange() {
        int host = sm.fabric.nodeCount() - 1;
        int lid = sm.snapshot().fabric().lid(sm.fabric.portIndex(host, 1));
        sm.manager.stop();
        sm.port.close();
        sm.subnet.powerOff(host);
        SimulatedPort port = sm.subnet.attach(sm.smPort);
        SubnetManager next = new SubnetManager(port, SimulatedSm.torus(TORUS), TextStore.NONE, sm, (mad, from) -> {});
        int before = sm.reports.size();
        sm.subnet.loop().execute(next::start);
        sm.subnet.loop().runUntil(() -> sm.reports.size() > before, SimulatedSm.PATIENCE);
        assertThat(sm.last().phases()).extracting(Executor.Figures::name).contains("LFT: to LIDs of nobody");
        assertThat(sm.last().nanos()).as("packets die out").isGreaterThan(SimulatedSm.SECOND);
        assertThat(sm.last().notes()).anyMatch(note -> note.contains("1 LID that no port has, such as " + lid));
        next.sweepNow("test");
        sm.subnet.loop().runUntil(() -> sm.reports.size() > before + 1, SimulatedSm.PATIENCE);
        assertThat(sm.last().phases()).extracting(Executor.Figures::name).doesNotContain("LFT: to LIDs of nobody");
    }

    /** Its own paths to what is gone are known, and in the proof. */
    @Test
    void entriesOfAHostThatGoesNeedNoWait() {
        sm.subnet.powerOff(sm.fabric.nodeCount() - 1);
        assertThat(sm.settle()).isTrue();
        assertThat(sm.last().phases()).extracting(Executor.Figures::name).doesNotContain("LFT: to LIDs of nobody");
        assertThat(sm.last().nanos()).isLessThan(SimulatedSm.SECOND);
    }

    @Test
    void whatAPortDoesNotTakeIsAskedOfItOnce() {
        SimulatedSm other = SimulatedSm.of(SampleTorus.torus(3, 3, 1, 1), 3);
        other.subnet.tamper(
                4,
                mad -> mad.isAbout(PortInfo.TYPE)
                        ? mad.copy()
                                .setData(
                                        PortInfo.TYPE,
                                        mad.data(PortInfo.TYPE)
                                                .set(PortInfo.WIDTH_SUPPORTED, 3)
                                                .set(PortInfo.WIDTH_ENABLED, 2))
                        : mad);
        other.started().manager.sweepNow("test");
        assertThat(other.settle()).isTrue();
        assertThat(other.last().phases()).isEmpty();
        assertThat(other.last().result()).isEqualTo(SweepReport.Result.DONE);
    }

    @Test
    void aTransportThatFailsIsTold() {
        sm.manager.sweepNow("test");
        sm.subnet.loop().runFor(50_000);
        int before = sm.reports.size();
        sm.port.fail(new ErrnoException(Errno.ENODEV, "gone"));
        assertThat(sm.failures).extracting(ErrnoException::errno).containsExactly(Errno.ENODEV);
        sm.subnet.loop().runFor(100 * SimulatedSm.SECOND);
        assertThat(sm.reports).hasSize(before);
    }

    @Test
    void whatCanNotBeRoutedLeavesTheLastSnapshot() {
        long sweep = sm.snapshot().sweep();
        int before = sm.reports.size();
        // Two of four switches of a ring in each direction.
        for (int sw : new int[] {0, 2, 8, 10}) {
            sm.subnet.powerOff(sw);
        }
        sm.subnet.powerOn(0);
        sm.subnet.loop().runUntil(() -> sm.reports.size() > before, SimulatedSm.PATIENCE);
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.UNROUTABLE);
        assertThat(sm.snapshot().sweep()).isEqualTo(sweep);
        assertThat(sm.snapshot().routing().orElseThrow().forwarding().switches())
                .isEqualTo(sm.snapshot().fabric().switchCount());
    }

    /** A trap is repeated until a TrapRepress arrives, and none may while tables stay as they were. */
    @Test
    void trapsThatAreRepeatedWhileNothingCanBeRoutedTellNothingNew() {
        // Two of four cables of a ring, one opposite to the other.
        int first = cable(5);
        int number = fabric.portNumber(first);
        int beside = fabric.nodeOf(fabric.cable(first));
        int second = fabric.portIndex(fabric.nodeOf(fabric.cable(fabric.portIndex(beside, number))), number);
        sm.subnet.unlink(first);
        sm.subnet.unlink(second);
        SimulatedPort host = sm.subnet.attach(fabric.portIndex(fabric.switchCount() + 3, 1));
        trap(host, 7);
        sm.subnet.loop().runFor(2 * SimulatedSm.SECOND);
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.UNROUTABLE);
        int sweeps = sm.reports.size();
        int traps = sm.traps.size();
        for (int times = 0; times < 5; times++) {
            trap(host, 7);
            sm.subnet.loop().runFor(SimulatedSm.SECOND);
        }
        assertThat(sm.traps).hasSize(traps + 5);
        assertThat(sm.reports).hasSize(sweeps);
        for (int times = 0; times < 60; times++) {
            trap(host, 7);
            sm.subnet.loop().runFor(SimulatedSm.SECOND);
        }
        assertThat(sm.reports).as("once a minute all the same").hasSize(sweeps + 1);
        sweeps = sm.reports.size();
        trap(host, 8);
        sm.subnet.loop().runFor(SimulatedSm.SECOND / 2);
        assertThat(sm.reports).as("of a new one it looks at once").hasSize(sweeps + 1);
        sm.subnet.relink(first);
        sm.subnet.relink(second);
        right();
        sweeps = sm.reports.size();
        trap(host, 8);
        right();
        assertThat(sm.reports).as("when all is well it looks once more").hasSize(sweeps + 1);
    }

    private void trap(SimulatedPort from, int transaction) {
        Notice notice = Notice.TYPE.create().set(Notice.IS_GENERIC, 1).set(Notice.TRAP_NUMBER, Notice.LINK_STATE);
        int lid = sm.snapshot().fabric().lid(sm.smPort);
        from.send(
                Mad.lidRouted(MadMethod.TRAP, Notice.TYPE, 0)
                        .set(Mad.TRANSACTION_ID, transaction)
                        .setData(Notice.TYPE, notice),
                MadAddress.smp(lid),
                0);
    }

    @Test
    void theOwnLinkComesBack() {
        int host = fabric.switchCount() + 1;
        sm.subnet.unlink(sm.smPort);
        sm.subnet.loop().runFor(60 * SimulatedSm.SECOND);
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.NO_LINK);
        sm.subnet.relink(sm.smPort);
        right();
        // Another master may have written anything meanwhile: forwarding tables are read, and found right.
        assertThat(sm.last().phases())
                .extracting(Executor.Figures::name)
                .noneMatch(name -> name.startsWith("LFT") || name.startsWith("MFT"));
        assertThat(sm.subnet.node(host).reregistrations()).isEqualTo(1);
    }

    @Test
    void aSilentSwitchIsNoMissingLink() {
        int own = fabric.nodeOf(fabric.cable(sm.smPort));
        for (boolean silent : new boolean[] {true, false}) {
            if (silent) {
                sm.subnet.silence(own, true);
            } else {
                sm.subnet.silence(own, false);
                sm.subnet.unlink(sm.smPort);
            }
            sm.subnet.loop().execute(() -> sm.manager.sweepNow("test"));
            sm.subnet.loop().runFor(20 * SimulatedSm.SECOND);
            assertThat(sm.last().result()).isEqualTo(SweepReport.Result.NO_LINK);
            assertThat(sm.last().notes())
                    .anyMatch(note -> note.endsWith(
                            silent
                                    ? "the own port, has a link, and what is behind it does not answer, or not"
                                            + " completely"
                                    : "the own port, has no link: look at its cable"));
        }
    }

    /** Whoever is master meanwhile may write anything, whether the own link tells of that time or not. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasWrittenWhileNobodyAnsweredIsFound(boolean isLinkDown) {
        sm.settle();
        int own = fabric.nodeOf(fabric.cable(sm.smPort));
        if (isLinkDown) {
            sm.subnet.unlink(sm.smPort);
        } else {
            sm.subnet.silence(own, true);
            sm.subnet.loop().execute(() -> sm.manager.sweepNow("test"));
            sm.subnet.loop().runFor(20 * SimulatedSm.SECOND);
            assertThat(sm.last().result()).isEqualTo(SweepReport.Result.NO_LINK);
        }
        int host = fabric.portIndex(fabric.nodeCount() - 1, 1);
        int far = fabric.nodeOf(fabric.cable(host));
        SimulatedPort other = sm.subnet.attach(host);
        other.send(
                Mad.directed(
                                MadMethod.SET,
                                LinearForwardingTable.TYPE,
                                Modifiers.block(0),
                                DirectedPath.OWN_NODE.then(1))
                        .setData(LinearForwardingTable.TYPE, LinearForwardingTable.TYPE.create()),
                MadAddress.DIRECTED,
                100);
        sm.subnet.loop().runFor(SimulatedSm.SECOND / 10);
        assertThat(sm.subnet.node(far).forward(1)).isZero();
        other.close();
        if (isLinkDown) {
            sm.subnet.relink(sm.smPort);
        } else {
            sm.subnet.silence(own, false);
        }
        right();
    }

    @Test
    void aHostThatWasAwayWithItsLidIsAskedToRegisterAgain() {
        int host = fabric.switchCount() + 1;
        sm.subnet.unlink(fabric.portIndex(host, 1));
        right();
        sm.subnet.relink(fabric.portIndex(host, 1));
        right();
        assertThat(sm.subnet.node(host).reregistrations()).isEqualTo(2);
        assertThat(sm.subnet.node(host + 1).reregistrations()).isEqualTo(1);
    }

    /** Its LID and MasterSMLID are as they shall be: nothing that can be read tells that it was not asked. */
    @Test
    void aHostThatHungWhenItWasToRegisterAgainIsAskedLater() {
        int host = fabric.switchCount() + 1;
        int port = fabric.portIndex(host, 1);
        int door = fabric.nodeOf(fabric.cable(port));
        sm.subnet.unlink(port);
        right();
        // The bit that tells of its link is cleared between discovery and what is set of ports.
        sm.subnet.tamper(door, mad -> {
            if (mad.isAbout(SwitchInfo.TYPE) && !mad.data(SwitchInfo.TYPE).isSet(SwitchInfo.STATE_CHANGE)) {
                sm.subnet.silence(host, true);
            }
            return mad;
        });
        int before = sm.reports.size();
        sm.subnet.relink(port);
        sm.subnet.loop().runUntil(() -> sm.reports.size() > before, SimulatedSm.PATIENCE);
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.INCOMPLETE);
        assertThat(sm.subnet.node(host).reregistrations()).isEqualTo(1);
        sm.subnet.tamper(door, null);
        sm.subnet.silence(host, false);
        right();
        assertThat(sm.subnet.node(host).reregistrations()).isEqualTo(2);
        sm.manager.sweepNow("nothing changed");
        right();
        assertThat(sm.subnet.node(host).reregistrations()).isEqualTo(2);
    }

    @Test
    void aSwitchThatLooksUpTooFewLidsIsLeftOut() {
        List<Integer> lids = lids();
        sm.subnet.tamper(
                5,
                mad -> mad.isAbout(SwitchInfo.TYPE)
                        ? mad.copy()
                                .setData(
                                        SwitchInfo.TYPE,
                                        mad.data(SwitchInfo.TYPE).set(SwitchInfo.LINEAR_CAP, 0))
                        : mad);
        sm.manager.sweepNow("test");
        assertThat(sm.settle()).isTrue();
        assertThat(sm.last().notes()).anyMatch(note -> note.contains("LinearFDBCap"));
        assertThat(lids()).isEqualTo(lids);
    }

    /** LIDs of the hosts, but for that of the switch which is left out. */
    private List<Integer> lids() {
        List<Integer> lids = new ArrayList<>();
        for (int host = fabric.switchCount(); host < fabric.nodeCount(); host++) {
            int port = fabric.portIndex(host, 1);
            if (fabric.nodeOf(fabric.cable(port)) != 5) {
                int there = sm.snapshot().endPort(fabric.portGuid(port));
                lids.add(sm.snapshot().fabric().lid(there));
            }
        }
        return lids;
    }

    @Test
    void joinsInACrowdShareSweeps() {
        int before = sm.reports.size();
        for (int i = 0; i < 100; i++) {
            List<Long> members = List.of(fabric.portGuid(sm.smPort));
            sm.manager.multicast(List.of(new GroupMembers(0xC000 + i, 0, members)));
            sm.subnet.loop().runFor(20_000_000L);
        }
        sm.subnet.loop().runFor(3 * SimulatedSm.SECOND);
        assertThat(sm.reports.size() - before).isBetween(2, 5);
    }

    @Test
    void moreKeysThanSpaceAreTold() {
        List<Integer> keys = IntStream.range(0, 5000).mapToObj(i -> 0xFFFF - i).toList();
        SimulatedSm many = new SimulatedSm(
                TORUS.fabric(),
                SimulatedSm.torus(TORUS)
                        .withKeys((of, port) ->
                                of.portGuid(port) == fabric.portGuid(sm.smPort) ? keys : keys.subList(0, 1)),
                TextStore.NONE,
                1);
        many.subnet.loop().execute(many.manager::start);
        many.subnet.loop().runUntil(() -> !many.reports.isEmpty(), SimulatedSm.PATIENCE);
        assertThat(many.last().result()).isEqualTo(SweepReport.Result.INCOMPLETE);
        assertThat(many.last().notes()).anyMatch(note -> note.contains("5000 P_Keys"));
        assertThat(many.snapshot().pKeys(many.snapshot().smPort())).doesNotContain(0xFFFE);
    }

    @Test
    void answersOfAnyContentStopNothing() {
        SplittableRandom random = new SplittableRandom(11);
        sm.subnet.tamper(5, mad -> {
            Mad other = mad.copy();
            for (int i = 0; i < 64; i++) {
                other.bytes()[Mad.SMP_DATA + i] = (byte) random.nextInt();
            }
            return other;
        });
        for (int i = 0; i < 20; i++) {
            sm.manager.sweepNow("test");
            sm.subnet.loop().runFor(30 * SimulatedSm.SECOND);
        }
        sm.subnet.tamper(5, null);
        sm.manager.sweepNow("test");
        assertThat(sm.settle()).isTrue();
        assertThat(sm.snapshot().fabric().nodeCount()).isEqualTo(32);
    }

    @Test
    void aPortThatIgnoresAFieldIsAskedOnce() {
        sm.subnet.tamper(
                5,
                mad -> mad.isAbout(PortInfo.TYPE)
                        ? mad.copy()
                                .setData(PortInfo.TYPE, mad.data(PortInfo.TYPE).set(PortInfo.VL_STALL_COUNT, 1))
                        : mad);
        sm.manager.sweepNow("test");
        right();
        assertThat(sets()).isPositive();
        sm.manager.sweepNow("test");
        right();
        assertThat(sets()).isZero();
    }
}
