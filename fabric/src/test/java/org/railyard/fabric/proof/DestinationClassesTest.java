package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.proof.DestinationClasses.Destination;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;

/** What the proof looks at: one LID for all that can not be told apart, so that it does not grow with the hosts. */
class DestinationClassesTest {
    private static List<Destination> classes(Fabric fabric, Routing routing) {
        return new DestinationClasses(fabric, routing, CheckOptions.DEFAULT).all();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void aTorusHasOneClassForEachSwitch(int hosts) {
        SampleTorus torus = new SampleTorus(List.of(5, 4, 3), Set.of(), hosts, 1, Set.of(), Set.of());
        Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
        TorusEngine engine = new TorusEngine(TorusConfParser.parse(torus.conf(1)), TorusOptions.DEFAULT);
        Routing routing = (Routing) engine.route(fabric, EngineOptions.DEFAULT);
        assertThat(classes(fabric, routing)).hasSize(60).allMatch(each -> each.count() == hosts);
    }

    /** A switch with seven hosts, where the tables are about, at one end of a line of three. */
    private static Fabric line() {
        FabricBuilder builder = new FabricBuilder();
        List<FabricBuilder.NodeBuilder> line = IntStream.range(0, 3)
                .mapToObj(sw -> builder.node(NodeType.SWITCH, 0x100L + sw, 9, "S-" + sw))
                .toList();
        for (int host = 1; host <= 7; host++) {
            builder.connect(line.get(0), host, builder.node(NodeType.CA, 0x1000L + host, 1, "H-" + host), 1);
        }
        for (int cable = 8; cable <= 9; cable++) {
            builder.connect(line.get(0), cable, line.get(1), cable);
            builder.connect(line.get(1), cable - 2, line.get(2), cable);
        }
        return FreshLids.assign(builder.build(), Fabric.NONE);
    }

    /** Returns tables to the hosts of the line: where two cables go on, the one that is given by host. */
    private static byte[][] rows(Fabric fabric, int... cables) {
        byte[][] rows = new byte[3][fabric.maxLid() + 1];
        for (int lid = 1; lid <= fabric.maxLid(); lid++) {
            int host = fabric.portOfLid(lid) < 0 || fabric.isSwitch(fabric.nodeOf(fabric.portOfLid(lid)))
                    ? 0
                    : fabric.switchPortOf(fabric.portOfLid(lid));
            rows[0][lid] = (byte) host;
            rows[1][lid] = (byte) (host == 0 ? 0 : cables[host - 1]);
            rows[2][lid] = 8;
        }
        return rows;
    }

    private static int[] lids(Fabric fabric) {
        return fabric.hosts().stream().mapToInt(fabric::lid).sorted().toArray();
    }

    /** Hosts that take turns between the cables are two classes, and three where one more column is another one. */
    @Test
    void theOneBeforeIsNotTheOnlyOneToBeLike() {
        Fabric fabric = line();
        int[] lids = lids(fabric);
        byte[][] rows = rows(fabric, 8, 9, 9, 8, 8, 9, 9);
        PathSls sls = PathSls.constant(0);
        assertThat(classes(fabric, SmallNetwork.routing(rows, sls, SlToVl.uniform(0))))
                .containsExactly(new Destination(lids[0], 3, 0, 1, true), new Destination(lids[1], 4, 0, 2, true));
        rows[2][lids[4]] = 9;
        assertThat(classes(fabric, SmallNetwork.routing(rows, sls, SlToVl.uniform(0))))
                .containsExactly(
                        new Destination(lids[0], 2, 0, 1, true),
                        new Destination(lids[1], 4, 0, 2, true),
                        new Destination(lids[4], 1, 0, 5, true));
    }

    /** What its own switch sends elsewhere is like no other, not even one that is sent elsewhere too. */
    @Test
    void whatIsNotDeliveredStandsForItself() {
        Fabric fabric = line();
        int[] lids = lids(fabric);
        byte[][] rows = rows(fabric, 8, 8, 8, 8, 8, 8, 8);
        rows[0][lids[2]] = 9;
        rows[0][lids[3]] = 9;
        assertThat(classes(fabric, SmallNetwork.routing(rows, PathSls.constant(0), SlToVl.uniform(0))))
                .containsExactly(
                        new Destination(lids[0], 5, 0, 1, true),
                        new Destination(lids[2], 1, 0, 3, false),
                        new Destination(lids[3], 1, 0, 4, false));
    }

    /** A host whose VLs are others on the way from or to a single port, the first and the last ones among them. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 9})
    void vlsOfEachPortCount(int port) {
        Fabric fabric = line();
        int[] lids = lids(fabric);
        byte[][] rows = rows(fabric, 8, 8, 8, 8, 8, 8, 8);
        for (boolean towardsTheHost : new boolean[] {true, false}) {
            SlToVl vls = new SlToVl() {
                @Override
                public long table(int switchIndex, int in, int out) {
                    return switchIndex == 0 && (towardsTheHost ? in : out) == port && (towardsTheHost ? out : in) == 5
                            ? 0x1111_1111_1111_1111L
                            : 0;
                }

                @Override
                public long endTable(int endPort) {
                    return 0;
                }
            };
            assertThat(classes(fabric, SmallNetwork.routing(rows, PathSls.constant(0), vls)))
                    .contains(new Destination(lids[4], 1, 0, 5, true))
                    .hasSize(port == 1 ? 3 : 2);
        }
    }

    /** With channels to the hosts each has its own. */
    @Test
    void hostsWithChannelsOfTheirOwn() {
        Fabric fabric = line();
        Routing routing =
                SmallNetwork.routing(rows(fabric, 8, 8, 8, 8, 8, 8, 8), PathSls.constant(0), SlToVl.uniform(0));
        assertThat(new DestinationClasses(fabric, routing, CheckOptions.DEFAULT.withHostChannels(true)).all())
                .hasSize(7)
                .allMatch(each -> each.count() == 1);
    }

    /** The definition, for each pair, on networks by chance. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void noTwoClassesAreAlike(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int shared = 0;
        int clean = 0;
        for (int round = 0; round < 20; round++) {
            SmallNetwork network = new SmallNetwork(random, 3 + random.nextInt(3), 12, 1);
            Fabric fabric = network.fabric();
            Routing routing = SmallNetwork.routing(
                    network.rows(random.nextInt(5)), network.sls(false), network.vls(1 + random.nextInt(2), false));
            List<Destination> expected = new ArrayList<>();
            for (int lid = 1; lid <= fabric.maxLid(); lid++) {
                if (fabric.portOfLid(lid) >= 0 && !fabric.isSwitch(fabric.nodeOf(fabric.portOfLid(lid)))) {
                    add(expected, fabric, routing, lid);
                }
            }
            assertThat(classes(fabric, routing)).isEqualTo(expected);
            // The verifier finds classes by itself, and has to hear of no other.
            CheckReport report = CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT);
            if (report.verdict() == CheckReport.Verdict.CLEAN) {
                clean++;
                assertThat(Verification.firstViolation(
                                fabric,
                                routing,
                                CheckOptions.DEFAULT,
                                report.certificate().orElseThrow()))
                        .isEmpty();
            }
            shared += (int) expected.stream().filter(each -> each.count() > 1).count();
        }
        assertThat(shared).isPositive();
        assertThat(clean).isPositive();
    }

    private static void add(List<Destination> classes, Fabric fabric, Routing routing, int lid) {
        int port = fabric.portOfLid(lid);
        int sw = fabric.switchOf(port);
        int output = fabric.switchPortOf(port);
        boolean delivers = routing.forwarding().port(sw, lid) == output;
        for (int i = 0; i < classes.size(); i++) {
            Destination one = classes.get(i);
            if (one.sw() == sw && delivers && one.delivers() && isAlike(fabric, routing, one, lid, output)) {
                classes.set(i, new Destination(one.lid(), one.count() + 1, sw, one.output(), true));
                return;
            }
        }
        classes.add(new Destination(lid, 1, sw, output, delivers));
    }

    private static boolean isAlike(Fabric fabric, Routing routing, Destination one, int lid, int output) {
        SlToVl vls = routing.slToVl();
        return routing.sls().classOf(one.lid()) == routing.sls().classOf(lid)
                && IntStream.range(0, fabric.switchCount())
                        .allMatch(sw -> sw == one.sw()
                                || routing.forwarding().port(sw, one.lid())
                                        == routing.forwarding().port(sw, lid))
                && IntStream.rangeClosed(0, fabric.ports(one.sw()))
                        .allMatch(port -> vls.table(one.sw(), port, one.output()) == vls.table(one.sw(), port, output)
                                && vls.table(one.sw(), one.output(), port) == vls.table(one.sw(), output, port));
    }
}
