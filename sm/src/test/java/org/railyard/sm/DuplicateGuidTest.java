package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.smp.GuidInfo;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.PortInfo;
import org.railyard.sm.SweepReport.Result;
import org.railyard.sm.model.PortGuids;

/** A host that takes the GUID of another one, and gives it back: the subnet does not wait for anybody then. */
class DuplicateGuidTest {
    private static final int PAIRS = 8;
    private static final String MOVED = "hosts are at other places than before";

    private final SampleTorus torus = SampleTorus.torus(3, 3, 3, 1);
    private final Fabric fabric = torus.fabric();

    /** One host says that it is the other one. */
    private static void pretend(SimulatedSm sm, int host, int other) {
        Fabric fabric = sm.fabric;
        sm.subnet.tamper(
                host,
                mad -> mad.isAbout(NodeInfo.TYPE)
                        ? mad.copy()
                                .setData(
                                        NodeInfo.TYPE,
                                        mad.data(NodeInfo.TYPE)
                                                .set(NodeInfo.NODE_GUID, fabric.guid(other))
                                                .set(NodeInfo.PORT_GUID, fabric.portGuid(fabric.portIndex(other, 1))))
                        : mad);
    }

    /** A node says that its port has the GUID of another one's. */
    private static void claim(SimulatedSm sm, int node, int port) {
        sm.subnet.tamper(
                node,
                mad -> mad.isAbout(NodeInfo.TYPE)
                        ? mad.copy()
                                .setData(
                                        NodeInfo.TYPE,
                                        mad.data(NodeInfo.TYPE).set(NodeInfo.PORT_GUID, sm.fabric.portGuid(port)))
                        : mad);
    }

    private static int lid(SimulatedSm sm, int port) {
        return sm.subnet
                .node(sm.fabric.nodeOf(port))
                .portInfo(sm.fabric.portNumber(port))
                .getInt(PortInfo.LID);
    }

    private int host(SplittableRandom random) {
        return fabric.switchCount() + 1 + random.nextInt(fabric.nodeCount() - fabric.switchCount() - 1);
    }

    private static void sweep(SimulatedSm sm, String why) {
        sm.subnet.loop().execute(() -> sm.manager.sweepNow(why));
        sm.subnet.loop().runFor(5 * SimulatedSm.SECOND);
    }

    /** Heals, and returns whether hosts were at other places then. */
    private static boolean healed(SimulatedSm sm, int host) {
        sm.subnet.tamper(host, null);
        int before = sm.reports.size();
        sweep(sm, "healed");
        List<String> notes = new ArrayList<>();
        sm.reports.subList(before, sm.reports.size()).forEach(report -> notes.addAll(report.notes()));
        assertThat(sm.last().result()).as("%s", notes).isEqualTo(Result.DONE);
        assertThat(new Devices(sm.subnet).faults(sm.snapshot())).isEmpty();
        return notes.stream().anyMatch(note -> note.contains(MOVED));
    }

    /** As long as both are there nobody knows who is who: nobody is moved, and whoever was first goes on. */
    @Test
    void whatIsKnownStaysWhileBothAreThere() {
        for (int seed = 0; seed < PAIRS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            SimulatedSm sm = SimulatedSm.of(torus, seed).started();
            int host = host(random);
            pretend(sm, host, host(random));
            sweep(sm, "duplicate");
            assertThat(sm.last().result()).as("%s", sm.last().notes()).isEqualTo(Result.DONE);
            assertThat(sm.last().notes()).noneMatch(note -> note.contains(MOVED));
            int links = sm.last().links();
            int cable = IntStream.range(0, fabric.portCount())
                    .filter(port -> fabric.cable(port) != Fabric.NONE
                            && fabric.isSwitch(fabric.nodeOf(port))
                            && fabric.isSwitch(fabric.nodeOf(fabric.cable(port))))
                    .findFirst()
                    .orElseThrow();
            sm.subnet.unlink(cable);
            sm.subnet.loop().runFor(5 * SimulatedSm.SECOND);
            assertThat(sm.last().result()).as("other changes go on").isEqualTo(Result.DONE);
            assertThat(sm.last().links()).isLessThan(links);
            sm.subnet.relink(cable);
            assertThat(healed(sm, host)).isFalse();
        }
    }

