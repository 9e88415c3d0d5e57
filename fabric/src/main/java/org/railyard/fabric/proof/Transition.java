package org.railyard.fabric.proof;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.TransitionWalk.Mode;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.NoTurningBack;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/**
 * How switches get new tables, one after the other, while packets flow: so that at no moment packets go round, and at
 * no moment channels wait for each other in a ring (spec 41 §2.2). Tables that are free of loops, old and new, do not
 * suffice: a packet may meet old entries at some switches and new ones at others.
 *
 * <p>For each LID whose entries change there are three ways, the first that is proved is taken:
 *
 * <ul>
 *   <li>switches in any order, if old and new entries together lead to the destination whatever is met;
 *   <li>in rounds, nearest to the destination first: what has changed leads only to what has changed, so a path is old
 *       at its beginning and new from some switch on;
 *   <li>drained: the entries that change are emptied first, packets die out, then the new ones are written. Packets to
 *       this LID are lost meanwhile.
 * </ul>
 *
 * Dependencies of all LIDs, by the ways that they change, are one graph, together with those of the LIDs that stay, of
 * LIDs that nobody has any more but tables still know, and of multicast, old and new, by the old VLs and the new ones.
 * While it has a cycle, LIDs that take part in one are drained: first those of one side of each cycle, then all of
 * them, at last all that change. If that does not help either, everything is emptied first, multicast as well: then old
 * and new never meet. A function of its arguments: immutable.
 */
public final class Transition {
    /** One for each level of SLs. */
    private static final int[] HINTS = {0, 8};

    private final Fabric fabric;
    private final Routing before;
    private final Routing after;
    private final CheckOptions options;
    private final List<Stranger> strangers;
    private final TransitionEntries entries;
    private final TransitionWalk walk;
    /** Whether any SL to VL table in use differs. */
    private final boolean vlsChange;
    /** Whether one differs that packets pass by tables that stay. */
    private final boolean vlsOfOthersChange;

    private final boolean slsChange;

    /** Whether flows count whose entries stay. */
    private final boolean all;

    private final int[] lids;
    /** Those that packets are sent to: of switches only where these are checked. */
    private final int[] sentTo;

    private final TransitionGraph graph;
    private final BitSet changed = new BitSet();
    private final BitSet drained = new BitSet();
    private final TransitionRounds rounds;
    private int lastRound;
    private boolean oldLoops;
    private boolean newLoops;
    private boolean everything;
    private int loops;

    /**
     * An end port that is not in the fabric, because nobody can ask it, and sends as it did: a host whose agent gives
     * no answers, or none that can be used, behind a link that is up.
     *
     * @param port port index of the switch's port that its packets come in by
     * @param lid its LID
     * @param sls by which it was told the SLs of its paths
     */
    public record Stranger(int port, int lid, PathSls sls) {}

    private Transition(
            Fabric fabric,
            Routing before,
            Routing after,
            Optional<Dependencies> ofAfter,
            CheckOptions options,
            List<Stranger> strangers) {
        this.strangers = strangers;
        this.fabric = fabric;
        this.before = before;
        this.after = after;
        this.options = options;
        NoTurningBack turns = new NoTurningBack(fabric, after.slToVl());
        Difference vls = vlsDiffer(turns);
        this.vlsOfOthersChange = vls == Difference.OF_OTHERS;
        this.vlsChange = vls != Difference.NONE;
        this.slsChange = slsDiffer();
        // What a stranger sends is in no proof of the new tables.
        this.all = vlsOfOthersChange || slsChange || !strangers.isEmpty();
        this.lids = lids();
        this.sentTo = sentTo(options);
        this.entries = new TransitionEntries(fabric, before, after);
        this.walk = new TransitionWalk(fabric, before, after, entries, vlsChange, slsChange, options, strangers);
        this.rounds = new TransitionRounds(fabric.switchCount(), lids.length == 0 ? 0 : lids[lids.length - 1]);
        List<SlToVl> byVls = vlsChange ? List.of(before.slToVl(), after.slToVl()) : List.of(after.slToVl());
        this.graph = new TransitionGraph(fabric, before, after, ofAfter, options, entries, walk, byVls, all);
    }

