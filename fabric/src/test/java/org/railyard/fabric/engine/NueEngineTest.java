package org.railyard.fabric.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.fabric.analysis.LinkLoad;
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
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.sample.Position;
import org.railyard.fabric.sample.SampleDragonfly;
import org.railyard.fabric.sample.SampleFatTree;
import org.railyard.fabric.sample.SampleHyperX;
import org.railyard.fabric.sample.SampleNetwork.Gap;
import org.railyard.fabric.sample.SampleTorus;

final class NueEngineTest {
    private static final int SEEDS = Boolean.getBoolean("railyard.long") ? 3000 : 60;
    private static final int[] VLS = {0, 1, 2, 4, 8};

    private final NueEngine engine = new NueEngine();

    private static List<Integer> hosts(Fabric fabric) {
        return IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isEndPort(port)
                        && !fabric.isSwitch(fabric.nodeOf(port))
                        && fabric.peer(port) != Fabric.NONE)
                .boxed()
                .toList();
    }

    /** Groups of everybody on two SLs, which are two VLs where there are two. */
    private static EngineOptions options(Fabric fabric, int code) {
        List<Integer> all = hosts(fabric);
        return new EngineOptions(
                code, 2, List.of(new MulticastGroup(0xC000, 0, all), new MulticastGroup(0xC001, 5, all)));
    }

    /** Ports of switches count, too: no dependency at all closes a cycle. */
    private static void isProved(Fabric fabric, Routing routing, String name) {
        CheckReport report = CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT.withSwitchPorts(true));
        assertThat(report.verdict()).as(name + report.faults() + report.loops()).isEqualTo(Verdict.CLEAN);
        assertThat(Verification.firstViolation(
                        fabric,
                        routing,
                        CheckOptions.DEFAULT.withSwitchPorts(true),
                        report.certificate().orElseThrow()))
                .as(name)
                .isEmpty();
    }

    private Routing route(Fabric fabric, int code, String name) {
        Routing routing = (Routing) engine.route(fabric, options(fabric, code));
        isProved(fabric, routing, name);
        return routing;
    }

    /** Every pair of hosts has a path, on VLs that are there: of the first link, between switches and of the last. */
    private static void allArrive(Fabric fabric, Routing routing, int vls, String name) {
        for (int source : hosts(fabric)) {
            for (int target : hosts(fabric)) {
                if (source == target) {
                    continue;
                }
                int sl = routing.sls().sl(fabric.lid(source), fabric.lid(target), 0);
                assertThat(sl).as(name).isBetween(0, vls - 1);
                TablePath path = TablePath.follow(fabric, routing, source, fabric.lid(target), sl);
                assertThat(path.end()).as(name).isEqualTo(TablePath.End.ARRIVED);
                path.hops().forEach(hop -> assertThat(hop.vl()).as(name).isBetween(0, vls - 1));
                int last = 1 << fabric.vlCap(target) - 1;
                assertThat(path.hops().getLast().vl()).as(name).isLessThan(last);
                assertThat(SlToVl.vl(routing.slToVl().endTable(source), sl))
                        .as(name)
                        .isLessThan(1 << fabric.vlCap(source) - 1);
            }
        }
    }

    @Test
    void randomFabricsAreRoutedWithAnyNumberOfVls() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Fabric fabric = RandomNet.of(seed);
            for (int code = 1; code <= 4; code++) {
                String name = "seed " + seed + ", " + VLS[code] + " VLs: ";
                allArrive(fabric, route(fabric, code, name), VLS[code], name);
            }
        }
    }

    static Stream<Fabric> shapes() {
        return Stream.of(
                        SampleTorus.torus(4, 4, 4, 1).fabric(),
                        SampleTorus.torus(5, 3, 2, 2)
                                .without(
                                        Set.of(new Position(2, 2, 1), new Position(0, 1, 1)),
                                        Set.of(new SampleTorus.Gap(new Position(0, 0, 0), new Position(1, 0, 0))))
                                .fabric(),
                        new SampleTorus(List.of(1, 7, 1), Set.of(), 1, 3, Set.of(), Set.of()).fabric(),
                        SampleFatTree.full(List.of(3, 3, 4)).network().fabric(),
                        new SampleFatTree(List.of(4, 4, 3), List.of(2, 3), 2)
                                .network()
                                .fabric(Set.of("S-2.0.1"), Set.of(new Gap("S-1.1.1", "S-2.1.0"))),
                        new SampleDragonfly(9, 4, 2, 2).network().fabric(Set.of("S-3.2"), Set.of()),
                        new SampleHyperX(List.of(4, 4), 2, 1).network().fabric(),
                        new SampleHyperX(List.of(2, 2, 2, 2), 1, 2)
                                .network()
                                .fabric(Set.of("S-0.0.1.0"), Set.of(new Gap("S-1.1.1.1", "S-1.1.1.0"))),
                        new SampleFatTree(List.of(5), List.of(), 1).network().fabric())
                .map(fabric -> FreshLids.assign(fabric, Fabric.NONE));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void shapesAreRoutedWithAnyNumberOfVls(Fabric fabric) {
        for (int code = 1; code <= 4; code++) {
            String name = VLS[code] + " VLs: ";
            allArrive(fabric, route(fabric, code, name), VLS[code], name);
        }
    }

    /** Where no search helps, destinations are reached along the tree, and that is proved, too. */
    @Test
    void whatFindsNoWayTakesTheTree() {
        for (int seed : List.of(112, 1844, 15676, 16453)) {
            Fabric fabric = RandomNet.of(seed);
            Routing routing = route(fabric, 1, "seed " + seed);
            assertThat(routing.notes().getFirst()).matches("1 VL; [1-9] of .*");
            allArrive(fabric, routing, 1, "seed " + seed);
        }
    }

    /** Cables fail one after the other, down to a tree and beyond: routed as long as the fabric is in one piece. */
    @Test
    void whateverFailsTheRestIsRouted() {
        Fabric whole = FreshLids.assign(SampleTorus.torus(4, 4, 1, 1).fabric(), Fabric.NONE);
        SplittableRandom random = new SplittableRandom(16);
        BitSet down = new BitSet();
        int routed = 0;
        while (true) {
            int sw = random.nextInt(whole.switchCount());
            down.set(whole.portIndex(sw, random.nextInt(2, whole.ports(sw) + 1)));
            Fabric left = whole.withLinksDown(down);
            if (engine.route(left, options(left, 1)) instanceof Refusal refusal) {
                assertThat(refusal.reasons().getFirst().text()).contains("the fabric is in pieces");
                break;
            }
            route(left, 1, "down " + down);
            routed++;
        }
        assertThat(routed).isGreaterThan(5);
    }

    @Test
    void aFatTreeWithOneVlIsBalancedAsWellAsItCanBe() {
        Fabric tree =
                FreshLids.assign(SampleFatTree.full(List.of(4, 4, 8)).network().fabric(), Fabric.NONE);
        LinkLoad load = LinkLoad.of(tree, route(tree, 1, "").forwarding());
        // To each host from all that are not on its leaf switch.
        assertThat(load.most()).isEqualTo(4 * 4 * 8 - 4);
        assertThat(load.longest()).isEqualTo(4);
    }

    @Test
    void moreVlsShortenWaysAndSpreadLoad() {
        Fabric torus = FreshLids.assign(SampleTorus.torus(6, 6, 1, 2).fabric(), Fabric.NONE);
        LinkLoad one = LinkLoad.of(torus, route(torus, 1, "").forwarding());
        LinkLoad eight = LinkLoad.of(torus, route(torus, 4, "").forwarding());
        assertThat(eight.meanHops()).isLessThan(one.meanHops());
        assertThat(eight.most()).isLessThan(one.most());
    }

    @Test
    void routesDoNotDependOnGroups() {
        Fabric fabric = RandomNet.of(7);
        Routing with = route(fabric, 2, "");
        Routing without = (Routing) engine.route(fabric, new EngineOptions(2, 2, List.of()));
        List<String> differences = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int lid = 1; lid <= fabric.maxLid(); lid++) {
                if (with.forwarding().port(sw, lid) != without.forwarding().port(sw, lid)) {
                    differences.add(sw + " " + lid);
                }
            }
        }
        assertThat(differences).isEmpty();
    }
}
