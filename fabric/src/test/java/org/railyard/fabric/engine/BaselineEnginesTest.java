package org.railyard.fabric.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.fabric.analysis.TablePath;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CheckReport.Verdict;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.proof.Verification;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.RoutingEngine;
import org.railyard.fabric.sample.Position;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.sample.SampleTorus.Gap;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.testkit.Requirement;

final class BaselineEnginesTest {
    private static final UpDownEngine UP_DOWN = new UpDownEngine(List.of());

    private static Fabric torus(int x, int y, int z) {
        return FreshLids.assign(SampleTorus.torus(x, y, z, 1).fabric(), Fabric.NONE);
    }

    private static Routing route(RoutingEngine engine, Fabric fabric) {
        return (Routing) engine.route(fabric, EngineOptions.DEFAULT.withGroups(List.of(everybody(fabric))));
    }

    private static MulticastGroup everybody(Fabric fabric) {
        List<Integer> members = IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isEndPort(port) && !fabric.isSwitch(fabric.nodeOf(port)))
                .boxed()
                .toList();
        return new MulticastGroup(0xC000, 0, members);
    }

    private static CheckReport check(Fabric fabric, Routing routing) {
        return CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT.withSwitchPorts(true));
    }

    static Stream<Fabric> tori() {
        return Stream.of(
                torus(4, 4, 4),
                torus(5, 6, 1),
                torus(1, 7, 1),
                FreshLids.assign(
                        SampleTorus.torus(5, 5, 3, 2)
                                .without(
                                        Set.of(new Position(2, 2, 1)),
                                        Set.of(new Gap(new Position(0, 0, 0), new Position(1, 0, 0))))
                                .fabric(),
                        Fabric.NONE));
    }

    @ParameterizedTest
    @MethodSource("tori")
    void upDownNeverLoops(Fabric fabric) {
        Routing routing = route(UP_DOWN, fabric);
        CheckReport report = check(fabric, routing);
        assertThat(report.verdict()).isEqualTo(Verdict.CLEAN);
        assertThat(Verification.firstViolation(
                        fabric,
                        routing,
                        CheckOptions.DEFAULT.withSwitchPorts(true),
                        report.certificate().orElseThrow()))
                .isEmpty();
    }

    @Test
    void dimensionOrderLoopsOnATorus() {
        Fabric fabric = torus(5, 6, 1);
        CheckReport report = check(fabric, route(new DorEngine(), fabric));
        assertThat(report.verdict()).isEqualTo(Verdict.LOOP);
        assertThat(report.faultCount()).isZero();
    }

    @Test
    void dimensionOrderAndMinHopLoopOnFourByFourByFour() {
        Fabric fabric = torus(4, 4, 4);
        assertThat(check(fabric, route(new DorEngine(), fabric)).verdict()).isEqualTo(Verdict.LOOP);
        assertThat(check(fabric, route(new MinHopEngine(), fabric)).verdict()).isEqualTo(Verdict.LOOP);
    }

    @Test
    void dimensionOrderDoesNotLoopOnAMesh() {
        Fabric fabric = FreshLids.assign(
                SampleTorus.torus(4, 4, 3, 1).withOpen(Set.of(0, 1, 2)).fabric(), Fabric.NONE);
        CheckReport unicast = CreditLoopCheck.check(
                fabric, route(new DorEngine(), fabric), CheckOptions.DEFAULT.withMulticast(false));
        assertThat(unicast.verdict()).isEqualTo(Verdict.CLEAN);
    }

    @Test
    void aFabricInPiecesIsRefused() {
        Fabric fabric = FreshLids.assign(
                SampleTorus.torus(2, 2, 1, 1)
                        .withOpen(Set.of(0, 1))
                        .without(
                                Set.of(),
                                Set.of(
                                        new Gap(new Position(0, 0, 0), new Position(1, 0, 0)),
                                        new Gap(new Position(0, 1, 0), new Position(1, 1, 0))))
                        .fabric(),
                Fabric.NONE);
        for (RoutingEngine engine : List.of(new MinHopEngine(), new DorEngine(), UP_DOWN)) {
            assertThat(engine.route(fabric, EngineOptions.DEFAULT)).isInstanceOf(Refusal.class);
        }
    }

    @Test
    void anUnknownRootIsRefused() {
        assertThat(new UpDownEngine(List.of(new Root(0x1234, "roots:1"))).route(torus(3, 3, 1), EngineOptions.DEFAULT))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal ->
                                assertThat(refusal.reasons().getFirst().code()).isEqualTo("roots"));
    }

    /** Engines hold nothing between runs: the answer of one does not depend on who ran before. */
    @Test
    void enginesDoNotDisturbEachOther() {
        Fabric fabric = torus(4, 3, 1);
        Routing before = route(UP_DOWN, fabric);
        route(new MinHopEngine(), fabric);
        route(new DorEngine(), fabric);
        Routing after = route(UP_DOWN, fabric);
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int lid = 1; lid <= fabric.maxLid(); lid++) {
                assertThat(after.forwarding().port(sw, lid))
                        .isEqualTo(before.forwarding().port(sw, lid));
            }
        }
    }

    /**
     * Whatever the engine, who asks for SLs and VLs asks the same two services; and what is switched off is nobody's
     * affair.
     */
    @Test
    @Requirement("t2q-037")
    void slsAndVlsAreServicesOfEveryEngine() {
        SampleTorus plan = SampleTorus.torus(3, 3, 3, 2);
        Fabric fabric = FreshLids.assign(plan.fabric(), Fabric.NONE);
        BitSet failed = new BitSet();
        failed.set(fabric.portIndex(13, 0), fabric.portIndex(13, fabric.ports(13)) + 1);
        List<RoutingEngine> engines = List.of(
                new TorusEngine(TorusConfParser.parse(plan.conf(1)), TorusOptions.DEFAULT),
                new MinHopEngine(),
                new DorEngine(),
                new UpDownEngine(List.of()),
                new NueEngine(),
                new LayeredEngine());
        for (RoutingEngine engine : engines) {
            for (Fabric one : List.of(fabric, fabric.withLinksDown(failed))) {
                Routing routing = (Routing) engine.route(one, EngineOptions.DEFAULT);
                assertThat(routing.engine()).isEqualTo(engine.name());
                for (int lid = 2; lid <= one.maxLid(); lid++) {
                    int port = one.portOfLid(lid);
                    if (one.switchOf(port) == Fabric.NONE || !one.isConnected(one.nodeOf(port))) {
                        continue;
                    }
                    int sl = routing.sls().sl(1, lid, 0);
                    assertThat(sl).isBetween(0, 15);
                    TablePath path = TablePath.follow(one, routing, one.portOfLid(1), lid, sl);
                    assertThat(path.end()).isEqualTo(TablePath.End.ARRIVED);
                    assertThat(path.hops()).allMatch(hop -> hop.vl() < 8);
                }
            }
        }
    }
}
