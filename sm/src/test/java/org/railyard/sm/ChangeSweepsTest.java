package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.sm.model.GroupMembers;

/** Sweeps that read only what switches say has changed. */
class ChangeSweepsTest {
    private static final long TIMEOUT = SimulatedSm.SECOND / 5;

    private final SimulatedSm sm =
            SimulatedSm.of(SampleTorus.torus(5, 5, 1, 1), 11).started();
    private final Fabric fabric = sm.fabric;
    private final int switches = fabric.switchCount();

    /** The bits of all switches were set when these came up, and cleared after their ports had been read. */
    @BeforeEach
    void everythingIsReadOnceMore() {
        sm.manager.sweepNow("test");
        right();
    }

    private void right() {
        assertThat(sm.settle()).isTrue();
        assertThat(new Devices(sm.subnet).faults(sm.snapshot())).isEmpty();
    }

    private List<String> readAnew() {
        return sm.reports.stream()
                .flatMap(report -> report.notes().stream())
                .filter(note -> note.contains("read anew"))
                .toList();
    }

    private static String anew(int read, int of) {
        return read + " of " + of + " switches tell of changes; only these were read anew";
    }

    /** Has a switch say whether a port changed, in each answer for which this holds. */
    private static void says(SimulatedSm of, int sw, int changed, BooleanSupplier now) {
        of.subnet.tamper(
                sw,
                mad -> mad.isAbout(SwitchInfo.TYPE) && now.getAsBoolean()
                        ? mad.copy()
                                .setData(
                                        SwitchInfo.TYPE,
                                        mad.data(SwitchInfo.TYPE).set(SwitchInfo.STATE_CHANGE, changed))
                        : mad);
    }

    @Test
    void theEndsOfALostCableAreRead() {
        sm.subnet.unlink(sm.cable(7));
        right();
        assertThat(readAnew()).first().isEqualTo(anew(2, switches));
        // SwitchInfo of all, 7 ports of two, and what is written.
        assertThat(sm.reports.get(2).requests()).isLessThan(switches + 2 * 7 + 60L);
        sm.subnet.relink(sm.cable(7));
        right();
        assertThat(sm.last().links()).isEqualTo(2 * switches + switches);
    }

    @Test
    void aSwitchThatIsGoneIsNotAsked() {
        sm.subnet.powerOff(12);
        right();
        assertThat(readAnew()).first().isEqualTo(anew(4, switches - 1));
        assertThat(sm.snapshot().fabric().switchCount()).isEqualTo(switches - 1);
        sm.subnet.powerOn(12);
        right();
        assertThat(sm.snapshot().fabric().nodeCount()).isEqualTo(fabric.nodeCount());
    }

    @Test
    void aHostThatIsReplacedIsAskedWhoItIs() {
        int host = switches + 3;
        sm.subnet.powerOff(host);
        right();
        sm.subnet.tamper(
                host,
                mad -> mad.isAbout(NodeInfo.TYPE)
                        ? mad.copy()
                                .setData(
                                        NodeInfo.TYPE,
                                        mad.data(NodeInfo.TYPE)
                                                .set(NodeInfo.NODE_GUID, 0xABCDEFL)
                                                .set(NodeInfo.PORT_GUID, 0xABCDF0L))
                        : mad);
        sm.subnet.powerOn(host);
        assertThat(sm.settle()).isTrue();
        assertThat(sm.snapshot().fabric().nodeOfGuid(0xABCDEFL)).isNotEqualTo(Fabric.NONE);
    }

