package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.TransitionWalk.Mode;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/** Old and new tables together beside packets that are followed by themselves, on networks of a few switches. */
final class MixedEntriesTest {
    private static final int ROUNDS = 12;

    private record Packet(int sw, int input, int held, int layer, int sl) {}

    // The change at hand.
    private Fabric fabric = new SmallNetwork(new SplittableRandom(0), 3, 2).fabric();
    private Routing before = SmallNetwork.routing(new byte[3][0], PathSls.constant(0), SlToVl.uniform(0));
    private Routing after = before;
    private CheckOptions options = CheckOptions.DEFAULT;
    private boolean vlsChange;
    private boolean slsChange;

    private final Set<Long> edges = new TreeSet<>();
    private final Set<Packet> been = new HashSet<>();
    private int found;
    private int plans;

    private void change(SplittableRandom random) {
        SmallNetwork network = new SmallNetwork(random, 3 + random.nextInt(4), 2 + random.nextInt(5));
        fabric = network.fabric();
        options = CheckOptions.DEFAULT.withSwitchPorts(random.nextBoolean());
        PathSls oldSls = network.sls(random.nextInt(4) == 0);
        SlToVl oldVls = network.vls(1 + random.nextInt(4), random.nextInt(4) == 0);
        slsChange = random.nextInt(3) == 0;
        vlsChange = random.nextInt(3) == 0;
        before = SmallNetwork.routing(withGone(network.rows(random.nextInt(4)), random), oldSls, oldVls);
        after = SmallNetwork.routing(
                network.rows(random.nextInt(4)),
                slsChange ? network.sls(false) : random.nextBoolean() ? oldSls : same(oldSls),
                vlsChange ? network.vls(1 + random.nextInt(4), false) : oldVls);
    }

    /** Returns SLs that are the same, and another object. */
    private static PathSls same(PathSls sls) {
        return RuledSls.classesOf(sls, sls::classSl);
    }

    /** Returns SLs that are others from one class to another, on one level. */
    private static PathSls otherwise(PathSls sls, int source, int destination, int onLevel) {
        return RuledSls.classesOf(sls, (from, to, level) -> {
            int sl = sls.classSl(from, to, level);
            boolean isOther = from == source && to == destination && level == onLevel;
            return isOther && sl != PathSls.NO_SL ? (sl + 1) % 16 : sl;
        });
    }

