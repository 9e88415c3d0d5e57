package org.railyard.fabric.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.sim.FabricSim.Outcome;
import org.railyard.fabric.torus.qos.VlArbTable;

/** The packet simulator: times of single packets, rules that always hold, failures. */
class FabricSimTest {
    private static final long SECOND = 1_000_000_000L;
    private static final SampleTorus ROW = SampleTorus.torus(3, 1, 1, 2);
    private static final SampleTorus PLANE = SampleTorus.torus(4, 3, 1, 2);

    private static SimWorld plane(SimSettings settings) {
        Fabric fabric = SimWorld.torus(PLANE);
        return new SimWorld(fabric, SimWorld.torus2Qos(PLANE, fabric), settings);
    }

    private static SimWorld row(SimSettings settings) {
        Fabric fabric = SimWorld.torus(ROW);
        return new SimWorld(fabric, SimWorld.dor(fabric), settings);
    }

    @Test
    void aPacketAloneTakesItsHopsAndIsSerialisedOnce() {
        SimWorld world = row(SimSettings.DEFAULT);
        // Hosts 0 and 1 are on one switch, host 2 is on the next. 4x SDR carries a byte per ns.
        world.send(0, 2, 0, 1000, 1);
        assertThat(world.sim().drain(SECOND)).isEqualTo(Outcome.DRAINED);
        assertThat(world.sim().now()).isEqualTo(3 * 25 + 2 * 100 + 1000);
        long start = world.sim().now();
        world.send(0, 1, 0, 64, 1);
        world.sim().drain(SECOND);
        assertThat(world.sim().now() - start).isEqualTo(2 * 25 + 100 + 64);
        assertThat(world.sim().figures().bytes(world.port(0))).isEqualTo(1064);
        assertThat(world.wrong()).isEmpty();
    }

    @Test
    void aSlowLinkHoldsUpAFastOne() {
        SimWorld world = row(SimSettings.DEFAULT);
        world.sim().setRate(world.port(0), 1, LinkSpeed.SDR);
        world.send(0, 1, 0, 1000, 1);
        world.sim().drain(SECOND);
        assertThat(world.sim().now())
                .as("the fast link can not send what has not come; its own delay comes on top")
                .isEqualTo(4000 + 2 * 25);
    }

    @Test
    void aSaturatedLinkIsSharedByWeights() {
        VlArbTable nobody = VlArbTable.parse("0:0");
        Arbitration threeToOne = new Arbitration(nobody, VlArbTable.parse("0:64,1:192"), 0);
        SimWorld world = row(SimSettings.DEFAULT.withArbitration(threeToOne, Arbitration.EQUAL, Arbitration.EQUAL));
        for (int number = 0; number < 400; number++) {
            // SL 0 is VL 0, SL 1 is VL 1.
            world.send(0, 2, 0, SimWorld.MTU_PACKET, number);
            world.send(1, 2, 1, SimWorld.MTU_PACKET, number);
        }
        world.sim().runUntil(200 * SimWorld.MTU_PACKET);
        long first = world.sim().figures().bytes(world.port(0));
        long second = world.sim().figures().bytes(world.port(1));
        assertThat(second / (double) first).isBetween(2.5, 3.5);
        assertThat(world.sim().figures().waitedNanos(world.port(0)))
                .as("its share leaves it without credits most of the time")
                .isGreaterThan(100 * SimWorld.MTU_PACKET);
        assertThat(world.sim().drain(SECOND)).isEqualTo(Outcome.DRAINED);
    }