    /** The subnet manager took it for the other one from the beginning. */
    @Test
    void aHostThatWasTakenForAnotherOneGivesItsPlaceBack() {
        boolean moved = false;
        for (int seed = 0; seed < PAIRS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            SimulatedSm sm = SimulatedSm.of(torus, seed);
            int host = host(random);
            pretend(sm, host, host(random));
            sm.subnet.loop().execute(sm.manager::start);
            sm.subnet.loop().runFor(5 * SimulatedSm.SECOND);
            moved |= healed(sm, host);
        }
        assertThat(moved).as("one was routed at the place of another").isTrue();
    }

    /** What else is wrong with the subnet says nothing about who is who. */
    @Test
    void aNodeThatIsLeftOutForAnotherReasonIsNoObstacle() {
        boolean moved = false;
        for (int seed = 0; seed < PAIRS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            SimulatedSm sm = SimulatedSm.of(torus, seed);
            int host = host(random);
            int other = host(random);
            int broken = host(random);
            if (broken == host || broken == other) {
                continue;
            }
            pretend(sm, host, other);
            sm.subnet.tamper(
                    broken,
                    mad -> mad.isAbout(NodeInfo.TYPE)
                            ? mad.copy()
                                    .setData(
                                            NodeInfo.TYPE,
                                            mad.data(NodeInfo.TYPE).set(NodeInfo.NODE_GUID, 0))
                            : mad);
            sm.subnet.loop().execute(sm.manager::start);
            sm.subnet.loop().runFor(5 * SimulatedSm.SECOND);
            sm.subnet.tamper(host, null);
            int before = sm.reports.size();
            sweep(sm, "healed");
            assertThat(sm.last().notes()).anyMatch(note -> note.contains("with GUID 0x0000000000000000"));
            assertThat(sm.reports.subList(before, sm.reports.size()))
                    .noneMatch(report -> report.result() == Result.SL_CHANGE);
            moved |= sm.reports.subList(before, sm.reports.size()).stream()
                    .anyMatch(report -> report.notes().stream().anyMatch(note -> note.contains(MOVED)));
        }
        assertThat(moved).isTrue();
    }

    /** It came when the other one was away. */
    @Test
    void aHostComesBackToItsPlaceThatAnotherOneTook() {
        boolean moved = false;
        for (int seed = 0; seed < PAIRS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            SimulatedSm sm = SimulatedSm.of(torus, seed).started();
            int host = host(random);
            int other = host(random);
            sm.subnet.unlink(fabric.portIndex(other, 1));
            sm.subnet.unlink(fabric.portIndex(host, 1));
            sweep(sm, "away");
            pretend(sm, host, other);
            sm.subnet.relink(fabric.portIndex(host, 1));
            sweep(sm, "pretends");
            sm.subnet.relink(fabric.portIndex(other, 1));
            sweep(sm, "both");
            assertThat(sm.last().notes()).noneMatch(note -> note.contains(MOVED));
            moved |= healed(sm, host);
        }
        assertThat(moved).isTrue();
    }

    /** All hosts were taken for others: with the SLs of these, packets could close a loop in the new tables. */
    @Test
    void whatOldSlsMakeUnsafeIsLeftToTheAdministrator() {
        SampleTorus rings = SampleTorus.torus(8, 3, 1, 1);
        SimulatedSm sm = SimulatedSm.of(rings, 1);
        int first = sm.fabric.switchCount() + 1;
        List<Integer> hosts = new ArrayList<>(
                IntStream.range(first, sm.fabric.nodeCount()).boxed().toList());
        Collections.shuffle(hosts, new Random(1));
        for (int i = 0; i < hosts.size(); i++) {
            pretend(sm, hosts.get(i), hosts.get((i + 1) % hosts.size()));
        }
        sm.subnet.loop().execute(sm.manager::start);
        sm.subnet.loop().runFor(5 * SimulatedSm.SECOND);
        assertThat(sm.last().result()).isEqualTo(Result.DONE);
        hosts.forEach(host -> sm.subnet.tamper(host, null));
        sweep(sm, "healed");
        assertThat(sm.last().result()).isEqualTo(Result.SL_CHANGE);
        sm.subnet
                .loop()
                .execute(() -> sm.manager.configure(SimulatedSm.torus(rings).withSlChange(true), "allowed"));
        sm.subnet.loop().runFor(5 * SimulatedSm.SECOND);
        assertThat(sm.last().result()).isEqualTo(Result.DONE);
        assertThat(sm.reports)
                .anyMatch(report -> report.notes().stream()
                        .anyMatch(note -> note.matches("the new routes change the SL of \\d+ paths between .*")));
        assertThat(new Devices(sm.subnet).faults(sm.snapshot())).isEmpty();
    }

