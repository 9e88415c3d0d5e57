package org.railyard.fabric.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.fabric.analysis.LinkLoad;
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
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.RoutingResult;
import org.railyard.fabric.sample.SampleFatTree;
import org.railyard.fabric.sample.SampleHyperX;
import org.railyard.fabric.sample.SampleNetwork.Gap;

final class FatTreeEngineTest {
    private static final FatTreeEngine ENGINE = new FatTreeEngine(List.of());

    /** Host ports by leaf switch and port: the order in which the engine numbers them. */
    private static List<Integer> hosts(Fabric fabric) {
        return IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isEndPort(port)
                        && !fabric.isSwitch(fabric.nodeOf(port))
                        && fabric.switchOf(port) != Fabric.NONE)
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(fabric::switchOf).thenComparingInt(fabric::switchPortOf))
                .toList();
    }

    private static Fabric withLids(Fabric fabric) {
        return FreshLids.assign(fabric, Fabric.NONE);
    }

    private static List<Integer> numbers(String shape) {
        return Arrays.stream(shape.split("x", -1)).map(Integer::valueOf).toList();
    }

    private static RoutingResult result(FatTreeEngine engine, Fabric fabric) {
        return engine.route(fabric, new EngineOptions(5, 2, List.of(new MulticastGroup(0xC000, 3, hosts(fabric)))));
    }

    private static Routing proved(FatTreeEngine engine, Fabric fabric, String name) {
        Routing routing = (Routing) result(engine, fabric);
        CheckReport report = CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT);
        assertThat(report.verdict()).as(name + report.faults() + report.loops()).isEqualTo(Verdict.CLEAN);
        assertThat(Verification.firstViolation(
                        fabric,
                        routing,
                        CheckOptions.DEFAULT,
                        report.certificate().orElseThrow()))
                .as(name)
                .isEmpty();
        return routing;
    }

    /** Ways over the most used cable if each host sends to the one that is so many further on. */
    private static int mostOfShift(Fabric fabric, Routing routing, List<Integer> hosts, int shift) {
        int[] ways = new int[fabric.portCount()];
        for (int i = 0; i < hosts.size(); i++) {
            int target = hosts.get((i + shift) % hosts.size());
            TablePath path = TablePath.follow(fabric, routing, hosts.get(i), fabric.lid(target), 0);
            assertThat(path.end()).isEqualTo(TablePath.End.ARRIVED);
            path.hops().forEach(hop -> ways[hop.port()]++);
        }
        return Arrays.stream(ways).max().orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"4x4x8", "3x3x3x2", "6x12", "2x2x2x2x2", "5x1x3"})
    void noTwoHostsOfAShiftMeetInAFullTree(String shape) {
        Fabric tree = withLids(SampleFatTree.full(numbers(shape)).network().fabric());
        Routing routing = proved(ENGINE, tree, shape);
        List<Integer> hosts = hosts(tree);
        for (int shift = 1; shift < hosts.size(); shift++) {
            assertThat(mostOfShift(tree, routing, hosts, shift))
                    .as(shape + " shift " + shift)
                    .isOne();
        }
    }

    /** With fewer cables up than down, or more than one to a parent, they meet as rarely as they can. */
    @ParameterizedTest
    @CsvSource({"4x6, 2, 1, 2", "4x6, 2, 2, 1", "6x4x4, 3x4, 1, 2", "4x4x4, 2x2, 2, 2"})
    void thinnerTreesAreSharedEvenly(String shape, String up, int cables, int most) {
        Fabric tree = withLids(
                new SampleFatTree(numbers(shape), numbers(up), cables).network().fabric());
        Routing routing = proved(ENGINE, tree, shape);
        List<Integer> hosts = hosts(tree);
        for (int shift = 1; shift < hosts.size(); shift++) {
            assertThat(mostOfShift(tree, routing, hosts, shift))
                    .as(shape + " shift " + shift)
                    .isLessThanOrEqualTo(most);
        }
    }

    @Test
    void loadIsTheLeastThereCanBe() {
        Fabric tree = withLids(SampleFatTree.full(List.of(4, 4, 8)).network().fabric());
        LinkLoad load = LinkLoad.of(tree, proved(ENGINE, tree, "").forwarding());
        assertThat(load.most()).isEqualTo(4 * 4 * 8 - 4);
        assertThat(load.longest()).isEqualTo(4);
    }

    /** Whatever fails: proved and everybody reached, or refused because two hosts have no way up and down. */
    @Test
    void damagedTreesAreRoutedAsLongAsAllHostsHaveAWay() {
        SplittableRandom random = new SplittableRandom(11);
        int routed = 0;
        int refused = 0;
        for (int run = 0; run < 60; run++) {
            Fabric whole =
                    withLids(SampleFatTree.full(List.of(3, 3, 3)).network().fabric());
            BitSet down = new BitSet();
            for (int failures = 1 + run / 4; failures > 0; failures--) {
                int sw = random.nextInt(whole.switchCount());
                int port = whole.portIndex(sw, random.nextInt(1, whole.ports(sw) + 1));
                int peer = whole.peer(port);
                if (peer != Fabric.NONE && whole.isSwitch(whole.nodeOf(peer))) {
                    down.set(port);
                }
            }
            Fabric left = whole.withLinksDown(down);
            switch (result(ENGINE, left)) {
                case Refusal refusal -> {
                    assertThat(refusal.reasons().getFirst().text()).containsAnyOf("no way up and down", "in pieces");
                    refused++;
                }
                case Routing _ -> {
                    proved(ENGINE, left, "run " + run);
                    routed++;
                }
            }
        }
        assertThat(routed).isGreaterThan(30);
        assertThat(refused).isPositive();
    }

    @Test
    void missingSwitchesAreNoHindrance() {
        Fabric tree = withLids(SampleFatTree.full(List.of(4, 4, 4))
                .network()
                .fabric(Set.of("S-3.0.0", "S-3.2.1", "S-1.3.3"), Set.of(new Gap("S-1.0.0", "S-2.0.1"))));
        proved(ENGINE, tree, "");
    }

    @Test
    void whatIsNoFatTreeIsRefusedWithTheCable() {
        Fabric mesh = withLids(new SampleHyperX(List.of(3, 3), 1, 1).network().fabric());
        Refusal refusal = (Refusal) result(ENGINE, mesh);
        assertThat(refusal.engine()).isEqualTo("ftree");
        assertThat(refusal.reasons().getFirst().text())
                .isEqualTo("a cable joins S-0.0 and S-1.0, both on level 1 of 1: in a fat tree cables go up or down;"
                        + " if hosts are on more levels than one, name the roots with --roots");
        Fabric empty = withLids(new SampleHyperX(List.of(3), 0, 1).network().fabric());
        assertThat(((Refusal) result(ENGINE, empty)).reasons().getFirst().text())
                .contains("nothing has hosts");
        Fabric none = withLids(new FabricBuilder().build());
        assertThat(((Refusal) result(ENGINE, none)).reasons().getFirst().text()).contains("no switch has hosts");
        assertThat(((Refusal) result(new FatTreeEngine(List.of(new Root(0x77, "roots:1"))), mesh))
                        .reasons()
                        .getFirst()
                        .code())
                .isEqualTo("roots");
    }

    /** A storage server on a switch of the middle level: only the roots tell what is up. */
    @Test
    void hostsAboveTheBottomNeedTheRoots() {
        FabricBuilder builder = new FabricBuilder();
        List<NodeBuilder> switches = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            switches.add(builder.node(NodeType.SWITCH, 0x200 + i, 8, "S-" + i));
        }
        // 0 and 1 are leaves, 2 and 3 above them, 4 is the root.
        int[][] cables = {{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 4}, {3, 4}};
        int[] used = new int[5];
        for (int[] cable : cables) {
            builder.connect(switches.get(cable[0]), ++used[cable[0]], switches.get(cable[1]), ++used[cable[1]]);
        }
        for (int i = 0; i < 3; i++) {
            NodeBuilder host = builder.node(NodeType.CA, 0x100 + i, 1, "H-" + i);
            builder.connect(host, 1, switches.get(i), ++used[i]);
        }
        Fabric fabric = withLids(builder.build());
        assertThat(((Refusal) result(ENGINE, fabric)).reasons().getFirst().text())
                .contains("a cable joins S-0 and S-2", "--roots");
        Routing routing = proved(new FatTreeEngine(List.of(new Root(0x204, "roots:1"))), fabric, "");
        assertThat(routing.notes().getFirst()).isEqualTo("3 levels; switches from the bottom up: 2, 2, 1");
    }
}
