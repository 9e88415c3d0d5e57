package org.railyard.fabric.proof;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;

/**
 * Destinations, one LID for all that can not be told apart: same switch, same SLs, same output ports at all other switches, same SL to VL on the
 * last hop (spec 32 §2).
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
        long[] hashes = columnHashes();
        Map<Long, List<Integer>> byHash = new TreeMap<>();
        for (int lid = 1; lid <= fabric.maxLid(); lid++) {
            int port = fabric.portOfLid(lid);
            if (port == Fabric.NONE || !SourceGroups.isSource(fabric, port, options)) {
                continue;
            }
            int sw = fabric.switchOf(port);
            int output = fabric.switchPortOf(port);
            boolean delivers = routing.forwarding().port(sw, lid) == output;
            Destination one = new Destination(lid, 1, sw, output, delivers);
            int same = -1;
            List<Integer> known = byHash.computeIfAbsent(hashes[lid] * 31 + sw, _ -> new ArrayList<>(1));
            for (int candidate : known) {
                if (!options.hostChannels() && same(destinations.get(candidate), one)) {
                    same = candidate;
                    break;
                }
            }
            if (same < 0) {
                known.add(destinations.size());
                destinations.add(one);
            } else {
                Destination old = destinations.get(same);
                destinations.set(same, new Destination(old.lid, old.count + 1, sw, old.output, true));
            }
        }
    }

    /** One pass over the rows, as they lie in memory. */
    private long[] columnHashes() {
        long[] hashes = new long[fabric.maxLid() + 1];
        int[] switchOfLid = new int[hashes.length];
        for (int lid = 1; lid < hashes.length; lid++) {
            int port = fabric.portOfLid(lid);
            switchOfLid[lid] = port == Fabric.NONE ? Fabric.NONE : fabric.switchOf(port);
        }
        ForwardingTables tables = routing.forwarding();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int lid = 1; lid < hashes.length; lid++) {
                if (switchOfLid[lid] != sw) {
                    hashes[lid] = (hashes[lid] ^ tables.port(sw, lid)) * 0x100000001B3L;
                }
            }
        }
        return hashes;
    }

    private boolean same(Destination a, Destination b) {
        PathSls sls = routing.sls();
        if (a.sw != b.sw || !a.delivers || !b.delivers || sls.classOf(a.lid) != sls.classOf(b.lid)) {
            return false;
        }
        for (int in = 0; in <= fabric.ports(a.sw); in++) {
            if (routing.slToVl().table(a.sw, in, a.output) != routing.slToVl().table(a.sw, in, b.output)) {
                return false;
            }
        }
        ForwardingTables tables = routing.forwarding();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (sw != a.sw && tables.port(sw, a.lid) != tables.port(sw, b.lid)) {
                return false;
            }
        }
        return true;
    }

    List<Destination> all() {
        return destinations;
    }
}
