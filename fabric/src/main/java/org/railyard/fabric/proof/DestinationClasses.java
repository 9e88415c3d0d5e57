package org.railyard.fabric.proof;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
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
    /** Instead of a place in a list: there is none. */
    private static final int NONE = -1;

    private final Fabric fabric;
    private final Routing routing;
    private final List<Destination> destinations;

    /**
     * One class.
     *
     * @param lid the smallest of its LIDs
     * @param count how many LIDs there are
     * @param sw switch of the LIDs
     * @param output port of that switch towards this LID
     * @param delivers whether the switch's table says so too; only then do others belong to the class
     */
    record Destination(int lid, int count, int sw, int output, boolean delivers) {
        private Destination with(int others) {
            return new Destination(lid, count + others, sw, output, delivers);
        }
    }

    DestinationClasses(Fabric fabric, Routing routing, CheckOptions options) {
        this.fabric = fabric;
        this.routing = routing;
        List<Destination> each = new ArrayList<>();
        for (int lid = 1; lid <= fabric.maxLid(); lid++) {
            int port = fabric.portOfLid(lid);
            if (port != Fabric.NONE && SourceGroups.isSource(fabric, port, options)) {
                int sw = fabric.switchOf(port);
                int output = fabric.switchPortOf(port);
                each.add(
                        new Destination(lid, 1, sw, output, routing.forwarding().port(sw, lid) == output));
            }
        }
        destinations = options.hostChannels() ? each : merged(each);
    }

    /** Most are like the one before them at their switch; the others are found by hashes of their columns. */
    private List<Destination> merged(List<Destination> each) {
        List<Destination> rows = merged(each, before(each));
        return merged(rows, ofOneHash(rows));
    }

    /**
     * Puts destinations together that can not be told apart.
     *
     * @param others by place: the place of a smaller one that it may be like, {@link #NONE} if there is none
     */
    private List<Destination> merged(List<Destination> each, int[] others) {
        int[] places =
                IntStream.range(0, others.length).filter(i -> others[i] != NONE).toArray();
        byte[] unlike = routing.forwarding()
                .unlike(
                        Arrays.stream(places).map(i -> each.get(i).lid).toArray(),
                        Arrays.stream(places).map(i -> each.get(others[i]).lid).toArray(),
                        Arrays.stream(places).map(i -> each.get(i).sw).toArray());
        int[] first = IntStream.range(0, others.length).toArray();
        for (int i = 0; i < places.length; i++) {
            if (unlike[i] == 0 && alikeAtTheLastSwitch(each.get(others[places[i]]), each.get(places[i]))) {
                first[places[i]] = first[others[places[i]]];
            }
        }
        int[] more = new int[others.length];
        for (int i = 0; i < more.length; i++) {
            more[first[i]] += first[i] == i ? 0 : each.get(i).count;
        }
        return IntStream.range(0, more.length)
                .filter(i -> first[i] == i)
                .mapToObj(i -> each.get(i).with(more[i]))
                .toList();
    }

    /** Returns by place that of the one before at the same switch. */
    private int[] before(List<Destination> each) {
        int[] before = new int[each.size()];
        int[] lastOf = new int[fabric.switchCount()];
        Arrays.fill(lastOf, NONE);
        for (int i = 0; i < before.length; i++) {
            before[i] = lastOf[each.get(i).sw];
            lastOf[each.get(i).sw] = i;
        }
        return before;
    }

    /** Returns by place that of the first one alike at the last switch whose column has the same hash. */
    private int[] ofOneHash(List<Destination> each) {
        int[] ofSwitch = new int[fabric.switchCount()];
        each.forEach(one -> ofSwitch[one.sw]++);
        // What is alone at its switch is like no other.
        int[] places = IntStream.range(0, each.size())
                .filter(i -> ofSwitch[each.get(i).sw] > 1)
                .toArray();
        long[] hashes = columnHashes(each, places);
        int[] same = new int[each.size()];
        Arrays.fill(same, NONE);
        Map<Long, List<Integer>> byHash = new LinkedHashMap<>();
        for (int i : places) {
            List<Integer> known = byHash.computeIfAbsent(hashes[i], _ -> new ArrayList<>(1));
            same[i] = known.stream()
                    .filter(other -> alikeAtTheLastSwitch(each.get(other), each.get(i)))
                    .findFirst()
                    .orElse(NONE);
            if (same[i] == NONE) {
                known.add(i);
            }
        }
        return same;
    }

    /** One pass over the rows, as they lie in memory. */
    private long[] columnHashes(List<Destination> each, int[] places) {
        long[] hashes = each.stream().mapToLong(Destination::sw).toArray();
        ForwardingTables tables = routing.forwarding();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int i : places) {
                Destination one = each.get(i);
                if (one.sw != sw) {
                    hashes[i] = (hashes[i] ^ tables.port(sw, one.lid)) * 0x100000001B3L;
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
