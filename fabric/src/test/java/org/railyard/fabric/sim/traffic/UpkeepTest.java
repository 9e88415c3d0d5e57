package org.railyard.fabric.sim.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.RoutingResult;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.sim.FabricSim.Outcome;
import org.railyard.fabric.sim.SimSettings;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfException;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.testkit.Requirement;

/** Failures, repairs and slow hosts under traffic, and the subnet manager's answer. */
class UpkeepTest {
    private static final SampleTorus PLANE = SampleTorus.torus(5, 5, 1, 1);
    private static final int PACKET = 2048;

    private final Fabric fabric = FreshLids.assign(PLANE.fabric(), Fabric.NONE);

    private static RoutingResult route(Fabric left) {
        try {
            return new TorusEngine(TorusConfParser.parse(PLANE.conf(3)), TorusOptions.DEFAULT)
                    .route(left, EngineOptions.DEFAULT);
        } catch (TorusConfException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private final Routing routing = (Routing) route(fabric);

    private LoadPoint run(LoadSettings settings, boolean answers, Incident... incidents) {
        Optional<Function<Fabric, RoutingResult>> engine = answers ? Optional.of(UpkeepTest::route) : Optional.empty();
        Upkeep upkeep = new Upkeep(fabric, routing, List.of(incidents), engine, 50_000, 1_000);
        return new LoadRun(
                        fabric,
                        routing,
                        new Destinations(fabric, Optional.empty(), TrafficPattern.UNIFORM, 0),
                        SimSettings.DEFAULT.withBuffers(PACKET),
                        settings,
                        upkeep,
                        new SplittableRandom(900))
                .run();
    }

    private static LoadSettings load(double load) {
        return new LoadSettings(load, PACKET, 0.5, 50_000, 2);
    }

    private int switchAt(int x, int y) {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (fabric.description(sw).equals("S-%d.%d.0".formatted(x, y))) {
                return sw;
            }
        }
        throw new IllegalArgumentException("no switch at " + x + ", " + y);
    }

    private Incident.Links change(long nanos, boolean up, int... switches) {
        BitSet ports = new BitSet();
        for (int sw : switches) {
            ports.set(fabric.portIndex(sw, 1), fabric.portIndex(sw, fabric.ports(sw)) + 1);
        }
        return new Incident.Links(nanos, "switches " + (up ? "come up" : "go down"), ports, up);
    }

    @Test
    @Requirement({"t2q-010", "t2q-012"})
    void aSwitchThatDiesAtFullLoadCostsPacketsUntilAllSwitchesHaveNewTables() {
        LoadPoint point = run(load(1), true, change(20_000, false, switchAt(2, 2)));
        assertThat(point.outcome()).isEqualTo(Outcome.DRAINED);
        assertThat(point.refused()).isFalse();
        assertThat(point.log())
                .containsExactly(
                        "20.00 us: switches go down",
                        "70.00 us: torus-2QoS has new tables; 0 of 2,256 pairs of end ports get another SL",
                        "70.00 us: until all switches have them, old and new tables together close no credit loop",
                        "94.00 us: all switches have the new tables");
        assertThat(point.lost()).containsKeys("link down", "no path");
        assertThat(point.lastLossNanos())
                .as("what was on its way to the dead one by then is lost a little later")
                .isBetween(20_000L, 200_000L);
        assertThat(point.from()).as("it counts after that").isGreaterThan(94_000);
        assertThat(point.packets()).isPositive();
    }

    /** The cable between two switches that died by themselves is there again when both are. */
    @Test
    void aRepairMakesPathsAgainWithTheSlsOfBefore() {
        LoadPoint point = run(
                load(0.3),
                true,
                change(20_000, false, switchAt(2, 2)),
                change(20_000, false, switchAt(2, 3)),
                change(300_000, true, switchAt(2, 3)),
                change(600_000, true, switchAt(2, 2)));
        assertThat(point.outcome()).isEqualTo(Outcome.DRAINED);
        assertThat(point.log())
                .hasSize(13)
                .filteredOn(line -> line.contains("another SL"))
                .hasSize(3)
                .allMatch(line -> line.contains("; 0 of "));
        assertThat(point.lastLossNanos()).isBetween(20_000L, 750_000L);
        assertThat(point.from()).isGreaterThan(674_000);
    }

    /**
     * The switch is back before all switches know that it was gone: what some of them were told in between counts, too.
     */
    @Test
    void tablesThatSomeSwitchesGotInBetweenAreCheckedWithTheOthers() {
        LoadPoint point =
                run(load(0.3), true, change(20_000, false, switchAt(2, 2)), change(35_000, true, switchAt(2, 2)));
        assertThat(point.log()).as("one sweep sees both").hasSize(5);
        Upkeep slow = new Upkeep(
                fabric,
                routing,
                List.of(change(20_000, false, switchAt(2, 2)), change(75_000, true, switchAt(2, 2))),
                Optional.of(UpkeepTest::route),
                50_000,
                10_000);
        LoadPoint mixed = new LoadRun(
                        fabric,
                        routing,
                        new Destinations(fabric, Optional.empty(), TrafficPattern.UNIFORM, 0),
                        SimSettings.DEFAULT,
                        load(0.1),
                        slow,
                        new SplittableRandom(0))
                .run();
        assertThat(mixed.log()).hasSize(7);
        assertThat(mixed.log().get(4)).contains("0 of 2,450 pairs");
        assertThat(mixed.log().get(5)).contains("until all switches have them, both together can close ");
    }

    @Test
    void anEngineThatRefusesLeavesTablesAsTheyAre() {
        LoadPoint point = run(load(0.3), true, change(20_000, false, switchAt(1, 1), switchAt(1, 3), switchAt(3, 1)));
        assertThat(point.refused()).isTrue();
        assertThat(point.log()).hasSizeGreaterThan(2);
        assertThat(point.log().get(1)).isEqualTo("70.00 us: torus-2QoS refuses what is left: tables stay as they are");
        assertThat(point.outcome()).isEqualTo(Outcome.DRAINED);
        assertThat(point.lost().get("link down")).as("from now on").isGreaterThan(100);
        assertThat(point.lost()).doesNotContainKey("no path");
    }

    @Test
    void withoutAnEngineTablesStayAsTheyAre() {
        LoadPoint point = run(load(0.3), false, change(20_000, false, switchAt(2, 2)));
        assertThat(point.log()).last().asString().contains("no engine");
        assertThat(point.refused()).isFalse();
        assertThat(point.lost()).containsOnlyKeys("link down");
        assertThat(point.lastLossNanos()).isGreaterThan(point.from());
    }

    @Test
    void aHostThatStopsIsStarvationAndASlowOneHoldsUpOthers() {
        int host = fabric.portIndex(fabric.switchCount() + 12, 1);
        LoadPoint free = run(load(0.4), true);
        LoadPoint slow = run(load(0.4), true, new Incident.Sink(0, "slow", host, 0.1));
        assertThat(free.outcome()).isEqualTo(Outcome.DRAINED);
        assertThat(slow.outcome()).isEqualTo(Outcome.DRAINED);
        assertThat(slow.accepted()).as("all wait behind what waits for it").isLessThan(0.8 * free.accepted());
        LoadPoint stopped = run(load(0.4), true, new Incident.Sink(30_000, "stops", host, 0));
        assertThat(stopped.outcome()).isEqualTo(Outcome.STARVED);
        assertThat(stopped.deadlock()).isEmpty();
        assertThat(stopped.starvation().orElseThrow().ends())
                .singleElement()
                .satisfies(end -> assertThat(end.port()).isEqualTo(host));
        LoadPoint again = run(
                load(0.4),
                true,
                new Incident.Sink(30_000, "stops", host, 0),
                new Incident.Sink(90_000, "goes on", host, 1));
        assertThat(again.outcome()).isEqualTo(Outcome.DRAINED);
        assertThat(again.lost()).isEmpty();
    }

    @Test
    void aRunUntilATimeCountsFromTheBeginning() {
        LoadPoint point = run(new LoadSettings(0.3, PACKET, 0, 50_000, 2, 400_000), true);
        assertThat(point.from()).isZero();
        assertThat(point.nanos()).isEqualTo(400_000);
        assertThat(point.counted()).isEqualTo(400_000);
        assertThat(point.outcome()).isEqualTo(Outcome.RUNNING);
        assertThat(point.accepted()).isCloseTo(0.3, within(0.05));
    }

    @Test
    void timesOutOfRangeAreRefused() {
        assertThatThrownBy(() -> new Incident.Sink(-1, "", 0, 0)).hasMessageContaining("expected 0 to 10,000,000,000");
        assertThatThrownBy(() -> new Upkeep(fabric, routing, List.of(), Optional.empty(), -1, 0))
                .hasMessageContaining("expected 0 to 10,000,000,000");
        assertThatThrownBy(() -> new LoadSettings(0.3, PACKET, 0, Long.MAX_VALUE, 2))
                .hasMessageContaining("times up to");
    }
}
