package org.railyard.fabric.proof;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.DestinationClasses.Destination;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;

/**
 * Puts destinations into an order in which neighbours are reached by like ways: from switch to switch along the cables,
 * each time to the one that a sample of table entries and SLs says the most alike of. On a torus that goes round one
 * ring after the other.
 */
final class LikeDestinations {
    /**
     * Switches whose entries are compared, at most so many: enough to tell the few entries that differ along one
     * dimension of a large torus from those that differ along another one.
     */
    private static final int SWITCHES = 512;

    /** SL classes of senders that are compared, at most so many. */
    private static final int CLASSES = 128;

    /** Switches that are visited because of one other entry, about: its own, some before it, and what is behind it. */
    static final int ENTRY_VISITS = 6;

    private final Fabric fabric;
    private final List<List<Destination>> bySwitch = new ArrayList<>();
    /** By switch with destinations: entries towards the first of them; empty for others. */
    private final byte[][] entries;
    /** By switch with destinations: SLs towards the first of them; empty for others. */
    private final byte[][] sls;
    /** How many switches are visited for one entry of a sample that differs. */
    private final int entryWeight;
    /** The same for one SL of a sample. */
    private final int slWeight;

    private LikeDestinations(Fabric fabric, Routing routing, List<Destination> destinations) {
        this.fabric = fabric;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            bySwitch.add(new ArrayList<>());
        }
        for (Destination destination : destinations) {
            bySwitch.get(destination.sw()).add(destination);
        }
        int[] lids = bySwitch.stream()
                .mapToInt(there -> there.isEmpty() ? 0 : there.getFirst().lid())
                .toArray();
        entries = entries(routing.forwarding(), lids);
        sls = sls(routing.sls(), lids);
        entryWeight = ENTRY_VISITS * Math.max(1, lids.length / SWITCHES);
        slWeight = Math.max(1, routing.sls().classes() / CLASSES);
    }

    /** Returns the same destinations. */
    static List<Destination> sorted(Fabric fabric, Routing routing, List<Destination> destinations) {
        return new LikeDestinations(fabric, routing, destinations).walk();
    }

    /** Returns by switch what the others say of its LID, table by table, as these lie in memory. */
    private static byte[][] entries(ForwardingTables tables, int[] lids) {
        byte[][] entries = new byte[lids.length][];
        int asked = Math.min(SWITCHES, lids.length);
        for (int sw = 0; sw < lids.length; sw++) {
            entries[sw] = new byte[lids[sw] == 0 ? 0 : asked];
        }
        for (int i = 0; i < asked; i++) {
            int from = spread(i, asked, lids.length);
            for (int sw = 0; sw < lids.length; sw++) {
                if (lids[sw] != 0) {
                    entries[sw][i] = (byte) tables.port(from, lids[sw]);
                }
            }
        }
        return entries;
    }

    private static byte[][] sls(PathSls all, int[] lids) {
        byte[][] sls = new byte[lids.length][];
        int asked = Math.min(CLASSES, all.classes());
        for (int sw = 0; sw < sls.length; sw++) {
            int slClass = lids[sw] == 0 ? -1 : all.classOf(lids[sw]);
            sls[sw] = new byte[lids[sw] == 0 ? 0 : asked];
            for (int i = 0; slClass >= 0 && i < sls[sw].length; i++) {
                sls[sw][i] = (byte) all.classSl(spread(i, asked, all.classes()), slClass, 0);
            }
        }
        return sls;
    }

    /** Returns places that are not evenly spaced: these could be all of one plane. */
    private static int spread(int i, int of, int all) {
        return (int) ((long) i * all / of) + i % (all / of);
    }

    /** Goes on to a neighbour as long as there is one, then back to where there was another one. */
    private List<Destination> walk() {
        List<Destination> sorted = new ArrayList<>();
        boolean[] been = new boolean[entries.length];
        int[] way = new int[been.length + 1];
        for (int start = 0; start < been.length; start++) {
            int depth = 0;
            int next = been[start] ? Fabric.NONE : start;
            while (next != Fabric.NONE || depth > 0) {
                if (next == Fabric.NONE) {
                    depth--;
                } else {
                    been[next] = true;
                    sorted.addAll(bySwitch.get(next));
                    way[depth++] = next;
                }
                next = depth == 0 ? Fabric.NONE : mostAlike(way[depth - 1], been);
            }
        }
        return sorted;
    }

    private int mostAlike(int sw, boolean[] been) {
        int best = Fabric.NONE;
        long least = Long.MAX_VALUE;
        for (int port = 1; port <= fabric.ports(sw); port++) {
            int peer = fabric.peer(fabric.portIndex(sw, port));
            if (peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer)) && !been[fabric.nodeOf(peer)]) {
                long unlike = unlike(sw, fabric.nodeOf(peer));
                if (unlike < least) {
                    least = unlike;
                    best = fabric.nodeOf(peer);
                }
            }
        }
        return best;
    }

    /** Returns how many switches are visited for one destination after the other, about. */
    private long unlike(int one, int other) {
        return (long) unlike(entries[one], entries[other]) * entryWeight
                + (long) unlike(sls[one], sls[other]) * slWeight;
    }

    private static int unlike(byte[] one, byte[] other) {
        int both = Math.min(one.length, other.length);
        int count = Math.max(one.length, other.length) - both;
        int at = 0;
        while (at < both) {
            int more = Arrays.mismatch(one, at, both, other, at, both);
            count += more < 0 ? 0 : 1;
            at = more < 0 ? both : at + more + 1;
        }
        return count;
    }
}