    private boolean slsDiffer(boolean toItself) {
        for (int from = 1; from <= fabric.maxLid(); from++) {
            for (int to = 1; to <= fabric.maxLid(); to++) {
                for (int hint = 0; hint < 16; hint += 8) {
                    int was = before.sls().sl(from, to, hint);
                    boolean areThere = fabric.portOfLid(from) != Fabric.NONE && fabric.portOfLid(to) != Fabric.NONE;
                    boolean counts = areThere && (toItself || fabric.portOfLid(from) != fabric.portOfLid(to));
                    if (counts && was != PathSls.NO_SL && was != after.sls().sl(from, to, hint)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Whether an SL changes follows from the SLs of all pairs, whatever their classes are. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void slsThatChangeAreTold(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int told = 0;
        for (int round = 0; round < 8 * ROUNDS; round++) {
            SmallNetwork network = new SmallNetwork(random, 3 + random.nextInt(3), 2 + random.nextInt(4));
            fabric = network.fabric();
            PathSls sls = network.sls(random.nextInt(3) == 0);
            byte[][] rows = network.treeRows();
            int source = sls.classOf(1 + random.nextInt(fabric.maxLid()));
            int destination = sls.classOf(1 + random.nextInt(fabric.maxLid()));
            PathSls others = random.nextInt(3) == 0
                    ? network.sls(random.nextInt(3) == 0)
                    : otherwise(sls, source, destination, random.nextInt(2));
            before = SmallNetwork.routing(rows, sls, SlToVl.uniform(0));
            after = SmallNetwork.routing(rows, others, SlToVl.uniform(0));
            boolean slsChange = Transition.plan(fabric, before, after, options).slsChange();
            told += slsChange ? 1 : 0;
            assertThat(slsChange || !slsDiffer(false)).isTrue();
            assertThat(slsChange && !slsDiffer(true)).isFalse();
        }
        assertThat(told).isBetween(1, 8 * ROUNDS - 1);
    }

    /** Returns the same tables with entries for a LID that nobody has any more. */
    private static byte[][] withGone(byte[][] rows, SplittableRandom random) {
        for (int sw = 0; sw < rows.length; sw++) {
            rows[sw] = Arrays.copyOf(rows[sw], rows[sw].length + 1);
            rows[sw][rows[sw].length - 1] = (byte) (random.nextInt(3) == 0 ? 0xFF : random.nextInt(9));
        }
        return rows;
    }

    private int entry(int layer, int sw, int lid) {
        return (layer == 0 ? before : after).forwarding().port(sw, lid);
    }

    /** Returns the switch that an entry leads to; negative if it delivers, or leads nowhere. */
    private int next(int layer, int sw, int lid) {
        int out = entry(layer, sw, lid);
        int end = fabric.portOfLid(lid);
        boolean delivers = end != Fabric.NONE && fabric.switchOf(end) == sw && fabric.switchPortOf(end) == out;
        if (delivers || out == 0 || out > fabric.ports(sw)) {
            return -1;
        }
        int peer = fabric.peer(fabric.portIndex(sw, out));
        return peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer)) ? fabric.nodeOf(peer) : -1;
    }

    /** Tells whether a packet that met one layer before, negative for none, may meet another at the next switch. */
    private static boolean meets(Mode mode, int last, int layer) {
        return switch (mode) {
            case ANY_ORDER -> true;
            case NEAREST_FIRST -> last != 1 || layer == 1;
            case OLD_ONLY -> layer == 0;
            case NEW_ONLY -> layer == 1;
        };
    }

    /** Follows all packets to a LID; a packet that goes round is followed once. */
    private void follow(int lid, Mode mode) {
        edges.clear();
        been.clear();
        int end = fabric.portOfLid(lid);
        for (int port = 0; port < fabric.portCount(); port++) {
            if (port == end || !SourceGroups.isSource(fabric, port, options)) {
                continue;
            }
            boolean bySlsOfBefore = before.sls() != after.sls() && (slsChange || end == Fabric.NONE);
            for (PathSls sls : bySlsOfBefore ? Set.of(after.sls(), before.sls()) : Set.of(after.sls())) {
                for (int hint = 0; hint < 16; hint += 8) {
                    int sl = sls.sl(fabric.lid(port), lid, hint);
                    if (sl != PathSls.NO_SL) {
                        go(lid, mode, new Packet(fabric.switchOf(port), fabric.switchPortOf(port), -1, -1, sl));
                    }
                }
            }
        }
    }

    private void go(int lid, Mode mode, Packet at) {
        if (!been.add(at)) {
            return;
        }
        for (int layer = 0; layer < 2; layer++) {
            int to = next(layer, at.sw(), lid);
            if (to < 0 || !meets(mode, at.layer(), layer)) {
                continue;
            }
            int out = entry(layer, at.sw(), lid);
            int index = fabric.portIndex(at.sw(), out);
            for (SlToVl vls : vlsChange ? Set.of(after.slToVl(), before.slToVl()) : Set.of(after.slToVl())) {
                int vl = SlToVl.vl(vls.table(at.sw(), at.input(), out), at.sl());
                if (vl == SlToVl.DROP) {
                    continue;
                }
                int wanted = Channel.number(index, vl);
                if (at.held() >= 0) {
                    edges.add((long) at.held() << 32 | wanted);
                }
                go(lid, mode, new Packet(to, fabric.portNumber(fabric.peer(index)), wanted, layer, at.sl()));
            }
        }
    }

    /** Tells whether entries lead round, be there packets or not. */
    private boolean leadsRound(int lid, Mode mode) {
        int switches = fabric.switchCount();
        // As many steps as there are entries, and the walk is on a circle.
        BitSet alive = new BitSet();
        alive.set(0, 2 * switches);
        for (int step = 0; step <= 2 * switches; step++) {
            BitSet reached = new BitSet();
            for (int at : alive.stream().toArray()) {
                int layer = at / switches;
                int to = next(layer, at % switches, lid);
                for (int other = 0; other < 2 && to >= 0; other++) {
                    if (meets(mode, -1, layer) && meets(mode, layer, other)) {
                        reached.set(other * switches + to);
                    }
                }
            }
            alive = reached;
        }
        return !alive.isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void eachWaitOfEachPacketIsFound(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        found = 0;
        for (int round = 0; round < ROUNDS; round++) {
            change(random);
            TransitionEntries entries = new TransitionEntries(fabric, before, after);
            TransitionWalk walk =
                    new TransitionWalk(fabric, before, after, entries, vlsChange, slsChange, options, List.of());
            int[] lids = IntStream.rangeClosed(1, fabric.maxLid() + 1).toArray();
            entries.forEach(lids, lid -> {
                entriesAreThose(entries, lid);
                for (Mode mode : Mode.values()) {
                    entries.activate(true);
                    assertThat(walk.isOrderable(mode)).isEqualTo(!leadsRound(lid, mode));
                    if (walk.isOrderable(mode)) {
                        Set<Long> walked = new TreeSet<>();
                        walk.walk(lid, mode, (from, to, source, destination, sl) -> {
                            assertThat(destination).isEqualTo(lid);
                            assertThat(fabric.portOfLid(source)).isNotEqualTo(fabric.portOfLid(lid));
                            walked.add((long) from << 32 | to);
                        });
                        follow(lid, mode);
                        assertThat(walked).isEqualTo(edges);
                        found += walked.size();
                    }
                }
            });
        }
        assertThat(found).isPositive();
    }

    /** Each plan is what its words say, and lets no channels wait for each other in a ring. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void plansAreSafe(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < ROUNDS; round++) {
            plannedChange(random, round % 4);
            Transition plan = Transition.plan(fabric, before, after, options);
            assertThat(plan.slsChange()).isFalse();
            assertThat(plan.newLoops()).isFalse();
            assertThat(plan.isProved()).isEqualTo(!plan.oldLoops());
            planIsWhatItSays(plan);
            planIsSafe(plan);
            Dependencies known = CreditLoopCheck.check(fabric, after, options).graph();
            Transition again = Transition.plan(fabric, before, after, known, List.of());
            assertThat(again.drained()).isEqualTo(plan.drained());
            assertThat(again.loops()).isEqualTo(plan.loops());
            plans += plan.isProved() && !plan.isEverythingDrained() ? 1 : 0;
        }
        assertThat(plans).isPositive();
    }

    /** From tables that may be wrong, or from a tree, to another tree; on VLs that stay or become other ones. */
    private void plannedChange(SplittableRandom random, int kind) {
        SmallNetwork network = new SmallNetwork(random, 3 + random.nextInt(4), 3 + random.nextInt(4));
        fabric = network.fabric();
        options = CheckOptions.DEFAULT.withSwitchPorts(random.nextBoolean());
        PathSls sls = network.sls(false);
        byte[][] old = kind == 0 ? network.rows(random.nextInt(3)) : network.treeRows();
        SlToVl vls = network.vls(1 + random.nextInt(2), false);
        before = SmallNetwork.routing(random.nextInt(3) == 0 ? withGone(old, random) : old, sls, vls);
        after = SmallNetwork.routing(network.treeRows(), sls, kind == 1 ? network.vls(2, false) : vls);
        before = withGroups(before, network, random);
        after = withGroups(after, network, random);
        slsChange = false;
        vlsChange = vlsDiffer();
    }

    /** Returns the same tables, mostly with a group on one of many trees. */
    private static Routing withGroups(Routing routing, SmallNetwork network, SplittableRandom random) {
        TreeMap<Integer, MulticastTables.Tree> trees = new TreeMap<>();
        if (random.nextInt(3) > 0) {
            int sl = random.nextInt(2);
            trees.put(0xC000, new MulticastTables.Tree(sl, EachCopy.masks(network, random, 0)));
        }
        return new Routing(
                routing.engine(),
                routing.forwarding(),
                routing.sls(),
                routing.slToVl(),
                new MulticastTables(trees),
                List.of());
    }

    private boolean vlsDiffer() {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int in = 0; in <= fabric.ports(sw); in++) {
                for (int out = 1; out <= fabric.ports(sw); out++) {
                    boolean used = fabric.peer(fabric.portIndex(sw, out)) != Fabric.NONE
                            && (in == 0 || fabric.peer(fabric.portIndex(sw, in)) != Fabric.NONE);
                    if (used
                            && before.slToVl().table(sw, in, out)
                                    != after.slToVl().table(sw, in, out)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private boolean isSentTo(int lid) {
        int port = fabric.portOfLid(lid);
        return port == Fabric.NONE || SourceGroups.isSource(fabric, port, options);
    }

    private Mode mode(int lid) {
        return leadsRound(lid, Mode.ANY_ORDER) ? Mode.NEAREST_FIRST : Mode.ANY_ORDER;
    }

    private int lastLid() {
        return Math.max(fabric.maxLid(), before.forwarding().lastLid());
    }

    private BitSet changed() {
        BitSet changed = new BitSet();
        for (int lid = 1; lid <= lastLid(); lid++) {
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                changed.set(lid, changed.get(lid) || effect(0, sw, lid) != effect(1, sw, lid));
            }
        }
        return changed;
    }

    private void planIsWhatItSays(Transition plan) {
        BitSet changed = changed();
        int ordered = 0;
        int lastRound = 0;
        for (int lid = 1; lid <= lastLid(); lid++) {
            boolean inRounds = changed.get(lid)
                    && mode(lid) == Mode.NEAREST_FIRST
                    && !plan.drained().get(lid);
            ordered += inRounds ? 1 : 0;
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                int round = inRounds && effect(0, sw, lid) != effect(1, sw, lid) ? changesBehind(sw, lid) : 0;
                assertThat(plan.round(sw, lid)).isEqualTo(round);
                lastRound = Math.max(lastRound, round);
            }
        }
        assertThat(plan.changed()).isEqualTo(changed);
        assertThat(plan.ordered()).isEqualTo(ordered);
        assertThat(plan.lastRound()).isEqualTo(lastRound);
    }

    /** Nothing is drained without need: nothing, one side of a ring, all LIDs in rings, all that change, everything. */
    private void planIsSafe(Transition plan) {
        BitSet changed = changed();
        BitSet round = new BitSet();
        changed.stream().filter(lid -> leadsRound(lid, Mode.OLD_ONLY)).forEach(round::set);
        if (!round.isEmpty()) {
            // What goes round by old entries does so until these are emptied.
            assertThat(plan.oldLoops()).isTrue();
            round.andNot(plan.drained());
            assertThat(round.isEmpty()).isTrue();
            assertThat(plan.isEverythingDrained()
                            || inCycles(together(plan.drained(), Mode.NEW_ONLY)).isEmpty())
                    .isTrue();
            return;
        }
        if (isFree(new BitSet())) {
            assertThat(plan.drained().isEmpty()).isTrue();
            assertThat(plan.loops()).isZero();
            return;
        }
        BitSet taking = taking();
        // Those whose part in the ring is one that they have in the new tables, too, are not counted.
        boolean groups = !before.multicast().mlids().isEmpty()
                || !after.multicast().mlids().isEmpty();
        assertThat(plan.loops()).isBetween(groups ? 0 : 1, taking.cardinality());
        taking.and(changed);
        if (isFree(taking)) {
            BitSet more = plan.drained();
            more.andNot(taking);
            assertThat(more.isEmpty()).isTrue();
            assertThat(isFree(plan.drained())).isTrue();
            assertThat(plan.drained().isEmpty()).isFalse();
        } else if (isFree(changed)) {
            assertThat(plan.drained()).isEqualTo(changed);
        } else {
            assertThat(plan.isEverythingDrained()).isTrue();
        }
        if (plan.isEverythingDrained()) {
            for (int lid = 1; lid <= lastLid(); lid++) {
                int known = lid;
                boolean isThere = fabric.portOfLid(lid) != Fabric.NONE
                        || IntStream.range(0, fabric.switchCount()).anyMatch(sw -> entry(0, sw, known) != 0xFF);
                assertThat(plan.drained().get(lid)).isEqualTo(isThere);
            }
            assertThat(isFree(changed)).isFalse();
        }
        assertThat(plan.oldLoops()).isEqualTo(plan.isEverythingDrained() && oldLoopsAlone());
    }

    private boolean isFree(BitSet drained) {
        return inCycles(together(drained, Mode.OLD_ONLY)).isEmpty()
                && inCycles(together(drained, Mode.NEW_ONLY)).isEmpty();
    }

    /** Returns the LIDs with packets that take part in a ring, if nothing is drained. */
    private BitSet taking() {
        Set<Long> all = together(new BitSet(), Mode.OLD_ONLY);
        BitSet taking = new BitSet();
        for (int lid = 1; lid <= lastLid(); lid++) {
            if (isSentTo(lid) && (vlsChange || changed().get(lid))) {
                follow(lid, mode(lid));
                for (long edge : edges) {
                    taking.set(lid, taking.get(lid) || leadsBack(all, (int) edge, (int) (edge >>> 32)));
                }
            }
        }
        return taking;
    }

    private static boolean leadsBack(Set<Long> all, int from, int to) {
        Set<Integer> reached = new TreeSet<>(Set.of(from));
        int count;
        do {
            count = reached.size();
            all.stream()
                    .filter(edge -> reached.contains((int) (edge >>> 32)))
                    .forEach(edge -> reached.add((int) (long) edge));
        } while (reached.size() > count);
        return reached.contains(to);
    }

    private boolean oldLoopsAlone() {
        Routing then = after;
        boolean vls = vlsChange;
        after = before;
        vlsChange = false;
        boolean loops = !inCycles(together(new BitSet(), Mode.OLD_ONLY)).isEmpty();
        after = then;
        vlsChange = vls;
        return loops;
    }

    private int changesBehind(int sw, int lid) {
        int round = 0;
        for (int at = next(1, sw, lid); at >= 0; at = next(1, at, lid)) {
            round += effect(0, at, lid) != effect(1, at, lid) ? 1 : 0;
        }
        return round;
    }

    /** Returns who waits for whom, if LIDs that are drained have entries of one kind only. */
    private Set<Long> together(BitSet drained, Mode modeOfDrained) {
        EachCopy groups = new EachCopy(
                fabric, vlsChange ? List.of(before.slToVl(), after.slToVl()) : List.of(after.slToVl()), options);
        groups.follow(before.multicast());
        groups.follow(after.multicast());
        Set<Long> all = new TreeSet<>(groups.edges());
        for (int lid = 1; lid <= lastLid(); lid++) {
            if (isSentTo(lid)) {
                follow(lid, drained.get(lid) ? modeOfDrained : mode(lid));
                all.addAll(edges);
            }
        }
        return all;
    }

    /** Returns what is left when channels that wait for nothing, and those that nothing waits for, are gone. */
    private static Set<Long> inCycles(Set<Long> all) {
        Set<Long> left = new TreeSet<>(all);
        int before;
        do {
            before = left.size();
            Set<Integer> froms = new TreeSet<>();
            Set<Integer> tos = new TreeSet<>();
            left.forEach(edge -> froms.add((int) (edge >>> 32)));
            left.forEach(edge -> tos.add((int) (long) edge));
            left.removeIf(edge -> !froms.contains((int) (long) edge) || !tos.contains((int) (edge >>> 32)));
        } while (left.size() < before);
        return left;
    }

    private void entriesAreThose(TransitionEntries entries, int lid) {
        BitSet differ = new BitSet();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            differ.set(sw, effect(0, sw, lid) != effect(1, sw, lid));
        }
        assertThat(entries.changing()).isEqualTo(differ);
        assertThat(IntStream.range(0, entries.changedCount()).map(entries::changed))
                .containsExactlyElementsOf(differ.stream().boxed().toList());
        entries.activate(true);
        assertThat(entries.activeCount()).isEqualTo(fabric.switchCount());
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            assertThat(entries.differs(sw)).isEqualTo(differ.get(sw));
            for (int layer = 0; layer < 2; layer++) {
                assertThat(Math.max(-1, entries.next(layer, sw))).isEqualTo(next(layer, sw, lid));
                assertThat(entries.output(layer, sw)).isEqualTo(effect(layer, sw, lid));
            }
        }
        for (int sw = 0; sw < fabric.switchCount() && !leadsRound(lid, Mode.NEW_ONLY); sw++) {
            int round = 0;
            for (int at = next(1, sw, lid); at >= 0; at = next(1, at, lid)) {
                round += differ.get(at) ? 1 : 0;
            }
            assertThat(entries.round(sw)).isEqualTo((byte) round);
        }
    }

    /** Returns the port by which packets to a LID leave, whether they arrive or go on; −1 if they end. */
    private int effect(int layer, int sw, int lid) {
        int out = entry(layer, sw, lid);
        int end = fabric.portOfLid(lid);
        boolean delivers = end != Fabric.NONE && fabric.switchOf(end) == sw && fabric.switchPortOf(end) == out;
        return delivers || next(layer, sw, lid) >= 0 ? out : -1;
    }
}
