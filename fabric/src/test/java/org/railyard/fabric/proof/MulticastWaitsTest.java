package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.LftsDump;
import org.railyard.fabric.format.Sl2VlDump;
import org.railyard.fabric.format.TorusDump;
import org.railyard.fabric.golden.Golden;
import org.railyard.fabric.golden.MasterTree;
import org.railyard.fabric.golden.TorusSls;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckReport.Verdict;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.Position;
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
 * A 3x3x5 torus without switch (0,1,2), all hosts in one group, multicast and unicast on the same VLs (spec 33 §10(3)):
 * in operation OpenSM's tree stops on the loop that the proof names, that of torus-2QoS does not.
 */
class MulticastWaitsTest {
    private static final int GROUP = 0xC000;
    private static final int PACKET = 4096;
    private static final int SEEDS = 8;
    private static final long LIMIT = 10_000_000_000L;

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

    private static final Golden GOLDEN = new Golden("neg-3x3x5-multicast");
    private final Fabric fabric = GOLDEN.fabric();

    /** OpenSM's tables, and the tree that it makes from root (1,1,1). */
    private Routing upstream() {
        List<Integer> radices = List.of(3, 3, 5);
        TorusSls sls = new TorusSls(fabric, TorusDump.parse(GOLDEN.text("opensm-torus.dump")), radices);
        return new Routing(
                GOLDEN.toString(),
                LftsDump.parse(GOLDEN.text("opensm-lfts.dump"), fabric),
                sls,
                Sl2VlDump.parse(GOLDEN.text("opensm-sl2vl.dump"), fabric),
                MasterTree.of(fabric, sls, radices, GROUP, 1, 1, 1),
                List.of());
    }

    /** What torus-2QoS makes of the same fabric. */
    private Routing ours() throws Exception {
        SampleTorus plan = SampleTorus.torus(3, 3, 5, 1).without(Set.of(new Position(0, 1, 2)), Set.of());
        List<Integer> members = Arrays.stream(hosts()).boxed().toList();
        return (Routing) new TorusEngine(TorusConfParser.parse(plan.conf(2)), TorusOptions.DEFAULT)
                .route(fabric, new EngineOptions(5, 2, List.of(new MulticastGroup(GROUP, 0, members))));
    }

    private int[] hosts() {
        int[] hosts = new int[fabric.nodeCount() - fabric.switchCount()];
        Arrays.setAll(hosts, i -> fabric.portIndex(fabric.switchCount() + i, 1));
        return hosts;
    }

    private FabricSim sim(Routing routing) {
        return new FabricSim(fabric, routing, SimSettings.DEFAULT.withBuffers(PACKET), NOBODY);
    }

    /** Every host sends 440 packets, one of eleven to the group, the others to anybody: by a seed, all at once. */
    private FabricSim everybody(Routing routing, long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        FabricSim sim = sim(routing);
        int[] hosts = hosts();
        for (int number = 0; number < 440; number++) {
            for (int from : hosts) {
                int to = hosts[random.nextInt(hosts.length)];
                int lid = number % 11 == 0 || to == from ? GROUP : fabric.lid(to);
                int sl = lid == GROUP ? 0 : routing.sls().sl(fabric.lid(from), lid, 0);
                assertThat(sim.inject(from, lid, sl, PACKET, number)).isTrue();
            }
        }
        return sim;
    }

    private long[] dependencies(Routing routing) {
        CheckOptions options = CheckOptions.DEFAULT.withHostChannels(true);
        DependencyGraph graph = new DependencyGraph();
        FaultLog faults = new FaultLog();
        SourceGroups sources = new SourceGroups(fabric, routing.sls(), routing.slToVl(), options);
        new UnicastWalk(fabric, routing, sources, options, graph, faults, SlClaims.NOBODY)
                .addAll(new DestinationClasses(fabric, routing, options).all());
        MulticastTables.Tree tree = routing.multicast().tree(GROUP);
        assertThat(tree).isNotNull();
        if (tree != null) {
            new MulticastWalk(fabric, List.of(routing.slToVl()), sources, options, graph, faults).add(GROUP, tree);
        }
        return graph.sortedEdges();
    }