    /**
     * Finds a way from tables to others.
     *
     * @param fabric as it is, with LIDs; what old tables say of links that are down leads nowhere
     * @param before what the switches have: entries, SL to VL, multicast, and the SLs that senders were told
     * @param after what they shall have, proved to be free of loops
     */
    public static Transition plan(Fabric fabric, Routing before, Routing after, CheckOptions options) {
        return plan(new Transition(fabric, before, after, Optional.empty(), options, List.of()));
    }

    /**
     * The same, for tables that were just checked: what the check found is not looked for again.
     *
     * @param ofAfter what a check of {@code after} has found in this fabric; its options are used
     * @param strangers who sends as well
     */
    public static Transition plan(
            Fabric fabric, Routing before, Routing after, Dependencies ofAfter, List<Stranger> strangers) {
        return plan(new Transition(fabric, before, after, Optional.of(ofAfter), ofAfter.options(), strangers));
    }

    private static Transition plan(Transition transition) {
        transition.order();
        transition.drain();
        return transition;
    }

    /** Returns the LIDs whose entries differ at some switch. */
    public BitSet changed() {
        return (BitSet) changed.clone();
    }

    /** Returns the LIDs that have to be drained. */
    public BitSet drained() {
        return (BitSet) drained.clone();
    }

    /** Returns how many LIDs are changed in rounds. */
    public int ordered() {
        return rounds.count();
    }

    /** Returns the last round, 0 if one is enough. */
    public int lastRound() {
        return lastRound;
    }

    /** Returns the round, from 0, in which a switch gets its new entry of a LID. */
    public int round(int switchIndex, int lid) {
        return rounds.of(switchIndex, lid);
    }

    /** Returns whether old and new entries of all LIDs together, without draining, would close rings of channels. */
    public int loops() {
        return loops;
    }

    /** Returns whether all this is proved: neither {@link #oldLoops()} nor {@link #newLoops()}. */
    public boolean isProved() {
        return !oldLoops && !newLoops;
    }

    /**
     * Returns whether the old tables close a loop by themselves, because for instance another subnet manager wrote
     * them: then there is no way that is safe from its beginning on.
     */
    public boolean oldLoops() {
        return oldLoops;
    }

    /**
     * Returns whether packets with the SLs of old paths close a loop in the new tables: then nothing is safe before all
     * senders have asked for their paths again.
     */
    public boolean newLoops() {
        return newLoops;
    }

    /**
     * Returns whether all entries of all LIDs, and all multicast, have to be emptied before anything else is written,
     * SL to VL included: {@link #drained()} are all LIDs then.
     */
    public boolean isEverythingDrained() {
        return everything;
    }

    /** Returns whether the SL of a path between ports that stay changes. */
    public boolean slsChange() {
        return slsChange;
    }

    /** Which SL to VL tables in use differ. */
    private enum Difference {
        NONE,
        /**
         * Only those of packets that go straight back. To a LID whose entries stay there are no such packets, because
         * they would go round in the new tables, too.
         */
        OF_TURNS_BACK,
        OF_OTHERS
    }

