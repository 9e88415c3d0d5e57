package org.railyard.fabric.torus;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.format.Guid2Lid;
import org.railyard.fabric.format.LftsDump;
import org.railyard.fabric.format.Sl2VlDump;
import org.railyard.fabric.format.SubnetList;
import org.railyard.fabric.format.TorusDump;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.RoutingResult;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.Requirement;

/**
 * Random small tori, whole and damaged, given to OpenSM on ibsim and to our engine: same LIDs, places, tables, VLs, SLs
 * and verdicts. More of them with {@code -Drailyard.long=true}.
 */
@NeedsCommand({"opensm", "ibsim", "ibsim-run", "saquery"})
class LiveOpenSmTest {
    private static final int FABRICS = 12;
    private static final int MANY_FABRICS = 400;
    private static final int SLS = 3;
    private static final int LASH_PAIRS = 40;
    private static final long SEED = 2009;

    @TempDir
    private Path directory = Path.of("");

    @Test
    @Requirement({"t2q-001", "t2q-017", "t2q-025", "t2q-035", "t2q-036", "t2q-046", "t2q-102", "t2q-104"})
    void randomFabricsAreRoutedOrRefusedAsByOpenSm() throws Exception {
        int fabrics = Boolean.getBoolean("railyard.long") ? MANY_FABRICS : FABRICS;
        int routed = 0;
        for (int i = 0; i < fabrics; i++) {
            routed += isRoutedAlike(SEED + i) ? 1 : 0;
        }
        // Both verdicts must have been seen, or the comparison shows half of what it should.
        assertThat(routed).isBetween(fabrics / 3, fabrics - 1);
    }

    /**
     * The comparison that torus-2QoS was made for: a switch fails, LASH gives other SLs to paths between switches that
     * are still there, torus-2QoS does not; and it has an SL bit left for a second level. Run times are compared by the
     * bench.
     */
    @Test
    @Requirement("t2q-045")
    void lashChangesSlsWhereTorusTwoQosDoesNot() throws Exception {
        TorusShape shape = TorusShape.torus(5, 6, 1);
        int hole = shape.position(3, 2, 0);
        int[] lash = {0};
        int[] ours = {0};
        TestTorus whole = new TestTorus(shape);
        TestTorus damaged = new TestTorus(shape).without(hole);
        try (LiveOpenSm before = lash(whole, "before");
                LiveOpenSm after = lash(damaged, "after")) {
            Fabric then = SubnetList.parse(before.text("opensm-subnet.lst")).fabric();
            Fabric now = SubnetList.parse(after.text("opensm-subnet.lst")).fabric();
            Routing torusThen = routed(whole, then);
            Routing torusNow = routed(damaged, now);
            assertThat(torusNow.sls().levels()).isEqualTo(2);
            SplittableRandom random = new SplittableRandom(45);
            for (int i = 0; i < LASH_PAIRS; i++) {
                int from = random.nextInt(shape.positions());
                int to = random.nextInt(shape.positions());
                if (from == to || from == hole || to == hole) {
                    continue;
                }
                lash[0] += before.sl(hostLid(then, from), hostLid(then, to))
                                == after.sl(hostLid(now, from), hostLid(now, to))
                        ? 0
                        : 1;
                ours[0] += torusThen.sls().sl(hostLid(then, from), hostLid(then, to), 0)
                                == torusNow.sls().sl(hostLid(now, from), hostLid(now, to), 0)
                        ? 0
                        : 1;
            }
        }
        assertThat(lash[0]).isPositive();
        assertThat(ours[0]).isZero();
    }

