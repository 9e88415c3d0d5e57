package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.engine.DorEngine;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.format.LftsDump;
import org.railyard.fabric.format.Sl2VlDump;
import org.railyard.fabric.format.TorusDump;
import org.railyard.fabric.golden.Golden;
import org.railyard.fabric.golden.TorusSls;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckReport.Verdict;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.sim.Deadlock;
import org.railyard.fabric.sim.DropReason;
import org.railyard.fabric.sim.FabricSim;
import org.railyard.fabric.sim.FabricSim.Outcome;
import org.railyard.fabric.sim.SimListener;
import org.railyard.fabric.sim.SimSettings;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.testkit.Requirement;

/**
 * The proof and the simulator say the same: what waits in operation waits along a dependency, and what stands still
 * stands on a credit loop.
 */
class RunningWaitsTest {
    private static final SampleTorus PLAN = SampleTorus.torus(5, 5, 1, 1);
    private static final int PACKET = 4096;
    private static final int PACKETS = 200;
    private static final long LIMIT = 1_000_000_000L;

    private static final SimListener NOBODY = new SimListener() {
        @Override
        public void delivered(long token, int port, long birthNanos, long sentNanos, int hops) {
            // Counted by the simulator.
        }

        @Override
        public void dropped(long token, DropReason reason) {
            // Counted by the simulator.
        }
    };

    private final Fabric fabric = FreshLids.assign(PLAN.fabric(), Fabric.NONE);

    private Routing torus2Qos() throws Exception {
        return (Routing) new TorusEngine(TorusConfParser.parse(PLAN.conf(2)), TorusOptions.DEFAULT)
                .route(fabric, EngineOptions.DEFAULT);
    }

    private Routing dor() {
        return (Routing) new DorEngine().route(fabric, EngineOptions.DEFAULT);
    }

    /**
     * Sends packets from each host to the one two switches on in x and in y, all at once: each ring is full in one
     * direction.
     */
    private FabricSim tornado(Routing routing) {
        FabricSim sim = new FabricSim(fabric, routing, SimSettings.DEFAULT.withBuffers(PACKET), NOBODY);
        for (int packet = 0; packet < PACKETS; packet++) {
            for (int x = 0; x < 5; x++) {
                for (int y = 0; y < 5; y++) {
                    int from = port(x, y);
                    int to = port((x + 2) % 5, (y + 2) % 5);
                    int sl = routing.sls().sl(fabric.lid(from), fabric.lid(to), 0);
                    assertThat(sim.inject(from, fabric.lid(to), sl, PACKET, packet))
                            .isTrue();
                }
            }
        }
        return sim;
    }