    /** Of a torus the switches have the lowest node GUIDs: they are found before the own port. */
    @Test
    void theOwnPortKeepsItsGuidFromTheFirstSweepOn() {
        for (int node : new int[] {0, fabric.nodeCount() - 1}) {
            SimulatedSm sm = SimulatedSm.of(torus, 1);
            claim(sm, node, sm.smPort);
            sm.subnet.loop().execute(sm.manager::start);
            sm.subnet.loop().runFor(5 * SimulatedSm.SECOND);
            assertThat(sm.last().result()).as("%s", sm.last().notes()).isEqualTo(Result.DONE);
            assertThat(sm.last().notes()).anyMatch(note -> note.contains("the second gets no LID"));
            assertThat(sm.snapshot().fabric().lid(sm.snapshot().smPort())).isEqualTo(lid(sm, sm.smPort));
        }
    }

    @Test
    void aPortKeepsTheGuidThatItHadInTheSweepBefore() {
        SimulatedSm sm = SimulatedSm.of(torus, 1).started();
        int victim = fabric.portIndex(fabric.nodeCount() - 1, 1);
        for (int node : new int[] {0, fabric.switchCount() + 1}) {
            int before = lid(sm, victim);
            claim(sm, node, victim);
            sweep(sm, "claimed");
            assertThat(sm.last().result()).as("%s", sm.last().notes()).isEqualTo(Result.DONE);
            assertThat(lid(sm, victim)).isEqualTo(before);
            int there = sm.snapshot().fabric().nodeOfGuid(fabric.guid(fabric.nodeCount() - 1));
            assertThat(sm.snapshot().fabric().lid(sm.snapshot().fabric().portIndex(there, 1)))
                    .isEqualTo(before);
            assertThat(healed(sm, node)).isFalse();
        }
    }

    /** A port that only claims the GUID gets nothing that clients of the other one asked for. */
    @Test
    void aliasGuidsAreThoseOfThePortThatHasTheGuid() {
        for (int node : new int[] {0, fabric.switchCount() + 1}) {
            SimulatedSm sm = SimulatedSm.of(torus, 1).started();
            int victim = fabric.portIndex(fabric.nodeCount() - 1, 1);
            claim(sm, node, victim);
            sweep(sm, "claimed");
            PortGuids alias = new PortGuids(fabric.portGuid(victim), 0, List.of(0L, 7L, 0L, 0L, 0L, 0L, 0L, 0L), 1);
            sm.subnet.loop().execute(() -> sm.manager.portGuids(List.of(alias)));
            sm.subnet.loop().runFor(5 * SimulatedSm.SECOND);
            assertThat(alias(sm, node)).isZero();
            assertThat(alias(sm, fabric.nodeOf(victim))).isEqualTo(7);
        }
    }

    private static long alias(SimulatedSm sm, int node) {
        int port = sm.fabric.isSwitch(node) ? 0 : 1;
        return sm.subnet.node(node).guids(port, 0).get(GuidInfo.GUIDS, 1);
    }

    /** After a restart nothing is known of before but the table: who has the LID of the GUID is likelier to be it. */
    @Test
    void whoHasTheLidOfTheTableKeepsTheGuidAfterARestart() {
        TextStore store = new TextInMemory();
        SimulatedSm sm = new SimulatedSm(fabric, SimulatedSm.torus(torus), store, 1).started();
        int victim = fabric.portIndex(fabric.nodeCount() - 1, 1);
        int before = lid(sm, victim);
        claim(sm, 0, victim);
        sm.manager.stop();
        sm.port.close();
        SubnetManager next =
                new SubnetManager(sm.subnet.attach(sm.smPort), SimulatedSm.torus(torus), store, sm, (mad, from) -> {});
        sm.subnet.loop().execute(next::start);
        sm.subnet.loop().runFor(5 * SimulatedSm.SECOND);
        assertThat(sm.last().result()).isEqualTo(Result.DONE);
        assertThat(lid(sm, victim)).isEqualTo(before);
    }
}