    /** The manager's own port comes first; what the alignment of several LIDs leaves over stays free. */
    @Test
    void freshLidsAreThoseOfOpenSmWithAnyLmcAndManager() throws Exception {
        TestTorus torus = new TestTorus(TorusShape.torus(3, 3, 1)).hosts(2).permuted(new SplittableRandom(SEED));
        Fabric cabled = torus.fabric();
        for (int lmc = 0; lmc <= 2; lmc++) {
            int manager = cabled.switchCount() + 5 * lmc + 1;
            String name = "lids-" + lmc;
            String socket = "railyard-" + ProcessHandle.current().pid() + "-" + name;
            Path own = Files.createDirectory(directory.resolve(name));
            try (LiveOpenSm opensm = new LiveOpenSm(own, socket, cabled, torus.conf(), manager, lmc)) {
                assertThat(opensm.routed()).isTrue();
                assertThat(Guid2Lid.parse(opensm.text("guid2lid")).ranges())
                        .as(name)
                        .containsExactlyInAnyOrderEntriesOf(
                                Guid2Lid.of(FreshLids.assign(cabled, cabled.portIndex(manager, 1), lmc))
                                        .ranges());
            }
        }
    }

    private LiveOpenSm lash(TestTorus torus, String name) throws Exception {
        String socket = "railyard-" + ProcessHandle.current().pid() + "-" + name;
        return new LiveOpenSm(
                Files.createDirectory(directory.resolve(name)), socket, torus.fabric(), torus.conf(), "lash");
    }

    private static Routing routed(TestTorus torus, Fabric fabric) {
        return (Routing) new TorusEngine(torus.conf(), TorusOptions.DEFAULT).route(fabric, EngineOptions.DEFAULT);
    }

    private static int hostLid(Fabric fabric, int position) {
        int node = fabric.nodeOfGuid(TestTorus.HOST_GUID + 0x1000000L + position * 16L);
        return fabric.lid(fabric.portIndex(node, 1));
    }

    private boolean isRoutedAlike(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        TestTorus torus = torus(random);
        TorusConf conf = torus.conf();
        Fabric cabled = torus.fabric();
        String what = "seed " + seed + ": " + conf.shape();
        Path own = Files.createDirectory(directory.resolve("seed-" + seed));
        String socket = "railyard-" + ProcessHandle.current().pid() + "-" + seed;
        try (LiveOpenSm opensm = new LiveOpenSm(own, socket, cabled, conf)) {
            if (!opensm.routed()) {
                RoutingResult ours = new TorusEngine(conf, TorusOptions.LIKE_OPENSM)
                        .route(FreshLids.assign(cabled, Fabric.NONE), EngineOptions.DEFAULT);
                assertThat(ours).as(what).isNotInstanceOf(Routing.class);
                return false;
            }
            compare(opensm, random, conf, cabled, what);
            return true;
        }
    }

    private static void compare(LiveOpenSm opensm, SplittableRandom random, TorusConf conf, Fabric cabled, String what)
            throws Exception {
        Fabric fabric = SubnetList.parse(opensm.text("opensm-subnet.lst")).fabric();
        sameLids(fabric, cabled, what);
        TorusEngine.Outcome outcome =
                new TorusEngine(conf, TorusOptions.LIKE_OPENSM).plan(fabric, EngineOptions.DEFAULT);
        assertThat(outcome).as(what).isInstanceOf(TorusEngine.Accepted.class);
        TorusPlan plan = ((TorusEngine.Accepted) outcome).plan();
        Routing ours = plan.routing(List.of());
        for (TorusDump.Place place :
                TorusDump.parse(opensm.text("opensm-torus.dump")).places()) {
            int position = plan.placement().grid().shape().position(place.x(), place.y(), place.z());
            assertThat(plan.placement().switchAt(position)).as(what).isEqualTo(fabric.nodeOfGuid(place.guid()));
        }
        OpenSmTest.compareTables(
                plan, ours.forwarding(), LftsDump.parse(opensm.text("opensm-lfts.dump"), fabric), what);
        sameSlToVl(fabric, ours.slToVl(), Sl2VlDump.parse(opensm.text("opensm-sl2vl.dump"), fabric), what);
        List<Integer> ends = OpenSmTest.endLids(fabric);
        for (int i = 0; i < SLS; i++) {
            int from = ends.get(random.nextInt(ends.size()));
            int to = ends.get(random.nextInt(ends.size()));
            if (from != to) {
                assertThat(opensm.sl(from, to))
                        .as("%s, LID %d to %d", what, from, to)
                        .isEqualTo(
                                isLed(fabric, ours.forwarding(), from, to)
                                        ? OptionalInt.of(ours.sls().sl(from, to, 0))
                                        : OptionalInt.empty());
            }
        }
        RoutingResult proved = new TorusEngine(conf, TorusOptions.DEFAULT).route(fabric, EngineOptions.DEFAULT);
        CheckReport theirs = CreditLoopCheck.check(fabric, ours, CheckOptions.DEFAULT);
        assertThat(proved instanceof Routing)
                .as("%s: what OpenSM routes we route, unless it has a loop", what)
                .isEqualTo(theirs.verdict() == CheckReport.Verdict.CLEAN);
    }

