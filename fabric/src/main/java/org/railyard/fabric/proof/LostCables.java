package org.railyard.fabric.proof;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.proof.TransitionWalk.Mode;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/**
 * Looks for credit loops in the tables that follow the loss of cables, by what differs from tables that were checked:
 * the dependencies of these that are left, and those of packets that pass another entry. If they are without a cycle
 * together, so are those of the new tables alone (spec 32 §1). Otherwise nothing is known, and the tables have to be
 * checked as a whole.
 */
public final class LostCables {
    private final Fabric fabric;
    private final Routing before;
    private final Routing after;
    private final CheckOptions options;

    private LostCables(Fabric fabric, Routing before, Routing after, CheckOptions options) {
        this.fabric = fabric;
        this.before = before;
        this.after = after;
        this.options = options;
    }

    /**
     * Checks tables.
     *
     * @param fabricBefore the fabric before
     * @param before its tables, all of whose routes arrive
     * @param known what a check of them has found
     * @param fabric the same fabric with fewer cables between switches
     * @param after its tables
     * @return a clean report, whose dependencies may be more than those of the tables; empty if the tables have to be
     *     checked as a whole
     */
    public static Optional<CheckReport> check(
            Fabric fabricBefore, Routing before, Dependencies known, Fabric fabric, Routing after) {
        boolean isOfThisKind = !known.options().hostChannels()
                && isLeftOf(fabric, fabricBefore)
                && haveSameSls(fabric, before, after)
                && haveSameVls(fabric, before.slToVl(), after.slToVl());
        return isOfThisKind
                ? new LostCables(fabric, before, after, known.options()).check(fabricBefore, known)
                : Optional.empty();
    }

    private static boolean isLeftOf(Fabric fabric, Fabric before) {
        boolean same = fabric.nodeCount() == before.nodeCount()
                && fabric.switchCount() == before.switchCount()
                && fabric.portCount() == before.portCount();
        for (int port = 0; same && port < fabric.portCount(); port++) {
            same = fabric.nodeOf(port) == before.nodeOf(port)
                    && fabric.switchOf(port) == before.switchOf(port)
                    && (fabric.peer(port) == Fabric.NONE || fabric.peer(port) == before.peer(port));
        }
        for (int lid = 1; same && lid <= Lids.MAX_UNICAST; lid++) {
            same = fabric.portOfLid(lid) == before.portOfLid(lid);
        }
        return same;
    }

    private static boolean haveSameSls(Fabric fabric, Routing before, Routing after) {
        return after.sls().isKnownToAgree(before.sls())
                && IntStream.rangeClosed(1, fabric.maxLid())
                        .allMatch(
                                lid -> after.sls().classOf(lid) == before.sls().classOf(lid));
    }

    /** Where a table drops packets, whether they arrive is seen by a check of all. */
    private static boolean haveSameVls(Fabric fabric, SlToVl before, SlToVl after) {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int[] used = usedPorts(fabric, sw);
            for (int in : used) {
                for (int out : used) {
                    long table = after.table(sw, in, out);
                    if (table != before.table(sw, in, out) || drops(table)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private static boolean drops(long table) {
        for (int sl = 0; sl < Channel.VLS; sl++) {
            if (SlToVl.vl(table, sl) == SlToVl.DROP) {
                return true;
            }
        }
        return false;
    }

    private static int[] usedPorts(Fabric fabric, int sw) {
        return IntStream.rangeClosed(0, fabric.ports(sw))
                .filter(port -> fabric.isInUse(fabric.portIndex(sw, port)))
                .toArray();
    }

    private Optional<CheckReport> check(Fabric fabricBefore, Dependencies known) {
        DependencyGraph more = new DependencyGraph();
        BitSet changed = new BitSet();
        if (sendsIntoWhatIsGone(fabricBefore) || !findChanged(changed) || !addUnicast(changed, more)) {
            return Optional.empty();
        }
        FaultLog faults = new FaultLog();
        if (options.multicast()) {
            addMulticast(more, faults);
        }
        long[] left = LongStream.of(known.edges())
                .filter(edge -> isLeft((int) (edge >>> Integer.SIZE)) && isLeft((int) edge))
                .toArray();
        Dependencies all = Dependencies.atMost(Dependencies.merged(left, more.sortedEdges()), options);
        AdjacencyList channels = new AdjacencyList(all.edges());
        Components components = new Components(channels);
        return faults.count() > 0 || components.cyclic().length > 0
                ? Optional.empty()
                : Optional.of(CheckReport.clean(channels, components, all));
    }

    private boolean isLeft(int channel) {
        return fabric.peer(Channel.portOf(channel)) != Fabric.NONE;
    }

    /** An entry into a cable that is gone is no other entry, but it leads to nobody any more. */
    private boolean sendsIntoWhatIsGone(Fabric fabricBefore) {
        ForwardingTables tables = after.forwarding();
        for (int port = 0; port < fabric.portCount(); port++) {
            boolean isGone = fabric.peer(port) != fabricBefore.peer(port) && fabric.isSwitch(fabric.nodeOf(port));
            for (int lid = 1; isGone && lid <= fabric.maxLid(); lid++) {
                if (tables.port(fabric.nodeOf(port), lid) == fabric.portNumber(port)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Finds the LIDs that some switch has another entry for; false if one of these entries leads to nobody. */
    private boolean findChanged(BitSet changed) {
        ForwardingTables was = before.forwarding();
        ForwardingTables now = after.forwarding();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int lid = was.firstDifference(now, sw, 0); lid >= 0; lid = was.firstDifference(now, sw, lid + 1)) {
                int port = fabric.portOfLid(lid);
                if (port != Fabric.NONE && SourceGroups.isSource(fabric, port, options)) {
                    changed.set(lid);
                    if (!leadsOn(sw, now.port(sw, lid), port)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private boolean leadsOn(int sw, int output, int destination) {
        // What arrives at a switch by its entry for port 0 did so before.
        int peer = output > fabric.ports(sw) ? Fabric.NONE : fabric.peer(fabric.portIndex(sw, output));
        return peer != Fabric.NONE && (fabric.isSwitch(fabric.nodeOf(peer)) || peer == destination);
    }

    /** Adds what packets to these LIDs wait for that pass another entry; false if one does not arrive. */
    private boolean addUnicast(BitSet changed, DependencyGraph graph) {
        TransitionEntries entries = new TransitionEntries(fabric, before, after);
        TransitionWalk walk = new TransitionWalk(fabric, before, after, entries, false, false, options, List.of());
        BitSet lost = new BitSet();
        entries.forEach(changed.stream().toArray(), lid -> {
            entries.activate(false);
            if (lost.isEmpty() && arrives(entries) && walk.isOrderable(Mode.NEW_ONLY)) {
                walk.walk(lid, Mode.NEW_ONLY, graph::add);
            } else {
                lost.set(lid);
            }
        });
        return lost.isEmpty();
    }

    private static boolean arrives(TransitionEntries entries) {
        for (int i = 0; i < entries.activeCount(); i++) {
            if (entries.next(1, entries.active(i)) == TransitionEntries.NONE) {
                return false;
            }
        }
        return true;
    }

    private void addMulticast(DependencyGraph graph, FaultLog faults) {
        SourceGroups sources = new SourceGroups(fabric, after.sls(), after.slToVl(), options);
        new MulticastWalk(fabric, List.of(after.slToVl()), sources, options, graph, faults).addAll(after.multicast());
    }
}