    private Difference vlsDiffer(NoTurningBack turns) {
        Difference found = Difference.NONE;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int in = 0; in <= fabric.ports(sw); in++) {
                for (int out = 1; out <= fabric.ports(sw); out++) {
                    boolean differ =
                            before.slToVl().table(sw, in, out) != after.slToVl().table(sw, in, out);
                    if (differ && isUsed(sw, in) && isUsed(sw, out)) {
                        if (!turns.turnsBack(sw, in, out)) {
                            return Difference.OF_OTHERS;
                        }
                        found = Difference.OF_TURNS_BACK;
                    }
                }
            }
        }
        return found;
    }

    private boolean isUsed(int sw, int port) {
        return fabric.isInUse(fabric.portIndex(sw, port));
    }

    private boolean slsDiffer(int[] lids) {
        for (int from : lids) {
            for (int to : lids) {
                for (int hint : HINTS) {
                    int was = before.sls().sl(from, to, hint);
                    if (was != PathSls.NO_SL && was != after.sls().sl(from, to, hint)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private boolean slsDiffer() {
        if (before.sls() == after.sls()) {
            return false;
        }
        // LIDs whose class is the same in both share all their SLs: one of each is enough.
        Set<Long> classes = new LinkedHashSet<>();
        int[] ofClass = new int[fabric.maxLid() + 1];
        int count = 0;
        boolean differ = !after.sls().isKnownToAgree(before.sls());
        for (int lid = 1; lid <= fabric.maxLid(); lid++) {
            int was = before.sls().classOf(lid);
            int now = after.sls().classOf(lid);
            if (was >= 0 && isServed(lid) && classes.add((long) was << Integer.SIZE | now & 0xFFFFFFFFL)) {
                ofClass[count++] = lid;
                differ |= was != now;
            }
        }
        return differ && slsDiffer(Arrays.copyOf(ofClass, count));
    }

    private boolean isServed(int lid) {
        int port = fabric.portOfLid(lid);
        return port != Fabric.NONE && fabric.switchOf(port) != Fabric.NONE;
    }

    /** Returns the LIDs that have a port at a switch, and those that only old tables know: these get emptied. */
    private int[] lids() {
        return IntStream.rangeClosed(
                        1, Math.max(fabric.maxLid(), before.forwarding().lastLid()))
                .filter(lid -> isServed(lid) || isLeftOver(lid))
                .toArray();
    }

    private boolean isLeftOver(int lid) {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (before.forwarding().port(sw, lid) != ForwardingTables.NO_PATH) {
                return true;
            }
        }
        return false;
    }

    /** Returns the LIDs that some switch has another entry for, be it that both lead nowhere. */
    private int[] unlike() {
        BitSet unlike = new BitSet();
        ForwardingTables was = before.forwarding();
        ForwardingTables now = after.forwarding();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int lid = was.firstDifference(now, sw, 0); lid >= 0; lid = was.firstDifference(now, sw, lid + 1)) {
                unlike.set(lid);
            }
        }
        return IntStream.of(lids).filter(unlike::get).toArray();
    }

    private void order() {
        entries.forEach(unlike(), lid -> {
            if (entries.changedCount() == 0) {
                return;
            }
            changed.set(lid);
            entries.activate(false);
            if (walk.isOrderable(Mode.ANY_ORDER)) {
                return;
            }
            rounds.add(lid);
            for (int i = 0; i < entries.changedCount(); i++) {
                rounds.set(entries.changed(i), lid, entries.round(entries.changed(i)));
            }
            boolean orderable = walk.isOrderable(Mode.NEAREST_FIRST);
            if (!orderable || rounds.last(lid) == Byte.MAX_VALUE) {
                // The old entries go round by themselves: what they do until they are emptied nobody can help.
                drained.set(lid);
                oldLoops |= !orderable;
            }
        });
    }

    private void drain() {
        List<BitSet> cycles = graph.cycles(flowing(), lid -> mode(lid, false));
        boolean free = cycles.isEmpty() ? isFreeAfterDraining() : !drained.isEmpty() && isFree();
        if (!free) {
            BitSet taking = union(cycles);
            loops = taking.cardinality();
            taking.and(changed);
            drained.or(oneSideOfEach(cycles, taking));
            free = isFree();
            if (!free) {
                drained.or(taking);
                free = isFree();
            }
        }
        if (!free) {
            drained.or(changed);
            free = isFree();
        }
        if (!free) {
            everything = true;
            IntStream.of(lids).forEach(drained::set);
            oldLoops |= loopsAlone(before, before);
            newLoops = slsChange && loopsAlone(withSls(after, before.sls()), after);
        }
        drained.stream().forEach(rounds::remove);
        lastRound = rounds.last();
    }

    /**
     * Of the LIDs that take part in cycles, those that are changed at the same switches are one side, such as those
     * that lie behind a lost cable as seen from one of its ends. Without the turns of one side a cycle is open: returns
     * the smallest side of each.
     */
    private BitSet oneSideOfEach(List<BitSet> cycles, BitSet taking) {
        List<BitSet> sides = sides(taking);
        BitSet chosen = new BitSet();
        for (BitSet cycle : cycles) {
            BitSet least = null;
            for (BitSet side : sides) {
                boolean takes = side.intersects(cycle);
                if (takes && (least == null || side.cardinality() < least.cardinality())) {
                    least = side;
                }
            }
            if (least != null && !cycle.intersects(chosen)) {
                chosen.or(least);
            }
        }
        return chosen;
    }

    private List<BitSet> sides(BitSet taking) {
        List<BitSet> sides = new ArrayList<>();
        List<BitSet> places = new ArrayList<>();
        entries.forEach(taking.stream().toArray(), lid -> {
            BitSet place = entries.changing();
            BitSet side = new BitSet();
            side.set(lid);
            for (int i = sides.size() - 1; i >= 0; i--) {
                if (places.get(i).intersects(place)) {
                    place.or(places.remove(i));
                    side.or(sides.remove(i));
                }
            }
            sides.add(side);
            places.add(place);
        });
        return sides;
    }

    private static BitSet union(List<BitSet> of) {
        BitSet union = new BitSet();
        of.forEach(union::or);
        return union;
    }

    /** While LIDs are drained, and while their new entries are written. */
    private boolean isFree() {
        return graph.isFree(flowing(), lid -> mode(lid, false), sentTo) && isFreeAfterDraining();
    }

    private boolean isFreeAfterDraining() {
        return drained.isEmpty()
                || graph.cycles(flowing(), lid -> mode(lid, true)).isEmpty();
    }

    private int[] sentTo(CheckOptions options) {
        return IntStream.of(lids)
                .filter(lid -> !isServed(lid) || SourceGroups.isSource(fabric, fabric.portOfLid(lid), options))
                .toArray();
    }

    /** Returns the LIDs that packets are sent to and whose dependencies are not those of the new tables alone. */
    private int[] flowing() {
        return IntStream.of(sentTo).filter(lid -> changed.get(lid) || all).toArray();
    }

    private static Routing withSls(Routing routing, PathSls sls) {
        return new Routing(
                routing.engine(), routing.forwarding(), sls, routing.slToVl(), routing.multicast(), List.of());
    }

    /** Whether tables that differ in their SLs only close a loop without any others. */
    private boolean loopsAlone(Routing one, Routing other) {
        DependencyGraph dependencies = new DependencyGraph();
        TransitionEntries both = new TransitionEntries(fabric, one, other);
        TransitionWalk alone =
                new TransitionWalk(fabric, one, other, both, false, one.sls() != other.sls(), options, strangers);
        both.forEach(sentTo, lid -> {
            both.activate(true);
            // What goes round in the old tables was found before, and new ones are without.
            if (alone.isOrderable(Mode.NEW_ONLY)) {
                alone.walk(lid, Mode.NEW_ONLY, dependencies::add);
            }
        });
        graph.multicast(one, List.of(one.slToVl()), dependencies);
        return new Components(new AdjacencyList(dependencies.sortedEdges())).cyclic().length > 0;
    }

    private Mode mode(int lid, boolean afterDraining) {
        if (drained.get(lid)) {
            return afterDraining ? Mode.NEW_ONLY : Mode.OLD_ONLY;
        }
        if (rounds.contains(lid)) {
            return Mode.NEAREST_FIRST;
        }
        // Where entries stay the new ones are the old ones.
        return changed.get(lid) ? Mode.ANY_ORDER : Mode.NEW_ONLY;
    }
}
