package org.railyard.fabric.proof;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/**
 * Destinations, one LID for all that can not be told apart: same switch, same SLs, same output ports at all other
 * switches, same SL to VL on the last hop, and on the first one of what they send themselves, so that all are in one
 * group of senders (spec 32 §2).
 */
final class DestinationClasses {
    private final Fabric fabric;
    private final Routing routing;
    private final List<Destination> destinations = new ArrayList<>();

    /**
     * One class.
     *
     * @param lid the smallest of its LIDs
     * @param count how many LIDs there are
     * @param sw switch of the LIDs
     * @param output port of that switch towards this LID
     * @param delivers whether the switch's table says so too; only then do others belong to the class
     */
    record Destination(int lid, int count, int sw, int output, boolean delivers) {}

    DestinationClasses(Fabric fabric, Routing routing, CheckOptions options) {
        this.fabric = fabric;
        this.routing = routing;
        Destination[] candidates = new Destination[fabric.maxLid() + 1];
        for (int lid = 1; lid < candidates.length; lid++) {
            int port = fabric.portOfLid(lid);
            if (port != Fabric.NONE && SourceGroups.isSource(fabric, port, options)) {
                int sw = fabric.switchOf(port);
                int output = fabric.switchPortOf(port);
                boolean delivers = routing.forwarding().port(sw, lid) == output;
                candidates[lid] = new Destination(lid, 1, sw, output, delivers);
            }
        }
        int[] standsFor = standsFor(candidates, options);
        int[] place = new int[candidates.length];
        for (int lid = 1; lid < candidates.length; lid++) {
            Destination one = candidates[lid];
            if (one == null) {
                continue;
            }
            if (standsFor[lid] == lid) {
                place[lid] = destinations.size();
                destinations.add(one);
            } else {
                Destination old = destinations.get(place[standsFor[lid]]);
                destinations.set(
                        place[standsFor[lid]], new Destination(old.lid, old.count + 1, old.sw, old.output, true));
            }
        }
    }

    /**
     * For each LID a smaller one that can not be told apart from it, or itself. Most are like the LID before them at
     * their switch, which one pass over the tables tells. The others are found by hashes of their columns, then
     * compared row by row.
     */
    private int[] standsFor(@Nullable Destination[] candidates, CheckOptions options) {
        int[] standsFor = new int[candidates.length];
        Arrays.setAll(standsFor, lid -> lid);
        if (options.hostChannels()) {
            return standsFor;
        }
        int[] first = new int[candidates.length];
        Destination[] firsts = firsts(candidates, first);
        int[] alike = alikeByHash(firsts);
        for (int lid = 1; lid < standsFor.length; lid++) {
            standsFor[lid] = alike[first[lid]];
        }
        return standsFor;
    }

    /**
     * Puts LIDs together with the one before them at the same switch.
     *
     * @param first gets for each LID the first one of a row of LIDs that can not be told apart
     * @return the destinations that are such a first one
     */
    private @Nullable Destination[] firsts(@Nullable Destination[] candidates, int[] first) {
        int[] before = new int[candidates.length];
        int[] lastOf = new int[fabric.switchCount()];
        for (int lid = 1; lid < candidates.length; lid++) {
            Destination one = candidates[lid];
            first[lid] = lid;
            if (one != null) {
                before[lid] = lastOf[one.sw];
                lastOf[one.sw] = lid;
            }
        }
        int[] lids = IntStream.range(1, candidates.length)
                .filter(lid -> before[lid] != 0)
                .toArray();
        int[] others = Arrays.stream(lids).map(lid -> before[lid]).toArray();
        int[] switches =
                Arrays.stream(lids).map(fabric::portOfLid).map(fabric::switchOf).toArray();
        byte[] unlike = routing.forwarding().unlike(lids, others, switches);
        @Nullable Destination[] firsts = candidates.clone();
        for (int i = 0; i < lids.length; i++) {
            Destination one = candidates[lids[i]];
            Destination other = candidates[others[i]];
            if (unlike[i] == 0 && one != null && other != null && alikeAtTheLastSwitch(other, one)) {
                first[lids[i]] = first[others[i]];
                firsts[lids[i]] = null;
            }
        }
        return firsts;
    }

    private int[] alikeByHash(@Nullable Destination[] candidates) {
        int[] standsFor = new int[candidates.length];
        int[] ofSwitch = new int[fabric.switchCount()];
        for (Destination one : candidates) {
            if (one != null) {
                ofSwitch[one.sw]++;
            }
        }
        // What is alone at its switch is like no other.
        int[] lids = IntStream.range(1, candidates.length)
                .filter(lid -> isOneOfMany(candidates[lid], ofSwitch))
                .toArray();
        long[] hashes = columnHashes(candidates, lids);
        Map<Long, List<Destination>> byHash = new TreeMap<>();
        for (int lid = 1; lid < candidates.length; lid++) {
            Destination one = candidates[lid];
            standsFor[lid] = lid;
            if (one == null) {
                continue;
            }
            List<Destination> known = byHash.computeIfAbsent(hashes[lid] * 31 + one.sw, _ -> new ArrayList<>(1));
            for (Destination other : known) {
                if (alikeAtTheLastSwitch(other, one)) {
                    standsFor[lid] = other.lid;
                    break;
                }
            }
            if (standsFor[lid] == lid) {
                known.add(one);
            }
        }
        boolean[] differs = new boolean[candidates.length];
        ForwardingTables tables = routing.forwarding();
        int[] followers =
                Arrays.stream(lids).filter(lid -> standsFor[lid] != lid).toArray();
        for (int sw = 0; followers.length > 0 && sw < fabric.switchCount(); sw++) {
            for (int lid : followers) {
                Destination one = candidates[lid];
                if (one != null && one.sw != sw) {
                    differs[lid] |= tables.port(sw, lid) != tables.port(sw, standsFor[lid]);
                }
            }
        }
        for (int lid : followers) {
            // Two columns with one hash: nobody will see it, but it would be wrong to trust that.
            standsFor[lid] = differs[lid] ? lid : standsFor[lid];
        }
        return standsFor;
    }

    private static boolean isOneOfMany(@Nullable Destination one, int[] ofSwitch) {
        return one != null && ofSwitch[one.sw] > 1;
    }

    /** One pass over the rows, as they lie in memory. */
    private long[] columnHashes(@Nullable Destination[] candidates, int[] lids) {
        long[] hashes = new long[candidates.length];
        ForwardingTables tables = routing.forwarding();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int lid : lids) {
                Destination one = candidates[lid];
                if (one != null && one.sw != sw) {
                    hashes[lid] = (hashes[lid] ^ tables.port(sw, lid)) * 0x100000001B3L;
                }
            }
        }
        return hashes;
    }

    private boolean alikeAtTheLastSwitch(Destination a, Destination b) {
        PathSls sls = routing.sls();
        if (a.sw != b.sw || !a.delivers || !b.delivers || sls.classOf(a.lid) != sls.classOf(b.lid)) {
            return false;
        }
        SlToVl slToVl = routing.slToVl();
        for (int port = 0; port <= fabric.ports(a.sw); port++) {
            boolean alike = slToVl.table(a.sw, port, a.output) == slToVl.table(a.sw, port, b.output)
                    && slToVl.table(a.sw, a.output, port) == slToVl.table(a.sw, b.output, port);
            if (!alike) {
                return false;
            }
        }
        return true;
    }

    List<Destination> all() {
        return destinations;
    }
}
