package org.railyard.fabric.sim.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.fabric.analysis.LinkLoad;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.sim.SimSettings;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfException;
import org.railyard.fabric.torus.conf.TorusConfParser;

/** Who sends to whom, and what that asks of links. */
class DestinationsTest {
    private static Fabric fabric(SampleTorus plan) {
        return FreshLids.assign(plan.fabric(), Fabric.NONE);
    }

    private static TorusEngine engine(SampleTorus plan) {
        try {
            return new TorusEngine(TorusConfParser.parse(plan.conf(1)), TorusOptions.DEFAULT);
        } catch (TorusConfException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static Destinations destinations(SampleTorus plan, Fabric fabric, TrafficPattern pattern, double share) {
        return new Destinations(
                fabric, engine(plan).place(fabric).map(placement -> TorusLayout.of(fabric, placement)), pattern, share);
    }

    private static String name(Fabric fabric, Destinations destinations, int host) {
        return fabric.description(fabric.nodeOf(destinations.port(host)));
    }

    /** On 4x4x1 from the host at (1,2), and the one at (3,3): first and second packet. */
    @ParameterizedTest
    @CsvSource({
        "TORNADO, 2.3, 2.3, 0.0",
        "BIT_COMPLEMENT, 2.1, 2.1, 0.0",
        "NEIGHBOUR, 2.2, 2.2, 0.3",
        "TRANSPOSE, 2.1, 2.1, -",
        "HALO, 2.2, 0.2, 0.3"
    })
    void patternsByPlace(TrafficPattern pattern, String first, String second, String corner) {
        SampleTorus plan = SampleTorus.torus(4, 4, 1, 1);
        Fabric fabric = fabric(plan);
        Destinations to = destinations(plan, fabric, pattern, 0);
        SplittableRandom dice = new SplittableRandom(1);
        for (int host = 0; host < to.hosts(); host++) {
            if (name(fabric, to, host).equals("H-1.2.0.0")) {
                assertThat(name(fabric, to, to.next(host, 0, dice))).isEqualTo("H-" + first + ".0.0");
                assertThat(name(fabric, to, to.next(host, 1, dice))).isEqualTo("H-" + second + ".0.0");
            } else if (name(fabric, to, host).equals("H-3.3.0.0")) {
                int next = to.next(host, 0, dice);
                assertThat(next == Destinations.NOBODY ? "-" : name(fabric, to, next))
                        .isEqualTo(corner.equals("-") ? "-" : "H-" + corner + ".0.0");
            }
        }
    }

    @Test
    void patternsByNumber() {
        SampleTorus plan = SampleTorus.torus(4, 4, 1, 1);
        Fabric fabric = fabric(plan);
        SplittableRandom dice = new SplittableRandom(1);
        assertThat(destinations(plan, fabric, TrafficPattern.SHUFFLE, 0).next(0b1011, 0, dice))
                .isEqualTo(0b0111);
        assertThat(destinations(plan, fabric, TrafficPattern.BIT_REVERSE, 0).next(0b1011, 0, dice))
                .isEqualTo(0b1101);
        assertThat(destinations(plan, fabric, TrafficPattern.BIT_REVERSE, 0).sends(0b1001))
                .as("its own mirror image")
                .isFalse();
        Destinations all = destinations(plan, fabric, TrafficPattern.ALL_TO_ALL, 0);
        assertThat(all.next(14, 0, dice)).isEqualTo(15);
        assertThat(all.next(14, 1, dice)).isZero();
        assertThat(all.next(14, 15, dice)).as("a round is over").isEqualTo(15);
        assertThat(destinations(plan, fabric, TrafficPattern.MULTICAST, 1).next(3, 0, dice))
                .isEqualTo(Destinations.GROUP);
    }

    @ParameterizedTest
    @EnumSource
    void sharesAreWhatIsSentInTheLongRun(TrafficPattern pattern) {
        SampleTorus plan = SampleTorus.torus(4, 4, 1, 1);
        Fabric fabric = fabric(plan);
        Destinations to = destinations(plan, fabric, pattern, 0.25);
        SplittableRandom dice = new SplittableRandom(5);
        for (int from = 0; from < to.hosts(); from += 5) {
            double[] counts = new double[to.hosts()];
            int packets = 30_000;
            for (int number = 0; number < packets; number++) {
                int next = to.next(from, number, dice);
                if (next >= 0) {
                    counts[next] += 1.0 / packets;
                }
            }
            for (int other = 0; other < counts.length; other++) {
                assertThat(to.share(from, other)).as("%s %d", pattern, other).isCloseTo(counts[other], within(0.015));
            }
        }
    }

    @Test
    void whatAFabricHasNotIsToldWhy() {
        SampleTorus plan = SampleTorus.torus(3, 5, 1, 1);
        Fabric fabric = fabric(plan);
        assertThatThrownBy(() -> destinations(plan, fabric, TrafficPattern.TRANSPOSE, 0))
                .hasMessage("transpose needs the same radix in each dimension, this is a 3 x 5 x 1 torus");
        assertThatThrownBy(() -> new Destinations(fabric, Optional.empty(), TrafficPattern.TRANSPOSE, 0))
                .hasMessageContaining("coordinates of switches on a torus");
        assertThatThrownBy(() -> destinations(plan, fabric, TrafficPattern.SHUFFLE, 0))
                .hasMessage("shuffle needs a power of two of hosts, there are 15");
        assertThatThrownBy(() -> destinations(plan, fabric, TrafficPattern.HOT_SPOT, 1.5))
                .hasMessageContaining("expected 0 to 1");
    }

    @Test
    void countedLoadsAreWaysOfTheTablesAndBoundWhatIsCarried() {
        SampleTorus plan = SampleTorus.torus(5, 4, 1, 1);
        Fabric fabric = fabric(plan);
        Routing routing = (Routing) engine(plan).route(fabric, EngineOptions.DEFAULT);
        Destinations uniform = destinations(plan, fabric, TrafficPattern.UNIFORM, 0);
        CountedLoad counted = CountedLoad.of(fabric, routing, uniform);
        LinkLoad ways = LinkLoad.of(fabric, routing.forwarding());
        for (int port = 0; port < fabric.portCount(); port++) {
            if (ways.isBetweenSwitches(port)) {
                assertThat(counted.of(port) * (uniform.hosts() - 1)).isCloseTo((double) ways.of(port), within(1e-6));
            }
        }
        assertThat(counted.arriving()).isCloseTo(1, within(1e-9));
        assertThat(counted.meanHops()).isCloseTo(ways.meanHops() + 1, within(1e-9));
        Destinations tornado = destinations(plan, fabric, TrafficPattern.TORNADO, 0);
        CountedLoad two = CountedLoad.of(fabric, routing, tornado);
        assertThat(two.of(two.busiest()))
                .as("two hosts' worth on the rings of five")
                .isCloseTo(2, within(1e-9));
        assertThat(two.bound()).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void linksCarryAtALowLoadWhatIsCounted() {
        SampleTorus plan = SampleTorus.torus(5, 4, 1, 1);
        Fabric fabric = fabric(plan);
        Routing routing = (Routing) engine(plan).route(fabric, EngineOptions.DEFAULT);
        Destinations all = destinations(plan, fabric, TrafficPattern.ALL_TO_ALL, 0);
        CountedLoad counted = CountedLoad.of(fabric, routing, all);
        LoadPoint point = new LoadRun(
                        fabric,
                        routing,
                        all,
                        SimSettings.DEFAULT,
                        new LoadSettings(0.1, 256, 0, 1_000_000, 4),
                        Upkeep.none(fabric, routing),
                        new SplittableRandom(70))
                .run();
        for (int port = 0; port < fabric.portCount(); port++) {
            assertThat(point.use().of(port))
                    .as("%s", fabric.portName(port))
                    .isCloseTo(counted.of(port) * point.offered(), within(0.01));
        }
        assertThat(point.meanHops()).isCloseTo(counted.meanHops(), within(0.02));
        assertThat(point.inNetwork().mean()).isLessThan(point.delays().mean());
        assertThat(point.levels())
                .singleElement()
                .satisfies(level -> assertThat(level.level()).isZero());
    }
}
