package org.railyard.fabric.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.analysis.LinkLoad;
import org.railyard.fabric.analysis.TablePath;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.format.PathSlFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.proof.Verification;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.RoutingResult;
import org.railyard.fabric.sample.SampleDragonfly;
import org.railyard.fabric.sample.SampleFatTree;
import org.railyard.fabric.sample.SampleTorus;

final class LayeredEngineTest {
    private static final int SEEDS = Boolean.getBoolean("railyard.long") ? 3000 : 60;
    private static final int[] VLS = {0, 1, 2, 4, 8, 15};
    private static final Pattern NEEDED = Pattern.compile("shortest ways need (\\d+) VLs here, and (\\d+) .*");

    private final LayeredEngine engine = new LayeredEngine();

    private static Fabric withLids(Fabric fabric) {
        return FreshLids.assign(fabric, Fabric.NONE);
    }

    private static EngineOptions options(Fabric fabric, int code, boolean groups) {
        List<Integer> all = fabric.hosts();
        return new EngineOptions(
                code,
                1,
                groups && !all.isEmpty()
                        ? List.of(new MulticastGroup(0xC000, 0, all), new MulticastGroup(0xC001, 5, all))
                        : List.of());
    }

    @Test
    void aFileOfSlsTellsThoseOfEachLid() {
        Fabric fabric = FreshLids.assign(SampleTorus.torus(4, 4, 1, 1).fabric(), Fabric.NONE, 2);
        PathSls sls = ((Routing) engine.route(fabric, EngineOptions.DEFAULT)).sls();
        PathSls read = PathSlFile.parse(PathSlFile.text(fabric, sls, 0), fabric);
        BitSet several = new BitSet();
        for (int from : fabric.hosts()) {
            for (int lid = 1; lid <= fabric.maxLid(); lid++) {
                int sl = sls.sl(fabric.lid(from), lid, 0);
                assertThat(read.sl(fabric.lid(from), lid, 0))
                        .as("to LID %d", lid)
                        .isEqualTo(sl);
                several.set(lid, sl != sls.sl(fabric.lid(from), Math.max(1, lid - 1), 0));
            }
        }
        assertThat(several.cardinality()).isGreaterThan(1);
        assertThat(read.classOf(fabric.maxLid())).isLessThan(fabric.maxLid());
    }