    /** Tells whether tables lead from a LID to another: hosts of a switch that is not part of the torus are cut off. */
    private static boolean isLed(Fabric fabric, ForwardingTables tables, int from, int to) {
        int node = fabric.nodeOf(fabric.portOfLid(from));
        int at = fabric.isSwitch(node) ? node : fabric.nodeOf(fabric.peer(fabric.portOfLid(from)));
        return tables.port(at, to) != ForwardingTables.NO_PATH;
    }

    private static void sameLids(Fabric fabric, Fabric cabled, String what) {
        Fabric fresh = FreshLids.assign(cabled, Fabric.NONE);
        for (int node = 0; node < fabric.nodeCount(); node++) {
            int same = fresh.nodeOfGuid(fabric.guid(node));
            for (int number = 0; number <= fabric.ports(node); number++) {
                assertThat(fresh.lid(fresh.portIndex(same, number)))
                        .as(what)
                        .isEqualTo(fabric.lid(fabric.portIndex(node, number)));
            }
        }
    }

    private static void sameSlToVl(Fabric fabric, SlToVl ours, SlToVl theirs, String what) {
        for (int at = 0; at < fabric.switchCount(); at++) {
            for (int out = 1; out <= fabric.ports(at); out++) {
                boolean cabled = fabric.peer(fabric.portIndex(at, out)) != Fabric.NONE;
                for (int in = 0; cabled && in <= fabric.ports(at); in++) {
                    assertThat(ours.table(at, in, out)).as(what).isEqualTo(theirs.table(at, in, out));
                }
            }
        }
    }

    /** Two or three dimensions, some of them open, some hosts and cables, and something missing in most. */
    private static TestTorus torus(SplittableRandom random) {
        int[] radix = new int[TorusShape.DIMENSIONS];
        boolean[] open = new boolean[TorusShape.DIMENSIONS];
        int absent = random.nextInt(5);
        for (int d = 0; d < radix.length; d++) {
            radix[d] = d == absent ? 1 : random.nextInt(3, 6);
            open[d] = random.nextInt(6) == 0;
        }
        TorusShape shape = TorusShape.of(radix, open);
        int cables = random.nextInt(1, 4);
        TestTorus torus =
                new TestTorus(shape).cables(cables).hosts(random.nextInt(1, 4)).permuted(random);
        List<int[]> groups = FailureSurveyTest.groups(shape);
        for (int broken = random.nextInt(4); broken > 0; broken--) {
            int[] group = groups.get(random.nextInt(groups.size()));
            torus.withoutCables(group[0], group[1], random.nextBoolean() ? cables : random.nextInt(cables));
        }
        for (int missing = random.nextInt(5) - 2; missing > 0; missing--) {
            torus.without(shape.positions() / 2 + random.nextInt(shape.positions() / 2));
        }
        return torus;
    }
}
