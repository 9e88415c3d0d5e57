package org.railyard.fabric.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.fabric.analysis.TablePath;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.FabricBuilder.NodeBuilder;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CheckReport.Verdict;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.proof.Verification;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PortMask;
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

    /** Returns how many copies each port gets of what one sends, along the tables of switches. */
    private static Map<Integer, Integer> copies(Fabric fabric, MulticastTables.Tree tree, int sender) {
        Map<Integer, Integer> copies = new TreeMap<>();
        Deque<Integer> inputs = new ArrayDeque<>();
        if (fabric.isSwitch(fabric.nodeOf(sender))) {
            inputs.add(sender);
        } else {
            inputs.add(fabric.peer(sender));
        }
        for (int passed = 0; !inputs.isEmpty(); passed++) {
            assertThat(passed).as("no copy goes round").isLessThan(fabric.portCount());
            int input = inputs.remove();
            int sw = fabric.nodeOf(input);
            PortMask mask = tree.ports(sw);
            for (int output = mask.next(0); output >= 0; output = mask.next(output + 1)) {
                int port = fabric.portIndex(sw, output);
                int to = output == 0 ? port : fabric.peer(port);
                if (port != input && to != Fabric.NONE) {
                    if (fabric.isEndPort(to)) {
                        copies.merge(to, 1, Integer::sum);
                    } else {
                        inputs.add(to);
                    }
                }
            }
        }
        return copies;
    }

    @ParameterizedTest
    @MethodSource("tori")
    void eachMemberOfAGroupGetsOneCopyAndNobodyElse(Fabric fabric) {
        BitSet down = new BitSet();
        down.set(fabric.portIndex(0, 0), fabric.portIndex(0, fabric.ports(0)) + 1);
        SplittableRandom random = new SplittableRandom(fabric.portCount());
        for (Fabric one : List.of(fabric, fabric.withLinksDown(down))) {
            List<Integer> ends = IntStream.range(0, one.portCount())
                    .filter(port -> one.isEndPort(port)
                            && one.switchOf(port) != Fabric.NONE
                            && one.isConnected(one.nodeOf(port)))
                    .boxed()
                    .toList();
            List<MulticastGroup> groups = new ArrayList<>();
            for (int size : new int[] {1, 2, 3, 7, ends.size()}) {
                Set<Integer> members = new TreeSet<>();
                while (members.size() < size) {
                    members.add(ends.get(random.nextInt(ends.size())));
                }
                groups.add(new MulticastGroup(0xC000 + size, size & 7, List.copyOf(members)));
            }
            for (RoutingEngine engine : List.of(new MinHopEngine(), new DorEngine(), UP_DOWN)) {
                Routing routing = (Routing) engine.route(one, EngineOptions.DEFAULT.withGroups(groups));
                assertThat(routing.multicast().mlids()).hasSize(groups.size());
                for (MulticastGroup group : groups) {
                    MulticastTables.Tree tree =
                            Objects.requireNonNull(routing.multicast().tree(group.mlid()));
                    assertThat(tree.sl()).isEqualTo(group.sl());
                    for (int sender : group.members()) {
                        Map<Integer, Integer> expected = new TreeMap<>();
                        group.members().stream()
                                .filter(member -> member != sender)
                                .forEach(member -> expected.put(member, 1));
                        assertThat(copies(one, tree, sender)).isEqualTo(expected);
                    }
                    int entries = IntStream.range(0, one.switchCount())
                            .map(sw -> tree.ports(sw).size())
                            .sum();
                    long switches = IntStream.range(0, one.switchCount())
                            .filter(sw -> !tree.ports(sw).isEmpty())
                            .count();
                    assertThat(entries)
                            .as("a tree has a cable less than switches, each with two ends")
                            .isEqualTo(group.members().size() + 2 * (int) (switches - 1));
                }
            }
        }
    }

    /** Hosts of one switch send to those of the other by as many cables as there are. */
    @Test
    void waysToDestinationsAreSharedAmongParallelCables() {
        int cables = 3;
        int hosts = 7;
        FabricBuilder builder = new FabricBuilder();
        NodeBuilder[] switches = new NodeBuilder[2];
        for (int sw = 0; sw < 2; sw++) {
            switches[sw] = builder.node(NodeType.SWITCH, 0x10 + sw, cables + hosts, "s" + sw);
            for (int host = 1; host <= hosts; host++) {
                NodeBuilder ca = builder.node(NodeType.CA, 0x1000 * (sw + 1) + 16 * host, 1, "h" + sw + "." + host);
                builder.connect(switches[sw], cables + host, ca, 1);
            }
        }
        for (int cable = 1; cable <= cables; cable++) {
            builder.connect(switches[0], cable, switches[1], cables + 1 - cable);
        }
        Fabric fabric = FreshLids.assign(builder.build(), Fabric.NONE);
        for (RoutingEngine engine : List.of(new MinHopEngine(), UP_DOWN, new DorEngine())) {
            ForwardingTables tables = route(engine, fabric).forwarding();
            for (int sw = 0; sw < 2; sw++) {
                int[] used = new int[cables + hosts + 1];
                for (int lid = 1; lid <= fabric.maxLid(); lid++) {
                    used[tables.port(sw, lid)]++;
                }
                // Those of the other switch, and its own.
                Integer[] expected = engine instanceof DorEngine ? new Integer[] {8, 0, 0} : new Integer[] {3, 3, 2};
                assertThat(Arrays.stream(used, 1, cables + 1)).containsExactlyInAnyOrder(expected);
            }
        }
        assertThat(route(new DorEngine(), fabric).forwarding().port(0, fabric.lid(fabric.portIndex(1, 0))))
                .isEqualTo(1);
    }

    @Test
    void whatCanNotBeReachedHasNoPath() {
        Fabric whole = FreshLids.assign(SampleTorus.torus(4, 3, 1, 1).fabric(), Fabric.NONE, 1);
        BitSet down = new BitSet();
        down.set(whole.hosts().get(2));
        down.set(whole.portIndex(5, 0), whole.portIndex(5, whole.ports(5)) + 1);
        Fabric fabric = whole.withLinksDown(down);
        for (RoutingEngine engine : List.of(new MinHopEngine(), new DorEngine(), UP_DOWN)) {
            Routing routing = route(engine, fabric);
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                for (int lid = 0; lid <= fabric.maxLid(); lid++) {
                    int port = fabric.portOfLid(lid);
                    boolean isThere = fabric.isConnected(sw)
                            && port != Fabric.NONE
                            && fabric.switchOf(port) != Fabric.NONE
                            && fabric.isConnected(fabric.nodeOf(port));
                    assertThat(routing.forwarding().port(sw, lid) != ForwardingTables.NO_PATH)
                            .as("%s: %d to LID %d", engine.name(), sw, lid)
                            .isEqualTo(isThere);
                }
            }
        }
    }

    @Test
    void rootsThatAreNotThereAreTold() {
        Fabric fabric = torus(3, 3, 1);
        Root there = new Root(fabric.guid(4), "roots:2");
        UpDownEngine engine = new UpDownEngine(List.of(new Root(0x1234, "roots:1"), there));
        assertThat(engine.remarks(fabric))
                .containsExactly("roots:1: no switch with a cable has the node GUID 0x0000000000001234: it is no root");
        assertThat(engine.route(fabric, EngineOptions.DEFAULT)).isInstanceOf(Routing.class);
        Root host = new Root(fabric.guid(fabric.switchCount()), "roots:3");
        assertThat(new UpDownEngine(List.of(host)).remarks(fabric)).hasSize(1);
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