    private static void isProved(Fabric fabric, Routing routing, String name) {
        CheckReport report = CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT);
        assertThat(report.verdict()).as(name + report.faults() + report.loops()).isEqualTo(CheckReport.Verdict.CLEAN);
        assertThat(Verification.firstViolation(
                        fabric,
                        routing,
                        CheckOptions.DEFAULT,
                        report.certificate().orElseThrow()))
                .as(name)
                .isEmpty();
        // Ways of ports 0 may have no SL, but those that have one close no cycle either.
        CheckReport ports = CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT.withSwitchPorts(true));
        assertThat(ports.loops()).as(name).isEmpty();
        assertThat(ports.faults()).as(name).allMatch(fault -> fault.kind() == CheckReport.FaultKind.NO_SL);
    }

    /** Every pair of hosts has a path, as short as there are any. */
    private static void allArrive(Fabric fabric, Routing routing, String name) {
        CableGraph graph = new CableGraph(fabric);
        for (int source : fabric.hosts()) {
            for (int target : fabric.hosts()) {
                if (source != target) {
                    int sl = routing.sls().sl(fabric.lid(source), fabric.lid(target), 0);
                    TablePath path = TablePath.follow(fabric, routing, source, fabric.lid(target), sl);
                    assertThat(path.end()).as(name).isEqualTo(TablePath.End.ARRIVED);
                    int hops = graph.hopsTo(fabric.switchOf(target))[fabric.switchOf(source)];
                    assertThat(path.hops().size() - 2).as(name).isEqualTo(hops);
                }
            }
        }
    }

    /** A refusal says how many VLs would do, and they do. */
    @Test
    void randomFabricsAreRoutedOrTheNumberOfVlsIsTold() {
        int refused = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Fabric fabric = RandomNet.of(seed);
            int needed = 1;
            for (int code = 1; code < VLS.length; code++) {
                String name = "seed " + seed + ", " + VLS[code] + " VLs: ";
                RoutingResult result = engine.route(fabric, options(fabric, code, false));
                if (result instanceof Routing routing) {
                    isProved(fabric, routing, name);
                    allArrive(fabric, routing, name);
                } else {
                    String text = ((Refusal) result).reasons().getFirst().text();
                    Matcher said = NEEDED.matcher(text);
                    assertThat(said.matches()).as(text).isTrue();
                    needed = Integer.parseInt(said.group(1));
                    assertThat(needed).as(name).isGreaterThan(VLS[code]);
                    refused++;
                }
                assertThat(result instanceof Routing).as(name).isEqualTo(VLS[code] >= needed);
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void groupsShareVlsWithUnicast() {
        int routed = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Fabric fabric = RandomNet.of(seed);
            for (int code = 1; code <= 2; code++) {
                if (engine.route(fabric, options(fabric, code, true)) instanceof Routing routing) {
                    isProved(fabric, routing, "seed " + seed);
                    routed++;
                }
            }
        }
        assertThat(routed).isGreaterThan(SEEDS / 2);
    }

    @Test
    void aFatTreeNeedsOneVlAndIsBalancedAsWellAsItCanBe() {
        Fabric tree = withLids(SampleFatTree.full(List.of(4, 4, 8)).network().fabric());
        Routing routing = (Routing) engine.route(tree, options(tree, 4, false));
        isProved(tree, routing, "");
        assertThat(routing.notes()).containsExactly("1 of 8 VLs needed");
        assertThat(LinkLoad.of(tree, routing.forwarding()).most()).isEqualTo(4 * 4 * 8 - 4);
    }

    /** With one VL there are ways between top switches of a fat tree that go down and up again: those have no SL. */
    @Test
    void portsOfSwitchesWithoutAPlaceHaveNoSl() {
        Fabric tree = withLids(SampleFatTree.full(List.of(4, 4, 4)).network().fabric());
        Routing routing = (Routing) engine.route(tree, options(tree, 1, false));
        isProved(tree, routing, "");
        assertThat(routing.notes().getLast())
                .endsWith("ports 0 of switches close a cycle on every VL: they have no SL");
        boolean any = false;
        for (int a = 0; a < tree.switchCount(); a++) {
            for (int b = 0; b < tree.switchCount(); b++) {
                int from = tree.lid(tree.portIndex(a, 0));
                any |= routing.sls().sl(from, tree.lid(tree.portIndex(b, 0)), 0) == PathSls.NO_SL;
            }
        }
        assertThat(any).isTrue();
    }

    @Test
    void aTorusThatIsTooLargeForBalancedWaysTakesTheSameCables() {
        Fabric torus = withLids(SampleTorus.torus(6, 6, 6, 1).fabric());
        Routing routing = (Routing) engine.route(torus, options(torus, 4, false));
        isProved(torus, routing, "");
        assertThat(routing.notes().getFirst()).isEqualTo("5 of 8 VLs needed");
        assertThat(routing.notes().get(1)).startsWith("ways take the cable with the lowest port");
        assertThat(LinkLoad.of(torus, routing.forwarding()).longest()).isEqualTo(9);
    }

    @Test
    void loadOfADragonflyIsEven() {
        Fabric fabric = withLids(new SampleDragonfly(9, 4, 2, 2).network().fabric(Set.of("S-3.2"), Set.of()));
        Routing routing = (Routing) engine.route(fabric, options(fabric, 3, false));
        isProved(fabric, routing, "");
        allArrive(fabric, routing, "");
        LinkLoad load = LinkLoad.of(fabric, routing.forwarding());
        LinkLoad nue =
                LinkLoad.of(fabric, ((Routing) new NueEngine().route(fabric, options(fabric, 3, false))).forwarding());
        assertThat(load.most()).isLessThan(nue.most());
    }

    @Test
    void piecesAreNamed() {
        Fabric whole = withLids(SampleTorus.torus(4, 1, 1, 1).fabric());
        BitSet down = new BitSet();
        for (int sw : new int[] {0, 2}) {
            for (int port = 1; port <= whole.ports(sw); port++) {
                int peer = whole.peer(whole.portIndex(sw, port));
                if (peer != Fabric.NONE && whole.isSwitch(whole.nodeOf(peer))) {
                    down.set(whole.portIndex(sw, port));
                }
            }
        }
        Refusal refusal = (Refusal) engine.route(whole.withLinksDown(down), options(whole, 4, false));
        assertThat(refusal.reasons().getFirst().text()).contains("the fabric is in pieces");
        assertThat(refusal.engine()).isEqualTo("layered");
    }
}