    private int port(int x, int y) {
        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
            if (fabric.description(node).equals("H-%d.%d.0.0".formatted(x, y))) {
                return fabric.portIndex(node, 1);
            }
        }
        throw new IllegalArgumentException("no host at " + x + ", " + y);
    }

    /** All dependencies of the tables, with those of end ports. */
    private long[] dependencies(Routing routing) {
        CheckOptions options = CheckOptions.DEFAULT.withHostChannels(true).withMulticast(false);
        DependencyGraph graph = new DependencyGraph();
        SourceGroups sources = new SourceGroups(fabric, routing.sls(), routing.slToVl(), options);
        new UnicastWalk(fabric, routing, sources, options, graph, new FaultLog(), SlClaims.NOBODY)
                .addAll(new DestinationClasses(fabric, routing, options).all());
        return graph.sortedEdges();
    }

    @Test
    void dimensionOrderWithOneVlStopsOnALoopOfTheProof() {
        Routing routing = dor();
        FabricSim sim = tornado(routing);
        assertThat(sim.drain(LIMIT)).isEqualTo(Outcome.DEADLOCK);
        Deadlock deadlock = sim.deadlock().orElseThrow();
        assertThat(deadlock.timeNanos()).as("within a few hundred packets").isLessThan(200L * PACKET);
        Waits.assertAreDependencies(fabric, deadlock.cycle(), dependencies(routing));
        Waits.assertIsCycle(deadlock.cycle());
        CheckReport report = CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT.withMulticast(false));
        assertThat(report.verdict()).isEqualTo(Verdict.LOOP);
        Set<Set<Channel>> loops = report.loops().stream()
                .map(loop -> loop.waits().stream().map(CreditLoop.Wait::channel).collect(Collectors.toSet()))
                .collect(Collectors.toSet());
        assertThat(loops)
                .as("a ring in one direction, as the proof names it")
                .contains(deadlock.cycle().stream().map(Deadlock.Hold::channel).collect(Collectors.toSet()));
        assertThat(deadlock.text(fabric))
                .startsWith("deadlock at ")
                .contains("5 packets wait for each other")
                .containsPattern(
                        "in S-\\d\\.\\d\\.0 port \\d vl 0 -> S-\\d\\.\\d\\.0: H-\\d\\.\\d\\.0\\.0 to H-\\S+ sl 0, "
                                + "[\\d,]+ ns old, waits for S-");
    }

    /**
     * OpenSM's tables for a torus without switch (4,2) and two cables (spec 33 §10(2)), under the flows that the proof
     * names.
     */
    @Test
    void tablesThatTheProofRefusesStopUnderTheirWitnesses() {
        Golden golden = new Golden("neg-5x5-unicast");
        Fabric broken = golden.fabric();
        TorusSls sls = new TorusSls(broken, TorusDump.parse(golden.text("opensm-torus.dump")), List.of(5, 5, 1));
        Routing routing = new Routing(
                golden.toString(),
                LftsDump.parse(golden.text("opensm-lfts.dump"), broken),
                sls,
                Sl2VlDump.parse(golden.text("opensm-sl2vl.dump"), broken),
                MulticastTables.NONE,
                List.of());
        CreditLoop loop = CreditLoopCheck.check(broken, routing, CheckOptions.DEFAULT)
                .loops()
                .getFirst();
        FabricSim sim = new FabricSim(broken, routing, SimSettings.DEFAULT.withBuffers(PACKET), NOBODY);
        for (int packet = 0; packet < PACKETS; packet++) {
            for (CreditLoop.Wait wait : loop.waits()) {
                Flow flow = wait.flow();
                int from = broken.portOfLid(flow.sourceLid());
                assertThat(sim.inject(from, flow.destinationLid(), flow.sl(), PACKET, packet))
                        .isTrue();
            }
        }
        assertThat(sim.drain(LIMIT)).isEqualTo(Outcome.DEADLOCK);
        assertThat(sim.deadlock().orElseThrow().cycle().stream().map(Deadlock.Hold::channel))
                .containsExactlyInAnyOrderElementsOf(
                        loop.waits().stream().map(CreditLoop.Wait::channel).toList());
    }

    @Test
    @Requirement("t2q-003")
    void theSameTrafficFinishesWithTorus2Qos() throws Exception {
        Routing routing = torus2Qos();
        FabricSim sim = tornado(routing);
        long[] edges = dependencies(routing);
        int looks = 0;
        int waits = 0;
        while (sim.inside() > 0 && sim.nextEventNanos() < LIMIT) {
            sim.runUntil(sim.now() + 20_000);
            Waits.assertAreDependencies(fabric, sim.waits(), edges);
            waits += sim.waits().size();
            looks++;
        }
        assertThat(sim.outcome()).isEqualTo(Outcome.DRAINED);
        assertThat(sim.delivered()).isEqualTo(25 * PACKETS);
        assertThat(waits).as("the fabric was full in %d looks", looks).isGreaterThan(looks);
    }

    @Test
    @Requirement({"t2q-010", "t2q-012"})
    void aSwitchKilledAtFullLoadIsRoutedAroundWithoutADeadlock() throws Exception {
        Routing routing = torus2Qos();
        FabricSim sim = tornado(routing);
        sim.runUntil(100_000);
        int dead = fabric.nodeOf(fabric.peer(port(2, 2)));
        sim.setSwitch(dead, false);
        sim.runUntil(150_000);
        BitSet down = new BitSet();
        for (int number = 1; number <= fabric.ports(dead); number++) {
            down.set(fabric.portIndex(dead, number));
        }
        Fabric present = fabric.withLinksDown(down);
        Routing fresh = (Routing) new TorusEngine(TorusConfParser.parse(PLAN.conf(2)), TorusOptions.DEFAULT)
                .route(present, EngineOptions.DEFAULT);
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            sim.setRouting(sw, fresh);
            sim.runUntil(sim.now() + 500);
        }
        assertThat(sim.drain(LIMIT)).as("%s", sim.deadlock()).isEqualTo(Outcome.DRAINED);
        assertThat(sim.delivered()).isGreaterThan(20 * PACKETS);
        for (int from = 0; from < 25; from++) {
            for (int to = 0; to < 25; to++) {
                int source = fabric.lid(port(from / 5, from % 5));
                int destination = fabric.lid(port(to / 5, to % 5));
                if (fresh.sls().classOf(source) >= 0 && fresh.sls().classOf(destination) >= 0) {
                    assertThat(fresh.sls().sl(source, destination, 0))
                            .as("SLs stay")
                            .isEqualTo(routing.sls().sl(source, destination, 0));
                }
            }
        }
    }

    /**
     * The long way round a broken ring and the short way over its mended link: each is free of loops, both together are
     * not.
     */
    @Test
    void tablesOfBeforeAndAfterARepairCanLoopTogether() throws Exception {
        BitSet down = new BitSet();
        int sw = fabric.nodeOf(fabric.peer(port(2, 2)));
        for (int number = 1; number <= fabric.ports(sw); number++) {
            down.set(fabric.portIndex(sw, number));
        }
        Routing whole = torus2Qos();
        Routing broken = (Routing) new TorusEngine(TorusConfParser.parse(PLAN.conf(2)), TorusOptions.DEFAULT)
                .route(fabric.withLinksDown(down), EngineOptions.DEFAULT);
        assertThat(CreditLoopCheck.check(fabric, whole, CheckOptions.DEFAULT).loops())
                .isEmpty();
        assertThat(CreditLoopCheck.check(fabric, broken, CheckOptions.DEFAULT).loops())
                .isEmpty();
        CheckReport both = CreditLoopCheck.checkTogether(fabric, List.of(broken, whole), CheckOptions.DEFAULT);
        assertThat(both.verdict()).isEqualTo(Verdict.LOOP);
        assertThat(both.loops().getFirst().waits()).hasSize(5);
        assertThat(CreditLoopCheck.checkTogether(
                                fabric.withLinksDown(down), List.of(whole, broken), CheckOptions.DEFAULT)
                        .loops())
                .as("when the switch fails the ring is open")
                .isEmpty();
    }
}
