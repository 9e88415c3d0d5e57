package org.railyard.fabric.sim.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.engine.DorEngine;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.sim.FabricSim.Outcome;
import org.railyard.fabric.sim.SimSettings;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;

/** Loads on small tori: what theory says of them, and what repeats. */
class LoadRunTest {
    private static final SampleTorus PLANE = SampleTorus.torus(5, 5, 1, 1);
    private static final int PACKET = 2048;

    private static Fabric fabric(SampleTorus plan) {
        return FreshLids.assign(plan.fabric(), Fabric.NONE);
    }

    private static Routing dor(Fabric fabric) {
        return (Routing) new DorEngine().route(fabric, EngineOptions.DEFAULT);
    }

    private static TorusEngine engine(SampleTorus plan) throws Exception {
        return new TorusEngine(TorusConfParser.parse(plan.conf(1)), TorusOptions.DEFAULT);
    }

    private static Optional<TorusLayout> layout(SampleTorus plan, Fabric fabric) throws Exception {
        return engine(plan).place(fabric).map(placement -> TorusLayout.of(fabric, placement));
    }

    private static LoadPoint run(Fabric fabric, Routing routing, Destinations to, double load, int buffers, long seed) {
        LoadSettings settings = new LoadSettings(load, PACKET, 0.3, 100_000, 2);
        return new LoadRun(
                        fabric,
                        routing,
                        to,
                        SimSettings.DEFAULT.withBuffers(buffers),
                        settings,
                        Upkeep.none(fabric, routing),
                        new SplittableRandom(seed))
                .run();
    }

    @Test
    void aLightLoadTakesItsHopsAndIsAccepted() throws Exception {
        Fabric fabric = fabric(PLANE);
        Routing routing = (Routing) engine(PLANE).route(fabric, EngineOptions.DEFAULT);
        Destinations neighbours = new Destinations(fabric, layout(PLANE, fabric), TrafficPattern.NEIGHBOUR, 0);
        LoadPoint point = run(fabric, routing, neighbours, 0.02, 10_240, 1);
        assertThat(point.outcome()).isEqualTo(Outcome.DRAINED);
        assertThat(point.delays().median()).as("nobody in the way").isCloseTo(3 * 25 + 2 * 100 + PACKET, within(80L));
        assertThat(point.accepted()).isCloseTo(0.02, within(0.006));
        assertThat(point.fairness()).isGreaterThan(0.5);
        assertThat(point.lost()).isEmpty();
    }

    @Test
    void packetsOfManyHostsWaitForOneLinkAsQueueingTheorySays() {
        // Independent Poisson arrivals of equal packets at one link are an M/D/1 queue: the mean wait is S rho / (2 (1
        // - rho)).
        int hosts = 48;
        Fabric fabric = fabric(SampleTorus.torus(1, 1, 1, hosts));
        Destinations toOne = new Destinations(fabric, Optional.empty(), TrafficPattern.HOT_SPOT, 1);
        for (double rho : new double[] {0.3, 0.5, 0.7}) {
            LoadSettings settings = new LoadSettings(rho / (hosts - 1), PACKET, 0, 2_000_000, 10);
            LoadPoint point = new LoadRun(
                            fabric,
                            dor(fabric),
                            toOne,
                            SimSettings.DEFAULT.withBuffers(16 * PACKET),
                            settings,
                            Upkeep.none(fabric, dor(fabric)),
                            new SplittableRandom(1))
                    .run();
            double empty = PACKET + 2 * 25 + 100;
            double wait = PACKET * rho / (2 * (1 - rho));
            assertThat(point.delays().mean() - empty).as("load %s", rho).isCloseTo(wait, within(0.1 * PACKET));
        }
    }

    @Test
    void aRingCarriesWhatItsLinksDo() throws Exception {
        // Tornado on a ring of 5 goes 2 switches on: each link has the packets of 2 hosts.
        SampleTorus ring = SampleTorus.torus(5, 1, 1, 1);
        Fabric fabric = fabric(ring);
        Destinations tornado = new Destinations(fabric, Optional.empty(), TrafficPattern.TORNADO, 0);
        Routing routing = dor(fabric);
        LoadPoint half = run(fabric, routing, tornado, 0.4, 10_240, 1);
        assertThat(half.accepted()).isCloseTo(half.offered(), within(0.08));
        LoadPoint full = run(fabric, routing, tornado, 1, 10_240, 1);
        // A packet that began before the two looks of 100 us, and ended in them, counts as a whole.
        assertThat(full.accepted())
                .as("no link carries more than it can")
                .isLessThanOrEqualTo(0.5 + PACKET / 200_000.0);
    }

    @Test
    void theSameSeedGivesTheSamePoint() throws Exception {
        Fabric fabric = fabric(PLANE);
        Routing routing = (Routing) engine(PLANE).route(fabric, EngineOptions.DEFAULT);
        for (TrafficPattern pattern : List.of(
                TrafficPattern.UNIFORM,
                TrafficPattern.TORNADO,
                TrafficPattern.BIT_COMPLEMENT,
                TrafficPattern.NEIGHBOUR,
                TrafficPattern.HOT_SPOT,
                TrafficPattern.TRANSPOSE,
                TrafficPattern.ALL_TO_ALL,
                TrafficPattern.HALO)) {
            Destinations to = new Destinations(fabric, layout(PLANE, fabric), pattern, 0.3);
            LoadPoint point = run(fabric, routing, to, 0.9, 4096, 5);
            assertThat(run(fabric, routing, to, 0.9, 4096, 5)).isEqualTo(point);
            assertThat(point.outcome()).as("%s", pattern).isEqualTo(Outcome.DRAINED);
            assertThat(point.lost()).isEmpty();
        }
        Destinations uniform = new Destinations(fabric, Optional.empty(), TrafficPattern.UNIFORM, 0);
        assertThat(run(fabric, routing, uniform, 0.5, 4096, 6))
                .isNotEqualTo(run(fabric, routing, uniform, 0.5, 4096, 7));
    }

    @Test
    void oneVlStopsUnderTornado() throws Exception {
        Fabric fabric = fabric(PLANE);
        Destinations tornado = new Destinations(fabric, layout(PLANE, fabric), TrafficPattern.TORNADO, 0);
        LoadPoint point = run(fabric, dor(fabric), tornado, 1, PACKET, 1);
        assertThat(point.outcome()).isEqualTo(Outcome.DEADLOCK);
        assertThat(point.deadlock().orElseThrow().cycle()).hasSize(5);
    }
}
