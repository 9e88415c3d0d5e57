package org.railyard.fabric.proof;

import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.proof.TransitionWalk.Mode;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
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
 * While it has a cycle, LIDs that take part in one are drained, at last all that change. If that does not help either,
 * everything is emptied first, multicast as well: then old and new never meet. A function of its arguments: immutable.
 */
public final class Transition {
    private static final int SLS = 16;

    private final Fabric fabric;
    private final Routing before;
    private final Routing after;
    private final CheckOptions options;
    private final TransitionWalk walk;
    private final boolean vlsChange;
    private final boolean slsChange;
    private final int[] lids;
    private final BitSet changed = new BitSet();
    private final BitSet drained = new BitSet();
    private final Map<Integer, byte[]> rounds = new TreeMap<>();
    private int lastRound;
    private boolean oldLoops;
    private boolean newLoops;
    private boolean everything;
    private int loops;

    private Transition(Fabric fabric, Routing before, Routing after, CheckOptions options) {
        this.fabric = fabric;
        this.before = before;
        this.after = after;
        this.options = options;
        this.walk = new TransitionWalk(fabric, before, after, options);
        this.vlsChange = vlsChange();
        this.slsChange = slsDiffer();
        this.lids = lids();
    }

    /**
     * Finds a way from tables to others.
     *
     * @param fabric as it is, with LIDs; what old tables say of links that are down leads nowhere
     * @param before what the switches have: entries, SL to VL, multicast, and the SLs that senders were told
     * @param after what they shall have
     */
    public static Transition plan(Fabric fabric, Routing before, Routing after, CheckOptions options) {
        Transition transition = new Transition(fabric, before, after, options);
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
        return rounds.size();
    }

    /** Returns the last round, 0 if one is enough. */
    public int lastRound() {
        return lastRound;
    }

