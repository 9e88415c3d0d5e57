package org.railyard.fabric.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.sim.FabricSim.Outcome;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;

/** Packets that switches copy: who gets them, what they hold meanwhile, what is lost of them. */
class MulticastSimTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int GROUP = 0xC000;
    private static final SampleTorus PLANE = SampleTorus.torus(4, 3, 1, 2);

    private final Fabric fabric = SimWorld.torus(PLANE);
    private final List<Integer> arrivedAt = new ArrayList<>();
    private final List<DropReason> lost = new ArrayList<>();
    private final SimListener notes = new SimListener() {
        @Override
        public void delivered(long token, int port, long birthNanos, long sentNanos, int hops) {
            arrivedAt.add(port);
        }

        @Override
        public void dropped(long token, DropReason reason) {
            lost.add(reason);
        }
    };

    private static int host(Fabric fabric, int number) {
        return fabric.portIndex(fabric.switchCount() + number, 1);
    }

    private static Routing routing(Fabric fabric, SampleTorus plan, List<Integer> members) throws Exception {
        MulticastGroup group = new MulticastGroup(GROUP, 0, members);
        return (Routing) new TorusEngine(TorusConfParser.parse(plan.conf(1)), TorusOptions.DEFAULT)
                .route(fabric, new EngineOptions(5, 2, List.of(group)));
    }

    private List<Integer> hosts(int... numbers) {
        return Arrays.stream(numbers)
                .map(number -> host(fabric, number))
                .boxed()
                .toList();
    }

    private void assertConserved(FabricSim sim) {
        assertThat(sim.injected() + sim.copied()).isEqualTo(sim.delivered() + lost.size() + sim.ended() + sim.inside());
    }

    @Test
    void everyOtherMemberGetsThePacketOnce() throws Exception {
        List<Integer> members = hosts(0, 1, 5, 11, 16, 23);
        FabricSim sim = new FabricSim(fabric, routing(fabric, PLANE, members), SimSettings.DEFAULT, notes);
        for (int sender : members) {
            arrivedAt.clear();
            assertThat(sim.inject(sender, GROUP, 0, 1000, 1)).isTrue();
            assertThat(sim.drain(SECOND)).isEqualTo(Outcome.DRAINED);
            List<Integer> others = new ArrayList<>(members);
            others.remove(Integer.valueOf(sender));
            assertThat(arrivedAt).containsExactlyInAnyOrderElementsOf(others);
            assertConserved(sim);
        }
        assertThat(sim.copied()).isEqualTo(6 * 4);
        assertThat(lost).isEmpty();
    }

    @Test
    void copiesGoOnIndependentlyAndTheBufferIsFreeWhenTheLastHasLeft() throws Exception {
        SampleTorus row = SampleTorus.torus(3, 3, 1, 3);
        Fabric three = SimWorld.torus(row);
        List<Integer> members = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            members.add(host(three, i));
        }
        SimSettings small = SimSettings.DEFAULT.withBuffers(1024);
        FabricSim sim = new FabricSim(three, routing(three, row, members), small, notes);
        // One host of the switch takes nothing: its first packet is in its own buffer, the second holds that of the
        // sender.
        sim.setStopped(members.get(2), true);
        for (int i = 0; i < 3; i++) {
            sim.inject(members.get(0), GROUP, 0, 1024, i);
        }
        assertThat(sim.drain(SECOND)).isEqualTo(Outcome.STARVED);
        assertThat(arrivedAt)
                .as("the other host gets what the switch has copied")
                .containsOnly(members.get(1));
        assertThat(arrivedAt).hasSize(2);
        assertThat(sim.waits()).singleElement().satisfies(wait -> {
            assertThat(wait.channel().port()).isEqualTo(members.get(0));
            assertThat(three.cable(wait.wants().port())).isEqualTo(members.get(2));
            assertThat(wait.flow().isMulticast()).isTrue();
        });
        assertConserved(sim);
        sim.setStopped(members.get(2), false);
        assertThat(sim.drain(2 * SECOND)).isEqualTo(Outcome.DRAINED);
        assertThat(arrivedAt).hasSize(6);
        new SimAudit(sim, three, small).checkEmpty();
    }

    @Test
    void whatALinkLosesIsOneCopy() throws Exception {
        List<Integer> members = hosts(0, 1, 2, 3);
        FabricSim sim = new FabricSim(fabric, routing(fabric, PLANE, members), SimSettings.DEFAULT, notes);
        sim.setLink(members.get(3), false);
        sim.inject(members.getFirst(), GROUP, 0, 1000, 1);
        assertThat(sim.drain(SECOND)).isEqualTo(Outcome.DRAINED);
        assertThat(arrivedAt).containsExactlyInAnyOrder(members.get(1), members.get(2));
        assertThat(lost).containsExactly(DropReason.LINK_DOWN);
        assertConserved(sim);
    }

    @Test
    void aGroupThatTablesDoNotKnowHasNoRouteAndOneWithNobodyElseEnds() throws Exception {
        FabricSim sim = new FabricSim(fabric, routing(fabric, PLANE, hosts(4)), SimSettings.DEFAULT, notes);
        sim.inject(host(fabric, 0), 0xC123, 0, 100, 1);
        sim.inject(host(fabric, 4), GROUP, 0, 100, 1);
        assertThat(sim.drain(SECOND)).isEqualTo(Outcome.DRAINED);
        assertThat(lost).containsExactly(DropReason.NO_ROUTE);
        assertThat(sim.ended()).isEqualTo(1);
        assertConserved(sim);
        new SimAudit(sim, fabric, SimSettings.DEFAULT).checkEmpty();
    }

    @Test
    void masksThatLeadRoundAreNoticed() {
        Fabric round = SimWorld.torus(SampleTorus.torus(5, 1, 1, 1));
        PortMask[] masks = new PortMask[round.switchCount()];
        // Ports of a switch: one host, then -x and +x.
        Arrays.fill(masks, PortMask.of(2, 3));
        TreeMap<Integer, MulticastTables.Tree> trees = new TreeMap<>();
        trees.put(GROUP, new MulticastTables.Tree(0, masks));
        Routing right = SimWorld.dor(round);
        Routing wrong = new Routing(
                "round", right.forwarding(), right.sls(), right.slToVl(), new MulticastTables(trees), List.of());
        FabricSim sim = new FabricSim(round, wrong, SimSettings.DEFAULT, notes);
        sim.inject(host(round, 0), GROUP, 0, 100, 1);
        assertThat(sim.drain(SECOND)).isEqualTo(Outcome.DRAINED);
        assertThat(lost).containsExactly(DropReason.ROUND, DropReason.ROUND);
        assertThat(arrivedAt).isEmpty();
    }

    @Test
    void theRulesHoldWithUnicastBesideIt() throws Exception {
        List<Integer> members = new ArrayList<>();
        for (int number = 0; number < fabric.nodeCount() - fabric.switchCount(); number++) {
            members.add(host(fabric, number));
        }
        for (long seed = 0; seed < 6; seed++) {
            SimSettings settings = seed % 2 == 0 ? SimWorld.SMALL : SimSettings.DEFAULT.withPackets(600);
            Routing routing = routing(fabric, PLANE, members);
            SimWorld world = new SimWorld(fabric, routing, settings);
            SimAudit audit = new SimAudit(world.sim(), fabric, settings);
            for (int burst = 0; burst < 8; burst++) {
                world.uniform(routing.sls(), seed * 100 + burst, 60, 20_000);
                // Copies are more than senders may have, which is nobody's trouble.
                world.sim().inject(members.get(burst), GROUP, 0, SimWorld.MTU_PACKET, -1);
                audit.check();
                world.forgetFlows();
            }
            assertThat(world.sim().drain(SECOND)).as("seed %d", seed).isEqualTo(Outcome.DRAINED);
            assertThat(world.sim().delivered()).isEqualTo(8 * 60 + 8 * 23);
            assertThat(world.sim().copied()).isEqualTo(8 * 22);
            audit.check();
            audit.checkEmpty();
        }
    }

    @Test
    void aLifetimeEndsCopiesOneByOne() throws Exception {
        List<Integer> members = hosts(0, 1, 2, 3);
        SimSettings settings = SimWorld.SMALL.withLifetime(20_000);
        FabricSim sim = new FabricSim(fabric, routing(fabric, PLANE, members), settings, notes);
        sim.setStopped(members.get(3), true);
        for (int i = 0; i < 4; i++) {
            sim.inject(members.getFirst(), GROUP, 0, SimWorld.MTU_PACKET, i);
        }
        sim.drain(SECOND);
        assertThat(lost).as("all but the one in the buffer of the host").containsOnly(DropReason.LIFETIME);
        assertThat(lost).hasSize(3);
        assertThat(arrivedAt).hasSize(8);
        assertThat(sim.inside()).isEqualTo(1);
        assertConserved(sim);
    }
}