    @Test
    void theRulesHoldForManySeeds() {
        for (long seed = 0; seed < 12; seed++) {
            SimSettings settings = seed % 2 == 0 ? SimWorld.SMALL : SimSettings.DEFAULT;
            SimWorld world = plane(settings);
            SimAudit audit = new SimAudit(world.sim(), world.fabric(), settings);
            Routing routing = SimWorld.torus2Qos(PLANE, world.fabric());
            for (int burst = 0; burst < 10; burst++) {
                world.uniform(routing.sls(), seed * 100 + burst, 300, 20_000);
                audit.check();
            }
            assertThat(world.sim().drain(SECOND)).as("seed %d", seed).isEqualTo(Outcome.DRAINED);
            audit.check();
            audit.checkEmpty();
            assertThat(world.sim().delivered()).isEqualTo(3000);
            assertThat(world.wrong()).as("seed %d", seed).isEmpty();
        }
    }

    private static long digest(long seed) {
        SimWorld world = plane(SimSettings.DEFAULT);
        Routing routing = SimWorld.torus2Qos(PLANE, world.fabric());
        world.uniform(routing.sls(), seed, 5000, 100_000);
        world.sim().drain(SECOND);
        return world.digest();
    }

    @Test
    void theSameSeedGivesTheSameDigest() {
        long digest = digest(7);
        assertThat(digest(7)).isEqualTo(digest);
        assertThat(digest(8)).isNotEqualTo(digest);
    }

    @Test
    void aLinkThatGoesDownLosesWhatIsOnItAndItsCreditsComeBack() {
        SimWorld world = plane(SimWorld.SMALL);
        SimAudit audit = new SimAudit(world.sim(), world.fabric(), SimWorld.SMALL);
        Routing routing = SimWorld.torus2Qos(PLANE, world.fabric());
        for (int round = 0; round < 20; round++) {
            world.uniform(routing.sls(), round, 200, 10_000);
            int cable = world.fabric().portIndex(round % 12, 3 + round % 4);
            world.sim().setLink(cable, false);
            audit.check();
            world.uniform(routing.sls(), 1000 + round, 200, 10_000);
            audit.check();
            world.sim().setLink(cable, true);
            audit.check();
            // Flows are told apart by their numbers, which begin again.
            world.forgetFlows();
        }
        assertThat(world.sim().drain(SECOND)).isEqualTo(Outcome.DRAINED);
        audit.checkEmpty();
        assertThat(world.lost()).isPositive();
        assertThat(world.sim().dropped(DropReason.LINK_DOWN)).isEqualTo(world.lost());
        assertThat(world.wrong()).isEmpty();
    }

