package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.fabric.engine.Root;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.Proven;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.NoTurningBack;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.TorusConfParser;

class TransitionTest {
    private static final CheckOptions OPTIONS = CheckOptions.DEFAULT.withSwitchPorts(true);

    /** Tables of a fabric in which some links are down, and what may be written next. */
    private record Change(Fabric fabric, Routing before, Routing after) {
        Transition plan() {
            return Transition.plan(fabric, before, after, OPTIONS);
        }
    }

    private static Routing route(EngineName engine, SampleTorus torus, Fabric fabric) {
        return route(engine, torus, fabric, 1);
    }

    private static Routing route(EngineName engine, SampleTorus torus, Fabric fabric, int seeds) {
        return ((Proven) ProvenRouting.by(engine.engine(TorusConfParser.parse(torus.conf(seeds)), false, List.of()))
                        .run(fabric, List.of()))
                .tables()
                .routing();
    }

    private static List<Integer> cables(Fabric fabric) {
        List<Integer> cables = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            int peer = fabric.peer(port);
            boolean between =
                    peer > port && fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.nodeOf(peer));
            if (between) {
                cables.add(port);
            }
        }
        return cables;
    }

    private static Change failure(SampleTorus torus, int cable) {
        Fabric whole = FreshLids.assign(torus.fabric(), Fabric.NONE);
        BitSet down = new BitSet();
        down.set(cable);
        Fabric broken = whole.withLinksDown(down);
        return new Change(
                broken, route(EngineName.TORUS_2QOS, torus, whole), route(EngineName.TORUS_2QOS, torus, broken));
    }

    /** The moments of a change, one entry after the other in any order that the plan allows. */
    private static int violations(Change change, Transition plan, long seed, int everyMoment) {
        Fabric fabric = change.fabric();
        byte[][] now = rows(fabric, change.before());
        byte[][] then = rows(fabric, change.after());
        int violations = 0;
        List<int[]> writes = new ArrayList<>();
        for (int sw = 0; sw < now.length; sw++) {
            for (int lid = 1; lid <= fabric.maxLid(); lid++) {
                if (now[sw][lid] != then[sw][lid]) {
                    if (plan.drained().get(lid)) {
                        now[sw][lid] = (byte) ForwardingTables.NO_PATH;
                    }
                    writes.add(new int[] {plan.round(sw, lid), sw, lid});
                }
            }
        }
        Collections.shuffle(writes, new Random(seed));
        writes.sort((a, b) -> Integer.compare(a[0], b[0]));
        for (int i = 0; i < writes.size(); i++) {
            int[] write = writes.get(i);
            now[write[1]][write[2]] = then[write[1]][write[2]];
            if (i % everyMoment == 0 || i == writes.size() - 1) {
                violations += isSafe(change, now) ? 0 : 1;
            }
        }
        return violations;
    }

    private static boolean isSafe(Change change, byte[][] rows) {
        byte[][] copy = new byte[rows.length][];
        for (int sw = 0; sw < rows.length; sw++) {
            copy[sw] = rows[sw].clone();
        }
        Routing after = change.after();
        Routing mixed = new Routing(
                "mixed", new ForwardingTables(copy), after.sls(), after.slToVl(), after.multicast(), List.of());
        CheckReport report = CreditLoopCheck.check(change.fabric(), mixed, OPTIONS);
        return report.loops().isEmpty()
                && report.faults().stream().noneMatch(fault -> fault.kind() == CheckReport.FaultKind.FORWARDING_LOOP);
    }

    private static int switchAt(Fabric fabric, String description) {
        int sw = 0;
        while (!fabric.description(sw).equals(description)) {
            sw++;
        }
        return sw;
    }

    private static byte[][] rows(Fabric fabric, Routing routing) {
        byte[][] rows = new byte[fabric.switchCount()][fabric.maxLid() + 1];
        for (int sw = 0; sw < rows.length; sw++) {
            for (int lid = 0; lid < rows[sw].length; lid++) {
                rows[sw][lid] = (byte) routing.forwarding().port(sw, lid);
            }
        }
        return rows;
    }

    /** Without packets that turn back no failure of a cable or of a switch makes a route wait. */
    @ParameterizedTest
    @CsvSource({"8,3,1,3", "5,5,1,3", "4,4,3,13"})
    void whereNothingTurnsBackNothingIsDrainedAfterAFailure(int x, int y, int z, int every) {
        SampleTorus torus = SampleTorus.torus(x, y, z, 1);
        Fabric whole = FreshLids.assign(torus.fabric(), Fabric.NONE);
        Routing before = route(EngineName.TORUS_2QOS, torus, whole, 2);
        List<BitSet> failures = new ArrayList<>();
        for (int cable : cables(whole)) {
            BitSet down = new BitSet();
            down.set(cable);
            failures.add(down);
        }
        for (int sw = 0; sw < whole.switchCount(); sw++) {
            BitSet down = new BitSet();
            down.set(whole.portIndex(sw, 1), whole.portIndex(sw, whole.ports(sw)) + 1);
            failures.add(down);
        }
        int drainedOtherwise = 0;
        for (int i = 0; i < failures.size(); i += every) {
            Fabric broken = whole.withLinksDown(failures.get(i));
            Change change = new Change(broken, before, route(EngineName.TORUS_2QOS, torus, broken, 2));
            Change noTurning = new Change(
                    broken, NoTurningBack.in(whole, change.before()), NoTurningBack.in(whole, change.after()));
            Transition plan = noTurning.plan();
            assertThat(plan.isProved()).isTrue();
            assertThat(plan.drained().cardinality()).as("failure %d", i).isZero();
            assertThat(violations(noTurning, plan, i, 97)).isZero();
            drainedOtherwise += change.plan().drained().cardinality();
        }
        assertThat(drainedOtherwise).isPositive();
    }

    /** Another subnet manager wrote the tables: switches do not drop what turns back before they are told to. */
    @Test
    void oldTablesByWhichPacketsTurnBackCount() {
        SampleTorus torus = SampleTorus.torus(8, 3, 1, 1);
        Fabric whole = FreshLids.assign(torus.fabric(), Fabric.NONE);
        Routing before = route(EngineName.TORUS_2QOS, torus, whole);
        Transition unchanged = Transition.plan(whole, before, NoTurningBack.in(whole, before), OPTIONS);
        assertThat(unchanged.isProved()).isTrue();
        assertThat(unchanged.changed().cardinality()).isZero();
        int drained = 0;
        List<Integer> cables = cables(whole);
        for (int i = 0; i < cables.size(); i += 7) {
            Change change = failure(torus, cables.get(i));
            Transition plan =
                    Transition.plan(change.fabric(), change.before(), NoTurningBack.in(whole, change.after()), OPTIONS);
            assertThat(plan.drained()).isEqualTo(change.plan().drained());
            drained += plan.drained().cardinality();
        }
        assertThat(drained).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"4,4,1", "5,5,1", "3,3,3"})
    void anyOrderWithinRoundsIsSafeAtEachMoment(int x, int y, int z) {
        SampleTorus torus = SampleTorus.torus(x, y, z, 1);
        List<Integer> cables = cables(torus.fabric());
        int inRounds = 0;
        for (int i = 0; i < cables.size(); i += 7) {
            Change change = failure(torus, cables.get(i));
            Transition plan = change.plan();
            assertThat(plan.isProved()).isTrue();
            inRounds += plan.ordered();
            assertThat(violations(change, plan, i, 9)).isZero();
        }
        // A ring of three has no way round that meets the old one.
        assertThat(inRounds > 0).isEqualTo(x > 3);
    }

    @Test
    void withoutRoundsPacketsGoRound() {
        SampleTorus torus = SampleTorus.torus(5, 5, 1, 1);
        Change change = failure(torus, cables(torus.fabric()).getFirst());
        // What would be if everything were written in any order: the plan of a change that is none.
        Transition none = Transition.plan(change.fabric(), change.after(), change.after(), OPTIONS);
        assertThat(none.changed().isEmpty()).isTrue();
        int violations = 0;
        for (int seed = 0; seed < 20 && violations == 0; seed++) {
            violations += violations(change, none, seed, 1);
        }
        assertThat(violations).isPositive();
    }

    @Test
    void tablesThatAreSafeEachForItselfMayHaveToBeDrained() {
        // Up/down and torus-2QoS turn in different ways, and on one VL each.
        SampleTorus torus = SampleTorus.torus(4, 4, 1, 1);
        Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
        Routing upDown = route(EngineName.UP_DOWN, torus, fabric);
        Routing other = ((Proven) ProvenRouting.by(
                                EngineName.UP_DOWN.engine(null, false, List.of(new Root(fabric.guid(10), ""))))
                        .run(fabric, List.of()))
                .tables()
                .routing();
        Change change = new Change(fabric, upDown, other);
        Transition plan = change.plan();
        assertThat(plan.loops()).isPositive();
        assertThat(plan.drained().isEmpty()).isFalse();
        assertThat(plan.isProved()).isTrue();
        for (int seed = 0; seed < 3; seed++) {
            assertThat(violations(change, plan, seed, 5)).isZero();
        }
    }

    @Test
    void oneSideOfABreakIsDrained() {
        SampleTorus torus = SampleTorus.torus(8, 3, 1, 1);
        int drained = 0;
        List<Integer> cables = cables(torus.fabric());
        for (int i = 0; i < cables.size(); i += 5) {
            Change change = failure(torus, cables.get(i));
            Transition plan = change.plan();
            assertThat(plan.drained().cardinality()).isLessThanOrEqualTo(plan.loops() / 2);
            drained += plan.drained().cardinality();
            assertThat(violations(change, plan, i, 9)).isZero();
        }
        assertThat(drained).isPositive();
    }

    @Test
    void oldTablesWithALoopAreNotProved() {
        SampleTorus torus = SampleTorus.torus(4, 4, 1, 1);
        Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
        Routing good = route(EngineName.TORUS_2QOS, torus, fabric);
        byte[][] rows = rows(fabric, good);
        // A ring of four switches sends LID 1 round and round.
        for (int x = 0; x < 4; x++) {
            int sw = switchAt(fabric, "S-" + x + ".1.0");
            int next = switchAt(fabric, "S-" + (x + 1) % 4 + ".1.0");
            for (int port = 1; port <= fabric.ports(sw); port++) {
                int peer = fabric.peer(fabric.portIndex(sw, port));
                if (peer != Fabric.NONE && fabric.nodeOf(peer) == next) {
                    rows[sw][1] = (byte) port;
                }
            }
        }
        Routing round = new Routing(
                "round", new ForwardingTables(rows), good.sls(), good.slToVl(), good.multicast(), List.of());
        Transition plan = new Change(fabric, round, good).plan();
        assertThat(plan.drained().get(1)).isTrue();
        assertThat(plan.isProved()).isFalse();
    }

    private static Routing with(Routing routing, SlToVl slToVl, PathSls sls, MulticastTables multicast) {
        return new Routing("other", routing.forwarding(), sls, slToVl, multicast, List.of());
    }

    /** A table whose VLs are other ones, by SL and VL. */
    private static SlToVl vls(SlToVl of, IntBinaryOperator vl) {
        return new SlToVl() {
            @Override
            public long table(int switchIndex, int in, int out) {
                return changed(of.table(switchIndex, in, out));
            }

            @Override
            public long endTable(int endPort) {
                return changed(of.endTable(endPort));
            }

            private long changed(long table) {
                int[] vls = new int[16];
                for (int sl = 0; sl < vls.length; sl++) {
                    vls[sl] = vl.applyAsInt(sl, SlToVl.vl(table, sl));
                }
                return SlToVl.pack(vls);
            }
        };
    }

    @Test
    void vlsThatMayNotMeetEmptyEverything() {
        SampleTorus torus = SampleTorus.torus(5, 5, 1, 1);
        Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
        Routing good = route(EngineName.TORUS_2QOS, torus, fabric);
        SlToVl swapped = vls(good.slToVl(), (_, vl) -> vl == SlToVl.DROP ? vl : vl ^ 1);
        Routing other = with(good, swapped, good.sls(), good.multicast());
        assertThat(CreditLoopCheck.check(fabric, other, OPTIONS).loops()).isEmpty();
        Transition plan = new Change(fabric, other, good).plan();
        assertThat(plan.changed().isEmpty()).as("entries stay").isTrue();
        assertThat(plan.isEverythingDrained()).isTrue();
        assertThat(plan.drained().cardinality()).isEqualTo(fabric.maxLid());
        assertThat(plan.oldLoops()).isFalse();
        assertThat(plan.isProved()).isTrue();
    }

    /** What turns back is dropped before and after, so that only the VLs of other packets differ. */
    @Test
    void vlsThatMayNotMeetEmptyEverythingWhereNothingTurnsBackEither() {
        SampleTorus torus = SampleTorus.torus(5, 5, 1, 1);
        Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
        Routing good = route(EngineName.TORUS_2QOS, torus, fabric);
        SlToVl swapped = vls(good.slToVl(), (_, vl) -> vl == SlToVl.DROP ? vl : vl ^ 1);
        Routing other = with(good, swapped, good.sls(), good.multicast());
        Transition plan = new Change(fabric, NoTurningBack.in(fabric, other), NoTurningBack.in(fabric, good)).plan();
        assertThat(plan.changed().isEmpty()).as("entries stay").isTrue();
        assertThat(plan.isEverythingDrained()).isTrue();
        assertThat(plan.isProved()).isTrue();
    }

    /** Switches may have an entry for LID 0, which nobody has. */
    @Test
    void entriesOfLidZeroHideNoOthers() {
        SampleTorus torus = SampleTorus.torus(4, 4, 1, 1);
        Change change = failure(torus, cables(torus.fabric()).getFirst());
        byte[][] rows = rows(change.fabric(), change.before());
        for (byte[] row : rows) {
            row[0] = 1;
        }
        Routing good = change.before();
        Routing before = new Routing(
                "before", new ForwardingTables(rows), good.sls(), good.slToVl(), good.multicast(), List.of());
        Transition plan = Transition.plan(change.fabric(), before, change.after(), OPTIONS);
        assertThat(plan.changed()).isEqualTo(change.plan().changed());
        assertThat(plan.changed().isEmpty()).isFalse();
    }

    /** SL 1 from one class, SL 0 from all others; LIDs are in the classes one after the other. */
    private record OneClassOfItsOwn(int classes, int shift) implements PathSls {
        @Override
        public int levels() {
            return 1;
        }

        @Override
        public int classOf(int lid) {
            return lid > 0 ? (lid + shift) % classes : -1;
        }

        @Override
        public int classSl(int sourceClass, int destinationClass, int level) {
            return sourceClass == 0 ? 1 : 0;
        }

        @Override
        public boolean isKnownToAgree(PathSls other) {
            return other instanceof OneClassOfItsOwn;
        }
    }

    @Test
    void lidsThatMoveToOtherClassesChangeTheirSls() {
        SampleTorus torus = SampleTorus.torus(4, 4, 1, 1);
        Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
        Routing good = route(EngineName.UP_DOWN, torus, fabric);
        Routing before = with(good, good.slToVl(), new OneClassOfItsOwn(40, 0), good.multicast());
        Routing after = with(good, good.slToVl(), new OneClassOfItsOwn(40, 10), good.multicast());
        assertThat(new Change(fabric, before, after).plan().slsChange()).isTrue();
        assertThat(new Change(fabric, before, before).plan().slsChange()).isFalse();
    }

    /** A group on any tree of cables, by a seed. */
    private static MulticastTables tree(Fabric fabric, int sl, long seed) {
        PortMask[] masks = new PortMask[fabric.switchCount()];
        Arrays.fill(masks, PortMask.EMPTY);
        int[] part = new int[masks.length];
        Arrays.setAll(part, i -> i);
        List<Integer> cables = cables(fabric);
        Collections.shuffle(cables, new Random(seed));
        for (int port : cables) {
            int peer = fabric.peer(port);
            int a = fabric.nodeOf(port);
            int b = fabric.nodeOf(peer);
            int merged = part[b];
            int into = part[a];
            if (merged != into) {
                Arrays.setAll(part, i -> part[i] == merged ? into : part[i]);
                masks[a] = masks[a].with(fabric.portNumber(port));
                masks[b] = masks[b].with(fabric.portNumber(peer));
            }
        }
        return new MulticastTables(new TreeMap<>(Map.of(0xC000, new MulticastTables.Tree(sl, masks))));
    }

    @Test
    void oldGroupsOnNewVlsCount() {
        SampleTorus torus = SampleTorus.torus(4, 4, 1, 1);
        Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
        Routing good = route(EngineName.UP_DOWN, torus, fabric);
        MulticastTables group = tree(fabric, 3, 1);
        // The group has a VL of its own, which goes before the group does.
        SlToVl together =
                vls(good.slToVl(), (sl, vl) -> sl == 3 ? SlToVl.vl(good.slToVl().table(0, 0, 1), 0) : vl);
        Routing before = with(good, good.slToVl(), good.sls(), group);
        Routing after = with(good, together, good.sls(), MulticastTables.NONE);
        assertThat(CreditLoopCheck.check(fabric, before, OPTIONS).loops()).isEmpty();
        assertThat(CreditLoopCheck.check(fabric, after, OPTIONS).loops()).isEmpty();
        assertThat(CreditLoopCheck.check(fabric, with(good, together, good.sls(), group), OPTIONS)
                        .loops())
                .isNotEmpty();
        Transition plan = new Change(fabric, before, after).plan();
        assertThat(plan.isEverythingDrained()).isTrue();
        assertThat(plan.isProved()).isTrue();
        // With the group where it closes a loop with the paths nothing is safe from the beginning on.
        Transition back = new Change(fabric, with(good, together, good.sls(), group), before).plan();
        assertThat(back.isEverythingDrained()).isTrue();
        assertThat(back.oldLoops()).isTrue();
        assertThat(back.isProved()).isFalse();
    }

    @Test
    void newGroupsOnOldVlsCount() {
        SampleTorus torus = SampleTorus.torus(4, 4, 1, 1);
        Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
        Routing good = route(EngineName.UP_DOWN, torus, fabric);
        // The group comes before the VL that it shall have.
        SlToVl together =
                vls(good.slToVl(), (sl, vl) -> sl == 3 ? SlToVl.vl(good.slToVl().table(0, 0, 1), 0) : vl);
        Routing before = with(good, together, good.sls(), MulticastTables.NONE);
        Routing after = with(good, good.slToVl(), good.sls(), tree(fabric, 3, 1));
        Transition plan = new Change(fabric, before, after).plan();
        assertThat(plan.isEverythingDrained()).isTrue();
        assertThat(plan.oldLoops()).isFalse();
        assertThat(plan.isProved()).isTrue();
    }

    @Test
    void pathsWithAnotherSlGoOnWithIt() {
        SampleTorus torus = SampleTorus.torus(5, 5, 1, 1);
        Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
        Routing good = route(EngineName.TORUS_2QOS, torus, fabric);
        Routing plain = with(good, good.slToVl(), PathSls.constant(0), good.multicast());
        Transition plan = new Change(fabric, plain, good).plan();
        assertThat(plan.slsChange()).isTrue();
        assertThat(plan.newLoops()).isTrue();
        assertThat(plan.isProved()).isFalse();
    }

    @Test
    void packetsToPortsThatAreGoneCount() {
        SampleTorus torus = SampleTorus.torus(4, 4, 1, 1);
        Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
        Routing good = route(EngineName.UP_DOWN, torus, fabric);
        int gone = fabric.maxLid() + 1;
        byte[][] rows = rows(fabric, good);
        int[] xs = {0, 1, 1, 0};
        int[] ys = {0, 0, 1, 1};
        for (int sw = 0; sw < rows.length; sw++) {
            rows[sw] = Arrays.copyOf(rows[sw], gone + 1);
            rows[sw][gone] = (byte) ForwardingTables.NO_PATH;
        }
        // Three switches of a square lead to the fourth, which has no entry.
        for (int i = 0; i < 3; i++) {
            int sw = switchAt(fabric, "S-" + xs[i] + "." + ys[i] + ".0");
            int next = switchAt(fabric, "S-" + xs[i + 1] + "." + ys[i + 1] + ".0");
            for (int port = 1; port <= fabric.ports(sw); port++) {
                int peer = fabric.peer(fabric.portIndex(sw, port));
                if (peer != Fabric.NONE && fabric.nodeOf(peer) == next) {
                    rows[sw][gone] = (byte) port;
                }
            }
        }
        Routing before = new Routing(
                "before", new ForwardingTables(rows), good.sls(), good.slToVl(), good.multicast(), List.of());
        Transition plan = new Change(fabric, before, good).plan();
        assertThat(plan.changed().get(gone)).isTrue();
        assertThat(plan.changed().cardinality()).isEqualTo(1);
        // They turn as up/down never does.
        assertThat(plan.oldLoops()).isTrue();
    }
}
