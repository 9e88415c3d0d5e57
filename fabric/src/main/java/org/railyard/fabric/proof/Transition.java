package org.railyard.fabric.proof;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.TransitionWalk.Mode;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.Routing;

/**
 * How switches get new tables, one after the other, while packets flow: so that at no moment packets go round, and
 * at no moment channels wait for each other in a ring (spec 41 §2.2). Tables that are free of loops, old and new, do not
 * suffice for that: a packet may meet old entries at some switches and new ones at others.
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
 * Dependencies of all LIDs, by the ways that they change, are one graph, together with those of the LIDs that stay and
 * of multicast, old and new. While it has a cycle, LIDs that take part in one are drained; with all that change drained
 * it has none that the old or the new tables do not have by themselves. A function of its arguments: immutable.
 */
public final class Transition {
    private final Fabric fabric;
    private final Routing before;
    private final Routing after;
    private final CheckOptions options;
    private final TransitionWalk walk;
    private final boolean vlsChange;
    private final BitSet changed = new BitSet();
    private final BitSet drained = new BitSet();
    private final Map<Integer, byte[]> rounds = new TreeMap<>();
    private int lastRound;
    private boolean proved = true;
    private boolean oldLoops;
    private int loops;

    private Transition(Fabric fabric, Routing before, Routing after, CheckOptions options) {
        this.fabric = fabric;
        this.before = before;
        this.after = after;
        this.options = options;
        this.walk = new TransitionWalk(fabric, before, after, options);
        this.vlsChange = vlsChange();
    }

    /**
     * Finds a way from tables to others.
     *
     * @param fabric as it is, with LIDs; what old tables say of links that are down leads nowhere
     * @param before what the switches have: entries, SL to VL, multicast
     * @param after what they shall have; its SLs are those of all paths, old ones too
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

    /**
     * Returns whether all of this is proved. It is not if the old tables close a loop by themselves, because for example
     * another subnet manager wrote them: then there is no way that is safe from its beginning on.
     */
    public boolean isProved() {
        return proved;
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

    private static int[] routed(Fabric fabric) {
        return IntStream.rangeClosed(1, fabric.maxLid())
                .filter(lid ->
                        fabric.portOfLid(lid) != Fabric.NONE && fabric.switchOf(fabric.portOfLid(lid)) != Fabric.NONE)
                .toArray();
    }

    private void order() {
        walk.forEach(routed(fabric), (lid, changes) -> {
            if (!changes) {
                return;
            }
            changed.set(lid);
            if (walk.isOrderable(Mode.ANY_ORDER)) {
                return;
            }
            byte[] of = walk.rounds();
            rounds.put(lid, of);
            for (byte round : of) {
                lastRound = Math.max(lastRound, round);
            }
            if (!walk.isOrderable(Mode.NEAREST_FIRST) || lastRound == Byte.MAX_VALUE) {
                // The old entries go round by themselves: what they do until they are emptied nobody can help.
                drained.set(lid);
                oldLoops = true;
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
        rounds.keySet().removeIf(drained::get);
        lastRound = 0;
        for (byte[] of : rounds.values()) {
            for (byte round : of) {
                lastRound = Math.max(lastRound, round);
            }
        }
        proved = free && !oldLoops;
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
                        (changed.get(lid)
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
        for (Routing routing : new Routing[] {before, after}) {
            MulticastWalk multicast = new MulticastWalk(fabric, routing.slToVl(), sources, options, graph, faults);
            for (int mlid : routing.multicast().mlids()) {
                MulticastTables.Tree tree = routing.multicast().tree(mlid);
                if (tree != null) {
                    multicast.add(mlid, tree);
                }
            }
        }
        walkAll(afterDraining, graph::add);
        AdjacencyList channels = new AdjacencyList(graph.sortedEdges());
        Components components = new Components(channels);
        int[][] found = components.cyclic();
        BitSet lids = new BitSet();
        if (found.length == 0) {
            return lids;
        }
        int[] ring = ringOfChannels(channels, found);
        walkAll(afterDraining, (from, to, source, lid, sl) -> {
            if (from < ring.length && to < ring.length && ring[from] != 0 && ring[from] == ring[to]) {
                lids.set(lid);
            }
        });
        lids.and(changed);
        if (lids.isEmpty()) {
            // Only what does not change takes part: draining does not help, and nothing is proved.
            lids.set(0);
        }
        return lids;
    }

    /** By channel: the number of the cyclic component that it is in, from 1; 0 if it is in none. */
    private int[] ringOfChannels(AdjacencyList channels, int[][] cyclic) {
        int[] ring = new int[DependencyGraph.vertex(fabric.portCount(), 0)];
        for (int i = 0; i < cyclic.length; i++) {
            for (int channel : cyclic[i]) {
                ring[channels.channel(channel)] = i + 1;
            }
        }
        return ring;
    }

    /** Adds what the new tables alone do not have: of LIDs that change, or all if VLs change. */
    private void walkAll(boolean afterDraining, TransitionWalk.Edges edges) {
        int[] lids = IntStream.of(routed(fabric))
                .filter(lid -> (changed.get(lid) || vlsChange)
                        && SourceGroups.isSource(fabric, fabric.portOfLid(lid), options))
                .toArray();
        walk.forEach(lids, (lid, _) -> {
            Mode mode = mode(lid, afterDraining);
            if (walk.isOrderable(mode)) {
                walk.walk(lid, mode, vlsChange || drained.get(lid), edges);
            }
        });
    }
}