    /** Its link stayed up, and all that tells of it is that some port of its switch changed. */
    @Test
    void theLidOfAHostBehindASwitchThatTellsOfAChangeIsLookedAt() {
        int host = switches + 3;
        int port = fabric.portIndex(host, 1);
        int sw = fabric.nodeOf(fabric.cable(port));
        int lid = sm.snapshot().fabric().lid(port);
        PortInfo other = sm.subnet.node(host).portInfo(1).toSet().set(PortInfo.LID, 500);
        sm.subnet
                .attach(fabric.portIndex(host + 1, 1))
                .send(
                        Mad.lidRouted(MadMethod.SET, PortInfo.TYPE, 1).setData(PortInfo.TYPE, other),
                        MadAddress.smp(lid),
                        0);
        sm.subnet.loop().runFor(SimulatedSm.SECOND / 100);
        assertThat(sm.subnet.node(host).portInfo(1).getInt(PortInfo.LID)).isEqualTo(500);
        int[] left = {2};
        says(sm, sw, 1, () -> left[0]-- > 0);
        right();
        assertThat(readAnew()).last().isEqualTo(anew(1, switches));
        assertThat(sm.subnet.node(host).portInfo(1).getInt(PortInfo.LID)).isEqualTo(lid);
    }

    @Test
    void aTrapIsBelievedMoreThanSwitchInfo() {
        int port = sm.cable(7);
        int far = fabric.nodeOf(fabric.cable(port));
        for (int sw : new int[] {7, far}) {
            says(sm, sw, 0, () -> true);
        }
        sm.subnet.unlink(port);
        right();
        assertThat(readAnew()).first().isEqualTo(anew(1, switches));
        assertThat(sm.last().links()).isEqualTo(3 * switches - 1);
    }