    @Test
    void upstreamsTreeStopsUnderTheWitnessesOnTheLoopOfTheProof() {
        Routing routing = upstream();
        CreditLoop loop = CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT)
                .loops()
                .getFirst();
        FabricSim sim = sim(routing);
        for (int packet = 0; packet < 200; packet++) {
            for (CreditLoop.Wait wait : loop.waits()) {
                Flow flow = wait.flow();
                assertThat(sim.inject(
                                fabric.portOfLid(flow.sourceLid()), flow.destinationLid(), flow.sl(), PACKET, packet))
                        .isTrue();
            }
        }
        assertThat(sim.drain(LIMIT)).isEqualTo(Outcome.DEADLOCK);
        Deadlock deadlock = sim.deadlock().orElseThrow();
        Waits.assertIsCycle(deadlock.cycle());
        assertThat(deadlock.cycle().stream().map(Deadlock.Hold::channel))
                .containsExactlyInAnyOrderElementsOf(
                        loop.waits().stream().map(CreditLoop.Wait::channel).toList());
        assertThat(deadlock.text(fabric)).contains("7 packets wait for each other", "multicast 0xC000 from H-");
    }

    @Test
    void upstreamsTreeStopsForSomeSeedsWhenEverybodySendsToEverybody() {
        Routing routing = upstream();
        long[] edges = dependencies(routing);
        int stopped = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            FabricSim sim = everybody(routing, seed);
            if (sim.drain(LIMIT) == Outcome.DEADLOCK) {
                List<Deadlock.Hold> cycle = sim.deadlock().orElseThrow().cycle();
                Waits.assertIsCycle(cycle);
                Waits.assertAreDependencies(fabric, sim.waits(), edges);
                assertThat(cycle)
                        .as("it takes both")
                        .anyMatch(hold -> hold.flow().isMulticast());
                assertThat(cycle).anyMatch(hold -> !hold.flow().isMulticast());
                stopped++;
            }
        }
        assertThat(stopped).isPositive();
    }

    @Test
    void upstreamsTablesWithoutTheTreeNeverStop() {
        Routing all = upstream();
        Routing unicast =
                new Routing("unicast", all.forwarding(), all.sls(), all.slToVl(), MulticastTables.NONE, List.of());
        for (long seed = 0; seed < SEEDS; seed++) {
            FabricSim sim = everybody(unicast, seed);
            assertThat(sim.drain(LIMIT)).as("seed %d", seed).isEqualTo(Outcome.DRAINED);
            assertThat(sim.delivered() + sim.dropped(DropReason.NO_ROUTE)).isEqualTo(sim.injected());
        }
    }

    @Test
    @Requirement("t2q-033")
    void theSameTrafficFinishesOnTheTreeOfTorus2Qos() throws Exception {
        Routing routing = ours();
        assertThat(CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT).verdict())
                .isEqualTo(Verdict.CLEAN);
        long[] edges = dependencies(routing);
        for (long seed = 0; seed < SEEDS; seed++) {
            FabricSim sim = everybody(routing, seed);
            int waits = 0;
            while (sim.inside() > 0 && sim.nextEventNanos() < LIMIT) {
                sim.runUntil(sim.now() + 200_000);
                List<Deadlock.Hold> now = sim.waits();
                Waits.assertAreDependencies(fabric, now, edges);
                waits += now.size();
            }
            assertThat(sim.outcome()).as("seed %d", seed).isEqualTo(Outcome.DRAINED);
            assertThat(sim.delivered()).isEqualTo(sim.injected() + sim.copied() - sim.ended());
            assertThat(waits).as("the fabric was full").isGreaterThan(1000);
        }
    }

    @Test
    void oneTreeAloneNeverStops() {
        FabricSim sim = sim(upstream());
        for (int round = 0; round < 30; round++) {
            for (int from : hosts()) {
                assertThat(sim.inject(from, GROUP, 0, PACKET, round)).isTrue();
            }
        }
        assertThat(sim.drain(LIMIT)).isEqualTo(Outcome.DRAINED);
        assertThat(sim.delivered()).isEqualTo(30L * 44 * 43);
    }
}