    /** Returns the round, from 0, in which a switch gets its new entry of a LID. */
    public int round(int switchIndex, int lid) {
        byte[] of = rounds.get(lid);
        return of == null ? 0 : of[switchIndex];
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

    private boolean vlsChange() {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int in = 0; in <= fabric.ports(sw); in++) {
                for (int out = 1; out <= fabric.ports(sw); out++) {
                    boolean used = (in == 0 || fabric.peer(fabric.portIndex(sw, in)) != Fabric.NONE)
                            && fabric.peer(fabric.portIndex(sw, out)) != Fabric.NONE;
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

    private boolean slsDiffer(int[] lids, int count) {
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                for (int hint = 0; hint < SLS; hint += SLS / 2) {
                    int was = before.sls().sl(lids[i], lids[j], hint);
                    if (was != PathSls.NO_SL && was != after.sls().sl(lids[i], lids[j], hint)) {
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
        for (int lid = 1; lid <= fabric.maxLid(); lid++) {
            int was = before.sls().classOf(lid);
            int now = after.sls().classOf(lid);
            if (was >= 0 && isServed(lid) && classes.add((long) was << Integer.SIZE | now & 0xFFFFFFFFL)) {
                ofClass[count++] = lid;
            }
        }
        return slsDiffer(ofClass, count);
    }

    private boolean isServed(int lid) {
        int port = fabric.portOfLid(lid);
        return port != Fabric.NONE && fabric.switchOf(port) != Fabric.NONE;
    }

    /** Returns the LIDs that have a port at a switch, and those that only old tables know: these get emptied. */
    private int[] lids() {
        return IntStream.rangeClosed(1, Lids.MAX_UNICAST)
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

    private void order() {
        walk.forEach(lids, (lid, changes) -> {
            if (!changes) {
                return;
            }
            changed.set(lid);
            if (walk.isOrderable(Mode.ANY_ORDER)) {
                return;
            }
            byte[] of = walk.rounds();
            int last = 0;
            for (byte round : of) {
                last = Math.max(last, round);
            }
            rounds.put(lid, of);
            boolean orderable = walk.isOrderable(Mode.NEAREST_FIRST);
            if (!orderable || last == Byte.MAX_VALUE) {
                // The old entries go round by themselves: what they do until they are emptied nobody can help.
                drained.set(lid);
                oldLoops |= !orderable;
            }
        });
    }

    private void drain() {
        BitSet cyclic = cyclic(false);
        loops = cyclic.cardinality();
        boolean free = cyclic.isEmpty();
        if (!free) {
            drained.or(cyclic);
            drained.and(changed);
            free = cyclic(false).isEmpty();
        }
        free = free && (drained.isEmpty() || cyclic(true).isEmpty());
        if (!free) {
            drained.or(changed);
            free = cyclic(false).isEmpty() && cyclic(true).isEmpty();
        }
        if (!free) {
            everything = true;
            IntStream.of(lids).forEach(drained::set);
            oldLoops |= loopsAlone(before, before);
            newLoops = slsChange && loopsAlone(withSls(after, before.sls()), after);
        }
        rounds.keySet().removeIf(drained::get);
        lastRound = 0;
        for (byte[] of : rounds.values()) {
            for (byte round : of) {
                lastRound = Math.max(lastRound, round);
            }
        }
    }

    private static Routing withSls(Routing routing, PathSls sls) {
        return new Routing(
                routing.engine(), routing.forwarding(), sls, routing.slToVl(), routing.multicast(), List.of());
    }

    /** Whether tables that differ in their SLs only close a loop without any others. */
    private boolean loopsAlone(Routing one, Routing other) {
        DependencyGraph graph = new DependencyGraph();
        TransitionWalk alone = new TransitionWalk(fabric, one, other, options);
        BitSet round = new BitSet();
        alone.forEach(lids, (lid, _) -> {
            if (alone.isOrderable(Mode.NEW_ONLY)) {
                alone.walk(lid, Mode.NEW_ONLY, true, graph::add);
            } else {
                round.set(lid);
            }
        });
        multicast(one, List.of(one.slToVl()), graph);
        return !round.isEmpty() || new Components(new AdjacencyList(graph.sortedEdges())).cyclic().length > 0;
    }

    /** Adds the groups of some tables; their packets go by any of these VLs. */
    private void multicast(Routing trees, List<SlToVl> vls, DependencyGraph graph) {
        FaultLog faults = new FaultLog();
        for (SlToVl grouping : vls) {
            // Senders that one table does not tell apart the other may: those of either, one after the other.
            SourceGroups sources = new SourceGroups(fabric, after.sls(), grouping, options);
            MulticastWalk multicast = new MulticastWalk(fabric, vls, sources, options, graph, faults);
            for (int mlid : trees.multicast().mlids()) {
                MulticastTables.Tree tree = trees.multicast().tree(mlid);
                if (tree != null) {
                    multicast.add(mlid, tree);
                }
            }
        }
    }

    private Mode mode(int lid, boolean afterDraining) {
        if (drained.get(lid)) {
            return afterDraining ? Mode.NEW_ONLY : Mode.OLD_ONLY;
        }
        return rounds.containsKey(lid) ? Mode.NEAREST_FIRST : Mode.ANY_ORDER;
    }

    /** Returns the new tables without the LIDs that are drained: nobody has new entries of these yet. */
    private Routing withoutDrained() {
        byte[][] rows = new byte[fabric.switchCount()][fabric.maxLid() + 1];
        for (int sw = 0; sw < rows.length; sw++) {
            for (int lid = 0; lid < rows[sw].length; lid++) {
                rows[sw][lid] = (byte)
                        (drained.get(lid)
                                ? ForwardingTables.NO_PATH
                                : after.forwarding().port(sw, lid));
            }
        }
        return new Routing(
                after.engine(),
                new ForwardingTables(rows),
                after.sls(),
                after.slToVl(),
                MulticastTables.NONE,
                List.of());
    }

    /** Returns the LIDs that change and take part in a cycle; bit 0 stands for a cycle without any of them. */
    private BitSet cyclic(boolean afterDraining) {
        DependencyGraph graph = new DependencyGraph();
        FaultLog faults = new FaultLog();
        SourceGroups sources = new SourceGroups(fabric, after.sls(), after.slToVl(), options);
        Routing now = afterDraining || drained.isEmpty() ? after : withoutDrained();
        UnicastWalk unicast = new UnicastWalk(fabric, now, sources, options, graph, faults);
        unicast.addAll(new DestinationClasses(fabric, now, options).all());
        List<SlToVl> vls = vlsChange ? List.of(before.slToVl(), after.slToVl()) : List.of(after.slToVl());
        multicast(before, vls, graph);
        multicast(after, vls, graph);
        walkAll(afterDraining, graph::add);
        AdjacencyList channels = new AdjacencyList(graph.sortedEdges());
        Components components = new Components(channels);
        int[][] found = components.cyclic();
        BitSet taking = new BitSet();
        if (found.length == 0) {
            return taking;
        }
        int[] ring = ringOfChannels(channels, found);
        walkAll(afterDraining, (from, to, source, lid, sl) -> {
            if (from < ring.length && to < ring.length && ring[from] != 0 && ring[from] == ring[to]) {
                taking.set(lid);
            }
        });
        taking.and(changed);
        if (taking.isEmpty()) {
            // Only what does not change takes part: draining does not help, and nothing is proved.
            taking.set(0);
        }
        return taking;
    }

    /** By channel: the number of the cyclic component that it is in, from 1; 0 if it is in none. */
    private int[] ringOfChannels(AdjacencyList channels, int[][] cyclic) {
        int[] ring = new int[Channel.number(fabric.portCount(), 0)];
        for (int i = 0; i < cyclic.length; i++) {
            for (int channel : cyclic[i]) {
                ring[channels.channel(channel)] = i + 1;
            }
        }
        return ring;
    }

    /** Adds what the new tables alone do not have: of LIDs that change, or all if VLs or SLs change. */
    private void walkAll(boolean afterDraining, TransitionWalk.Edges edges) {
        boolean all = vlsChange || slsChange;
        int[] some = IntStream.of(lids)
                .filter(lid -> (changed.get(lid) || all)
                        && (!isServed(lid) || SourceGroups.isSource(fabric, fabric.portOfLid(lid), options)))
                .toArray();
        walk.forEach(some, (lid, _) -> {
            Mode mode = mode(lid, afterDraining);
            if (walk.isOrderable(mode)) {
                walk.walk(lid, mode, all || drained.get(lid), edges);
            }
        });
    }
}