    @Test
    void aSweepWithoutAnyChangeRoutesNothing() {
        sm.subnet.unlink(sm.cable(7));
        right();
        int before = sm.reports.size();
        sm.subnet.babble(7, 128, SimulatedSm.SECOND);
        sm.subnet.loop().runUntil(() -> sm.reports.size() > before + 1, SimulatedSm.PATIENCE);
        assertThat(sm.last().notes()).contains("cables and links are as they were");
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.DONE);
    }

    @Test
    void groupsAreRoutedWithoutReadingTheSubnet() {
        int other = fabric.portIndex(fabric.nodeCount() - 1, 1);
        List<Long> members = List.of(fabric.portGuid(sm.smPort), fabric.portGuid(other));
        sm.subnet.loop().execute(() -> sm.manager.multicast(List.of(new GroupMembers(Lids.MIN_MULTICAST, 0, members))));
        right();
        assertThat(readAnew()).containsExactly(anew(0, switches));
        assertThat(sm.last().phases()).anyMatch(phase -> phase.name().equals("MFT"));
    }

    @Test
    void afterATrapSwitchesNearItAreAskedFirstAndAtOnceAllOthers() {
        SimulatedSm wide = SimulatedSm.of(SampleTorus.torus(9, 9, 1, 1), 11).started();
        wide.manager.sweepNow("test");
        assertThat(wide.settle()).isTrue();
        int far = 4 * 9 + 4;
        int[] asked = {0};
        // Its port changed as well, and its trap got lost.
        says(wide, far, 1, () -> asked[0]++ == 0);
        wide.subnet.babble(0, 128, 3 * SimulatedSm.SECOND);
        int before = wide.reports.size();
        wide.subnet.loop().runUntil(() -> wide.reports.size() > before, SimulatedSm.PATIENCE);
        assertThat(wide.last().reason()).startsWith("trap 128");
        // SwitchInfo of 13, 7 ports of one, and the host behind it.
        assertThat(wide.last().requests()).isLessThan(30);
        assertThat(asked[0]).isZero();
        wide.subnet.loop().runFor(SimulatedSm.SECOND);
        String name = wide.snapshot().fabric().description(far);
        assertThat(wide.last().reason()).isEqualTo("light sweep: a port of " + name + " changed");
    }

    /** Round the ring the other way no switch is asked that would have to answer first. */
    @Test
    void switchesThatAreNotAskedKeepTheShortestPath() {
        SimulatedSm ring = upDown(SampleTorus.torus(24, 1, 1, 1));
        int[] hops = {0};
        ring.subnet.tamper(8, mad -> {
            hops[0] = mad.path().hops();
            return mad;
        });
        ring.subnet.babble(5, 128, 3 * SimulatedSm.SECOND);
        ring.subnet.loop().runUntil(() -> hops[0] > 0, SimulatedSm.SECOND);
        assertThat(hops[0]).as("from the host to switch 0, and to switch 8").isEqualTo(9);
    }

    /** Traps of others that lost a cable went by those that are gone, and who tells is not near all of these. */
    @Test
    void switchesNearOneThatTellsWhenItIsAskedAreAskedToo() {
        SimulatedSm wide = upDown(SampleTorus.torus(5, 4, 7, 1));
        int before = wide.reports.size();
        for (String gone : List.of("S-0.0.1", "S-0.0.2")) {
            wide.subnet.powerOff(node(wide.fabric, gone));
        }
        wide.subnet.loop().runUntil(() -> wide.reports.size() > before, SimulatedSm.PATIENCE);
        assertThat(wide.last().nanos()).as("without a time-out").isLessThan(TIMEOUT);
        assertThat(wide.last().switches()).isEqualTo(wide.fabric.switchCount() - 2);
    }

    /** The cable on the way to the switch that told goes just after, and nobody hears of that. */
    @Test
    void switchesOnTheWayToOneThatToldAreAskedToo() {
        SimulatedSm ring = upDown(SampleTorus.torus(24, 1, 1, 1));
        int before = ring.reports.size();
        ring.subnet.babble(node(ring.fabric, "S-8.0.0"), 128, 3 * SimulatedSm.SECOND);
        ring.subnet.loop().runUntil(() -> !ring.traps.isEmpty(), SimulatedSm.SECOND);
        ring.subnet.loss(1);
        ring.subnet.unlink(ring.cable(node(ring.fabric, "S-3.0.0")));
        ring.subnet.loss(0);
        ring.subnet.loop().runUntil(() -> ring.reports.size() > before, SimulatedSm.PATIENCE);
        assertThat(ring.last().nanos()).as("without a time-out").isLessThan(TIMEOUT);
        assertThat(ring.last().links()).isEqualTo(24 + 23);
    }

    private static SimulatedSm upDown(SampleTorus torus) {
        SmSettings settings = SmSettings.of(RoutingSettings.of(EngineName.UP_DOWN.engine(null, false, List.of())));
        SimulatedSm made = new SimulatedSm(torus.fabric(), settings, TextStore.NONE, 11).started();
        made.manager.sweepNow("test");
        assertThat(made.settle()).isTrue();
        return made;
    }

    private static int node(Fabric of, String description) {
        return IntStream.range(0, of.nodeCount())
                .filter(node -> of.description(node).equals(description))
                .findFirst()
                .orElseThrow();
    }

    /** Its answer to the light sweep was older than the change, and its trap got lost. */
    @Test
    void aTrapWithinALightSweepLeavesNoChangeElsewhereToTheNext() {
        int far = 18;
        int[] asked = {0};
        says(sm, far, 1, () -> asked[0]++ == 1);
        sm.subnet.loop().runUntil(() -> asked[0] > 0, 20 * SimulatedSm.SECOND);
        assertThat(sm.manager.activity()).isEqualTo("light");
        sm.subnet.babble(0, 128, 30 * SimulatedSm.SECOND);
        sm.subnet.loop().runFor(SimulatedSm.SECOND);
        assertThat(sm.last().reason()).isEqualTo("light sweep: a port of " + fabric.description(far) + " changed");
    }

    /** Many of its questions are on their way over the cable that is lost. */
    @Test
    void aTrapWithinALightSweepDoesNotWaitForItsEnd() {
        sm.subnet.unlink(sm.cable(7));
        sm.subnet.loop().runUntil(() -> sm.manager.activity().equals("light"), SimulatedSm.PATIENCE);
        int before = sm.reports.size();
        long began = sm.subnet.loop().nanoTime();
        sm.subnet.unlink(sm.cable(0));
        sm.subnet.loop().runUntil(() -> sm.reports.size() > before, SimulatedSm.PATIENCE);
        assertThat(sm.last().notes()).as("not of everything").anyMatch(note -> note.contains("read anew"));
        assertThat(sm.last().links()).isEqualTo(3 * switches - 2);
        assertThat(sm.subnet.loop().nanoTime() - began).as("after one time-out").isLessThan(2 * TIMEOUT);
        right();
    }

    @Test
    void aSwitchThatAlwaysTellsOfChangesIsReadOncePerLightSweep() {
        says(sm, 20, 1, () -> true);
        sm.subnet.unlink(sm.cable(7));
        sm.subnet.loop().runFor(9 * SimulatedSm.SECOND);
        int before = sm.reports.size();
        sm.subnet.loop().runFor(30 * SimulatedSm.SECOND);
        assertThat(sm.reports.size() - before).isBetween(2, 7);
    }

    @Test
    void whatDoesNotAnswerIsLookedForEverywhere() {
        sm.subnet.silence(12, true);
        sm.subnet.unlink(sm.cable(7));
        int before = sm.reports.size();
        sm.subnet.loop().runUntil(() -> sm.reports.size() > before, SimulatedSm.PATIENCE);
        assertThat(readAnew()).isEmpty();
        assertThat(sm.reports.get(before).switches()).isEqualTo(switches - 1);
        sm.subnet.silence(12, false);
        right();
    }

    /** What answers late is found by the sweep that looks for it, which asks all others, too. */
    @Test
    void whatWasLookedForEverywhereIsNotLookedAtOnceMore() {
        sm.subnet.silence(12, true);
        sm.subnet.babble(7, 128, 30 * SimulatedSm.SECOND);
        int before = sm.reports.size();
        sm.subnet.loop().runUntil(() -> sm.manager.activity().equals("sweeping"), SimulatedSm.PATIENCE);
        sm.subnet.loop().schedule(SimulatedSm.SECOND, () -> sm.subnet.silence(12, false));
        sm.subnet.loop().runUntil(() -> sm.reports.size() > before, SimulatedSm.PATIENCE);
        assertThat(sm.last().reason()).startsWith("trap 128");
        assertThat(sm.last().nanos()).isGreaterThan(SimulatedSm.SECOND);
        assertThat(sm.last().result()).isEqualTo(SweepReport.Result.DONE);
        assertThat(readAnew()).isEmpty();
        long looks = sm.manager.lightSweeps();
        sm.subnet.loop().runFor(5 * SimulatedSm.SECOND);
        assertThat(sm.manager.lightSweeps()).isEqualTo(looks);
    }

    @Test
    void everythingIsReadAgainAfterAWhile() {
        sm.subnet.unlink(sm.cable(7));
        right();
        // The trap of the far end comes again when there is a way for it.
        sm.subnet.loop().runFor(5 * SimulatedSm.SECOND);
        int before = sm.reports.size();
        sm.subnet.loop().runFor(SubnetManager.FULL_INTERVAL + 20 * SimulatedSm.SECOND);
        assertThat(sm.reports).hasSize(before + 1);
        assertThat(sm.last().reason()).isEqualTo("only changes were read for 10 minutes");
        assertThat(sm.last().notes()).noneMatch(note -> note.contains("read anew"));
        sm.subnet.loop().runFor(SubnetManager.FULL_INTERVAL + 20 * SimulatedSm.SECOND);
        assertThat(sm.reports).as("after which nothing but light sweeps came").hasSize(before + 1);
        sm.subnet.relink(sm.cable(7));
        right();
        sm.subnet.loop().runFor(20 * SimulatedSm.SECOND);
        assertThat(sm.last().reason()).as("after the change").isEqualTo("only changes were read for 10 minutes");
        sm.subnet.unlink(sm.cable(7));
        right();
        sm.subnet.loop().runFor(SubnetManager.FULL_INTERVAL / 2);
        assertThat(sm.last().reason()).as("all was read not long ago").doesNotContain("10 minutes");
    }
}