    @Test
    void whatCanNotArriveIsDroppedForAReason() {
        SimWorld world = row(SimSettings.DEFAULT);
        FabricSim sim = world.sim();
        sim.inject(world.port(0), 0xBFFF, 0, 100, 1);
        sim.drain(SECOND);
        assertThat(sim.dropped(DropReason.NO_ROUTE)).isEqualTo(1);
        sim.setLink(world.port(2), false);
        sim.inject(world.port(0), world.lid(2), 0, 100, 2);
        sim.drain(2 * SECOND);
        sim.inject(world.port(2), world.lid(0), 0, 100, 3);
        assertThat(sim.dropped(DropReason.LINK_DOWN)).isEqualTo(2);
        assertThat(sim.inside()).isZero();
        assertThatThrownBy(() -> sim.inject(world.port(0), world.lid(1), 0, 1 << 20, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected 1…10240");
    }

    @Test
    void tablesThatLeadToTheWrongPlaceLosePacketsAndNoCredits() {
        Fabric fabric = SimWorld.torus(ROW);
        Routing good = SimWorld.dor(fabric);
        SimWorld world = new SimWorld(fabric, good, SimSettings.DEFAULT);
        SimAudit audit = new SimAudit(world.sim(), fabric, SimSettings.DEFAULT);
        int lid = world.lid(2);
        int first = fabric.nodeOf(fabric.peer(world.port(0)));
        int second = fabric.nodeOf(fabric.peer(world.port(2)));
        int back = 0;
        for (int number = 1; number <= fabric.ports(second); number++) {
            int peer = fabric.peer(fabric.portIndex(second, number));
            back = peer != Fabric.NONE && fabric.nodeOf(peer) == first ? number : back;
        }
        record Wrong(int output, long table, DropReason reason) {}
        for (Wrong wrong : List.of(
                new Wrong(back, 0, DropReason.ROUND),
                new Wrong(0, 0, DropReason.NO_ROUTE),
                new Wrong(200, 0, DropReason.NO_ROUTE),
                new Wrong(fabric.portNumber(fabric.peer(world.port(3))), 0, DropReason.WRONG_END),
                new Wrong(good.forwarding().port(second, lid), -1, DropReason.VL_15))) {
            byte[][] rows = new byte[fabric.switchCount()][fabric.maxLid() + 1];
            for (int sw = 0; sw < rows.length; sw++) {
                good.forwarding().copyPorts(sw, 0, rows[sw]);
            }
            rows[second][lid] = (byte) wrong.output;
            world.sim()
                    .setRouting(
                            second,
                            new Routing(
                                    "wrong",
                                    new ForwardingTables(rows),
                                    good.sls(),
                                    SlToVl.uniform(wrong.table),
                                    good.multicast(),
                                    List.of()));
            for (int i = 0; i < 3; i++) {
                long before = world.sim().dropped(wrong.reason);
                world.send(0, 2, 0, SimWorld.MTU_PACKET, i);
                assertThat(world.sim().drain(SECOND)).isEqualTo(Outcome.DRAINED);
                assertThat(world.sim().dropped(wrong.reason)).isEqualTo(before + 1);
            }
            // Until the tail of what was dropped has left the switch before.
            world.sim().runUntil(world.sim().now() + 2 * SimWorld.MTU_PACKET);
            audit.checkEmpty();
            world.forgetFlows();
        }
        assertThat(world.sim().delivered()).isZero();
        world.sim().setRouting(good);
        world.send(0, 2, 0, SimWorld.MTU_PACKET, 9);
        assertThat(world.sim().drain(SECOND)).isEqualTo(Outcome.DRAINED);
        assertThat(world.sim().delivered()).isEqualTo(1);
        Routing none =
                new Routing("none", good.forwarding(), good.sls(), SlToVl.uniform(-1), good.multicast(), List.of());
        world.sim().setEndRouting(none);
        world.send(0, 2, 0, SimWorld.MTU_PACKET, 10);
        assertThat(world.sim().dropped(DropReason.VL_15)).isEqualTo(4);
        world.sim().setRouting(none);
        world.sim().setEndRouting(good);
        world.send(0, 1, 0, SimWorld.MTU_PACKET, 11);
        world.sim().drain(SECOND);
        assertThat(world.sim().dropped(DropReason.VL_15)).isEqualTo(5);
    }

    @Test
    void aCreditComesBackWhenThePacketHasLeftAndTheCableIsPassed() {
        SimWorld world = row(SimWorld.SMALL);
        world.send(0, 1, 0, SimWorld.MTU_PACKET, 1);
        world.send(0, 1, 0, SimWorld.MTU_PACKET, 2);
        assertThat(world.sim().drain(SECOND)).isEqualTo(Outcome.DRAINED);
        long whenTheSwitchHasSentTheFirst = 25 + 100 + SimWorld.MTU_PACKET;
        assertThat(world.sim().now())
                .isEqualTo(whenTheSwitchHasSentTheFirst + 25 + 25 + 100 + SimWorld.MTU_PACKET + 25);
        assertThat(world.sim().figures().longestWaitNanos()).isEqualTo(25 + 100 + 25);
        assertThat(world.sim().figures().waitedNanos(world.port(0))).isEqualTo(25 + 100 + 25);
    }

    @Test
    void aPacketMayBeSentLater() {
        SimWorld world = row(SimSettings.DEFAULT);
        assertThat(world.sim().injectAt(5000, world.port(0), world.lid(1), 0, 64, 1))
                .isTrue();
        assertThat(world.sim().inside()).isEqualTo(1);
        assertThat(world.sim().injected()).isEqualTo(1);
        world.sim().runUntil(5000 + 25 + 100 + 64 + 24);
        assertThat(world.sim().delivered()).isZero();
        world.sim().runUntil(5000 + 25 + 100 + 64 + 25);
        assertThat(world.sim().delivered()).isEqualTo(1);
        assertThat(world.sim().drain(SECOND)).isEqualTo(Outcome.DRAINED);
    }

    @Test
    void aSwitchGoesDownWithAllItsCablesAndARateIsThatOfBothDirections() {
        SimWorld world = row(SimSettings.DEFAULT);
        Fabric fabric = world.fabric();
        int sw = fabric.nodeOf(fabric.peer(world.port(2)));
        world.sim().setSwitch(sw, false);
        world.send(2, 3, 0, 64, 1);
        world.send(3, 2, 0, 64, 1);
        world.send(0, 2, 0, 64, 1);
        world.sim().drain(SECOND);
        assertThat(world.sim().dropped(DropReason.LINK_DOWN)).isEqualTo(3);
        world.sim().setSwitch(sw, true);
        world.sim().setRate(fabric.peer(world.port(0)), 1, LinkSpeed.SDR);
        for (int to = 0; to < 2; to++) {
            long start = world.sim().now();
            world.send(1 - to, to, 0, 1000, 2);
            world.sim().drain(SECOND);
            assertThat(world.sim().now() - start).isEqualTo(to == 0 ? 25 + 100 + 4000 + 25 : 4000 + 2 * 25);
        }
        world.send(0, 2, 0, 64, 3);
        world.sim().drain(SECOND);
        assertThat(world.sim().delivered()).isEqualTo(3);
    }

    @Test
    void whatIsBehindAPacketThatIsDroppedGoesOn() {
        SimWorld world = row(SimWorld.SMALL.withLifetime(50_000));
        world.sim().setStopped(world.port(2), true);
        world.send(3, 2, 0, 3000, 1);
        world.send(3, 2, 0, SimWorld.MTU_PACKET, 2);
        world.sim().runUntil(30_000);
        // There is room for it, but not before it is its turn.
        world.send(0, 2, 0, 64, 1);
        world.sim().runUntil(200_000);
        assertThat(world.sim().dropped(DropReason.LIFETIME)).isEqualTo(1);
        world.sim().setStopped(world.port(2), false);
        assertThat(world.sim().drain(SECOND)).isEqualTo(Outcome.DRAINED);
        assertThat(world.sim().delivered()).isEqualTo(2);
        assertThat(world.wrong()).isEmpty();
    }

    @Test
    void moreThanThereMayBeIsNotTaken() {
        SimWorld world = row(SimSettings.DEFAULT.withPackets(3));
        for (int i = 0; i < 3; i++) {
            world.send(0, 2, 0, 64, i);
        }
        assertThat(world.sim().inject(world.port(0), world.lid(2), 0, 64, 9)).isFalse();
        world.sim().drain(SECOND);
        assertThat(world.sim().inject(world.port(0), world.lid(2), 0, 64, 9)).isTrue();
    }

    @Test
    void anEndPortThatTakesNothingStarvesOthersAndThatIsNoDeadlock() {
        SimWorld world = row(SimWorld.SMALL);
        world.sim().setStopped(world.port(2), true);
        for (int i = 0; i < 10; i++) {
            world.send(0, 2, 0, SimWorld.MTU_PACKET, i);
            world.send(1, 2, 0, SimWorld.MTU_PACKET, i);
        }
        assertThat(world.sim().drain(SECOND)).isEqualTo(Outcome.STARVED);
        assertThat(world.sim().deadlock()).isEmpty();
        Starvation starvation = world.sim().starvation().orElseThrow();
        assertThat(starvation.packets()).isEqualTo(20);
        assertThat(starvation.ends()).containsExactly(new Starvation.End(world.port(2), 1));
        assertThat(starvation.text(world.fabric()))
                .startsWith("starvation at ")
                .contains(": 20 packets wait for ever")
                .contains("H-1.0.0.0/1 takes none: 1 of them in its buffers")
                .endsWith("19 packets wait for them, or behind such as do");
        world.sim().setStopped(world.port(2), false);
        assertThat(world.sim().drain(2 * SECOND)).isEqualTo(Outcome.DRAINED);
        assertThat(world.sim().delivered()).isEqualTo(20);
        assertThat(world.wrong()).isEmpty();
    }

    /**
     * One host sends to a slow one, another to a neighbour of that: the switch's buffer fills, and who is behind waits
     * at the pace of the slow one.
     */
    @Test
    void aSlowSinkHoldsUpWhatIsBehindIt() {
        long[] times = new long[2];
        for (int slow = 0; slow < 2; slow++) {
            SimWorld world = row(SimWorld.SMALL);
            world.sim().setSink(world.port(2), slow == 0 ? 1 : 0.25);
            for (int i = 0; i < 50; i++) {
                world.send(0, 2, 0, SimWorld.MTU_PACKET, i);
                world.send(0, 3, 0, SimWorld.MTU_PACKET, i);
            }
            assertThat(world.sim().drain(SECOND)).isEqualTo(Outcome.DRAINED);
            assertThat(world.sim().delivered()).isEqualTo(100);
            assertThat(world.wrong()).isEmpty();
            times[slow] = world.sim().now();
            new SimAudit(world.sim(), world.fabric(), SimWorld.SMALL).checkEmpty();
        }
        assertThat(times[1])
                .as("50 packets at a quarter of the rate, and those between them wait")
                .isBetween(50L * 4 * SimWorld.MTU_PACKET, 52L * 4 * SimWorld.MTU_PACKET);
        assertThat(times[0]).isLessThan(130L * SimWorld.MTU_PACKET);
    }

    @Test
    void aSlowSinkTakesItsShareWhateverTheVlAndStopsAndGoesOn() {
        SimWorld world = row(SimSettings.DEFAULT);
        world.sim().setSink(world.port(2), 0.5);
        for (int i = 0; i < 40; i++) {
            world.send(0, 2, 0, SimWorld.MTU_PACKET, i);
            world.send(1, 2, 1, SimWorld.MTU_PACKET, i);
        }
        world.sim().runUntil(40 * SimWorld.MTU_PACKET);
        assertThat(world.sim().delivered()).isBetween(17L, 20L);
        world.sim().setStopped(world.port(2), true);
        world.sim().runUntil(60 * SimWorld.MTU_PACKET);
        assertThat(world.sim().delivered())
                .as("the one that it was taking, at most")
                .isBetween(17L, 21L);
        world.sim().setStopped(world.port(2), false);
        world.sim().setSink(world.port(2), 1);
        assertThat(world.sim().drain(SECOND)).isEqualTo(Outcome.DRAINED);
        assertThat(world.sim().delivered()).isEqualTo(80);
        assertThat(world.wrong()).isEmpty();
        assertThatThrownBy(() -> world.sim().setSink(world.port(2), 0)).hasMessageContaining("expected 1.0E-4 to 1");
    }

    @Test
    void aVlWithoutWeightStarvesAndIsNamed() {
        Arbitration onlyZero = new Arbitration(VlArbTable.parse("0:0"), VlArbTable.parse("0:64"), 0);
        SimWorld world = row(SimSettings.DEFAULT.withArbitration(onlyZero, Arbitration.EQUAL, Arbitration.EQUAL));
        world.send(0, 2, 1, SimWorld.MTU_PACKET, 1);
        assertThat(world.sim().drain(SECOND)).isEqualTo(Outcome.STARVED);
        assertThat(world.sim().starvation().orElseThrow().text(world.fabric()))
                .contains("no VL arbitration table of this port gives vl 1 a weight");
    }

    @Test
    void aLifetimeLetsADeadlockPassAtTheCostOfPackets() {
        SampleTorus ring = SampleTorus.torus(5, 1, 1, 1);
        Fabric fabric = SimWorld.torus(ring);
        SimWorld world = new SimWorld(fabric, SimWorld.dor(fabric), SimWorld.SMALL.withLifetime(50_000));
        for (int number = 0; number < 20; number++) {
            for (int host = 0; host < 5; host++) {
                world.send(host, (host + 2) % 5, 0, SimWorld.MTU_PACKET, number);
            }
        }
        assertThat(world.sim().drain(SECOND)).isEqualTo(Outcome.DEADLOCK);
        world.sim().runUntil(SECOND);
        assertThat(world.sim().inside()).isZero();
        assertThat(world.sim().dropped(DropReason.LIFETIME)).isPositive().isEqualTo(world.lost());
        assertThat(world.sim().delivered() + world.lost()).isEqualTo(100);
        new SimAudit(world.sim(), fabric, SimWorld.SMALL).checkEmpty();
        assertThat(world.wrong()).isEmpty();
    }

    @Test
    void aPortWhosePacketsAreDroppedDoesNotWaitAnyMore() {
        for (boolean byLifetime : new boolean[] {true, false}) {
            SimWorld world = row(byLifetime ? SimWorld.SMALL.withLifetime(50_000) : SimWorld.SMALL);
            int out = world.fabric().peer(world.port(2));
            world.sim().setStopped(world.port(2), true);
            world.send(0, 2, 0, SimWorld.MTU_PACKET, 1);
            world.send(0, 2, 0, SimWorld.MTU_PACKET, 2);
            world.sim().runUntil(20_000);
            long began = 20_000 - world.sim().figures().waitedNanos(out, 20_000);
            if (!byLifetime) {
                // Of a cable one end is enough.
                world.sim().setLink(world.port(2), false);
                assertThat(world.lost()).isEqualTo(1);
                world.sim().setLink(out, true);
            }
            world.sim().runUntil(SECOND);
            assertThat(world.lost()).isEqualTo(1);
            long end = byLifetime ? began + 50_000 : 20_000;
            assertThat(world.sim().figures().waitedNanos(out, SECOND)).isEqualTo(end - began);
            world.sim().setStopped(world.port(2), false);
            world.sim().runUntil(2 * SECOND);
            world.send(0, 2, 0, SimWorld.MTU_PACKET, 3);
            world.sim().drain(3 * SECOND);
            assertThat(world.sim().figures().waitedNanos(out)).isEqualTo(end - began);
        }
    }

    @Test
    void aLongLifetimeIsOneEventForEachPacketAtATime() {
        SimWorld world = row(SimSettings.DEFAULT.withLifetime(SECOND));
        for (int number = 1; number <= 100; number++) {
            world.send(0, 2, 0, SimWorld.MTU_PACKET, number);
            world.sim().runUntil(world.sim().now() + 10_000);
        }
        assertThat(world.sim().delivered()).isEqualTo(100);
        assertThat(world.sim().switching.events().size())
                .as("a lifetime, a search for deadlocks")
                .isLessThanOrEqualTo(2);
    }

    @Test
    void tablesAreReplacedSwitchBySwitch() {
        Fabric fabric = SimWorld.torus(PLANE);
        Routing old = SimWorld.dor(fabric);
        SimWorld world = new SimWorld(fabric, old, SimSettings.DEFAULT);
        Routing fresh = SimWorld.torus2Qos(PLANE, fabric);
        List<Long> sent = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            world.uniform(old.sls(), sw, 100, 10_000);
            world.forgetFlows();
            world.sim().setRouting(sw, fresh);
            sent.add(world.sim().injected());
        }
        world.sim().drain(SECOND);
        assertThat(sent).last().isEqualTo(1200L);
        assertThat(world.sim().delivered() + world.lost()).isEqualTo(1200);
        assertThat(world.sim().delivered()).isGreaterThan(1000);
    }
}
