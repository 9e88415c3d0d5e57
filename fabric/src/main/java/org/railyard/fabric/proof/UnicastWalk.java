package org.railyard.fabric.proof;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckReport.FaultKind;
import org.railyard.fabric.proof.DestinationClasses.Destination;
import org.railyard.fabric.proof.SourceGroups.Source;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/**
 * Adds the dependencies of all unicast flows to the graph, one destination class after the other. Switches are visited
 * in the order in which packets pass them, so that what arrives at a switch is complete before it is passed on (spec 32
 * §2).
 */
final class UnicastWalk {
    /** next: the table has no route. */
    private static final int NO_ROUTE = -1;

    /** next: the packet has arrived. */
    private static final int ARRIVED = -2;

    /** Destinations whose tables are read together. */
    private static final int BLOCK = 64;

    private final Fabric fabric;
    private final Routing routing;
    private final SlToVl slToVl;
    private final SourceGroups sources;
    private final CheckOptions options;
    private final DependencyGraph graph;
    private final FaultLog faults;

    // The cables between switches, by sending port: what the fabric says, close together in memory.
    private final int[] farSwitch;
    private final int[] farPort;

    /** Port index of port 0, by switch; one entry more than switches. */
    private final int[] firstPort;

    private final CablePairs ways;
    private final PairSets sets = new PairSets();

    /** For the class at hand, by level and SL class of the sender. */
    private final byte[][] slFrom;

    // For the class at hand, by switch: output port, its port index, switch behind it.
    private final int[] output;
    private final int[] outputIndex;
    private final int[] next;
    private final int[] waitingFor;
    private final int[] order;

    /** For the class at hand, by switch: the set of (VL, SL) that arrives by cables from other switches. */
    private final int[] arriving;

    UnicastWalk(
            Fabric fabric,
            Routing routing,
            SourceGroups sources,
            CheckOptions options,
            DependencyGraph graph,
            FaultLog faults) {
        this.fabric = fabric;
        this.routing = routing;
        this.slToVl = routing.slToVl();
        this.sources = sources;
        this.options = options;
        this.graph = graph;
        this.faults = faults;
        int switches = fabric.switchCount();
        farSwitch = new int[fabric.portCount()];
        farPort = new int[fabric.portCount()];
        for (int port = 0; port < farSwitch.length; port++) {
            int peer = fabric.peer(port);
            boolean toSwitch = peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer));
            farSwitch[port] = toSwitch ? fabric.nodeOf(peer) : NO_ROUTE;
            farPort[port] = toSwitch ? fabric.portNumber(peer) : Fabric.NONE;
        }
        firstPort = new int[switches + 1];
        for (int sw = 0; sw < switches; sw++) {
            firstPort[sw] = fabric.portIndex(sw, 0);
            firstPort[sw + 1] = firstPort[sw] + fabric.ports(sw) + 1;
        }
        boolean[] comes = new boolean[fabric.portCount()];
        for (int sw = 0; sw < switches; sw++) {
            for (int port = firstPort[sw]; port < firstPort[sw + 1]; port++) {
                comes[port] = farPort[port] != Fabric.NONE;
            }
            for (Source source : sources.of(sw)) {
                comes[firstPort[sw] + source.input()] = true;
            }
        }
        ways = new CablePairs(fabric, farPort, comes);
        slFrom = new byte[routing.sls().levels()][routing.sls().classes()];
        output = new int[switches];
        outputIndex = new int[switches];
        next = new int[switches];
        waitingFor = new int[switches];
        order = new int[switches];
        arriving = new int[switches];
    }

    /** Adds all flows to these destinations. */
    void addAll(List<Destination> destinations) {
        int[] lids = destinations.stream().mapToInt(Destination::lid).toArray();
        byte[][] columns = new byte[BLOCK][next.length];
        for (int first = 0; first < lids.length; first += BLOCK) {
            routing.forwarding().copyColumns(lids, first, columns);
            for (int i = first; i < Math.min(lids.length, first + BLOCK); i++) {
                add(destinations.get(i), columns[i - first]);
            }
        }
    }

    private void add(Destination destination, byte[] column) {
        if (sets.isFull()) {
            sets.clear();
            ways.clearSets();
        }
        boolean ends = follow(destination, column);
        fillSls(destination);
        int ordered = passAll(destination);
        if (ordered < next.length) {
            forwardingLoop(destination);
        }
        if (ends || ordered < next.length) {
            unreachable(destination, ordered);
        }
    }

    /** Returns whether there are switches that know no way. */
    private boolean follow(Destination destination, byte[] column) {
        boolean ends = false;
        Arrays.fill(waitingFor, 0);
        for (int sw = 0; sw < next.length; sw++) {
            int port = column[sw] & 0xFF;
            int to = NO_ROUTE;
            output[sw] = port;
            if (port > 0 && firstPort[sw] + port < firstPort[sw + 1]) {
                outputIndex[sw] = firstPort[sw] + port;
                to = farSwitch[firstPort[sw] + port];
            }
            if (sw == destination.sw() && destination.delivers()) {
                to = ARRIVED;
                outputIndex[sw] = firstPort[sw] + port;
            }
            next[sw] = to;
            if (to >= 0) {
                waitingFor[to]++;
            }
            ends |= to == NO_ROUTE;
        }
        return ends;
    }

    private void fillSls(Destination destination) {
        int destinationClass = routing.sls().classOf(destination.lid());
        for (int level = 0; level < slFrom.length; level++) {
            if (destinationClass < 0) {
                Arrays.fill(slFrom[level], (byte) PathSls.NO_SL);
            } else {
                routing.sls().slsTo(destinationClass, level, slFrom[level]);
            }
        }
    }

    /**
     * Passes on what arrives at each switch, in Kahn's order; switches on a forwarding loop are left over.
     *
     * @return how many switches are in the order
     */
    private int passAll(Destination destination) {
        Arrays.fill(arriving, PairSets.EMPTY);
        int tail = 0;
        for (int sw = 0; sw < next.length; sw++) {
            if (waitingFor[sw] == 0) {
                order[tail++] = sw;
            }
        }
        for (int head = 0; head < tail; head++) {
            int sw = order[head];
            int leaving = sets.union(arriving[sw], sent(destination, sw));
            int to = next[sw];
            if (to >= 0) {
                pass(destination, sw, to, leaving);
                if (--waitingFor[to] == 0) {
                    order[tail++] = to;
                }
            }
        }
        return tail;
    }

    private void forwardingLoop(Destination destination) {
        faults.add(FaultKind.FORWARDING_LOOP, destination.count(), () -> {
            int start = 0;
            while (waitingFor[start] == 0) {
                start++;
            }
            StringBuilder text = new StringBuilder("to " + lidName(destination.lid()) + ": ");
            int at = start;
            do {
                text.append(fabric.description(at)).append(" -> ");
                at = next[at];
            } while (at != start);
            return text.append(fabric.description(start)).toString();
        });
    }

    /** Returns what starts at the switch. */
    private int sent(Destination destination, int sw) {
        if (next[sw] == NO_ROUTE || next[sw] == ARRIVED && (!options.hostChannels() || output[sw] == 0)) {
            return PairSets.EMPTY;
        }
        int sent = PairSets.EMPTY;
        for (Source source : sources.of(sw)) {
            int sls = 0;
            for (byte[] from : slFrom) {
                int sl = source.slClass() < 0 ? PathSls.NO_SL : from[source.slClass()];
                if (sl == PathSls.NO_SL) {
                    noSl(destination, sw, source);
                } else {
                    sls |= 1 << sl;
                }
            }
            if (next[sw] != ARRIVED || source.lidTo(fabric.portOfLid(destination.lid())) != 0) {
                sent = sets.union(sent, enter(destination, sw, source, sls));
            }
        }
        return sent;
    }

    private void noSl(Destination destination, int sw, Source source) {
        int from = source.lidTo(fabric.portOfLid(destination.lid()));
        if (from != 0) {
            // What a port sends to itself needs no route, by any of its LIDs.
            faults.add(
                    FaultKind.NO_SL,
                    pairs(source, destination, sw),
                    () -> "no SL from " + lidName(from) + " to " + lidName(destination.lid()));
        }
    }

    /** Packets come from their sender to the first switch; returns what leaves it. */
    private int enter(Destination destination, int sw, Source source, int sls) {
        int table = table(sw, source.input(), ways.place(firstPort[sw] + source.input(), outputIndex[sw]));
        int entered = sets.enter(sls, table);
        int leaving = entered & ~PairSets.DROPS;
        if (entered != leaving || options.hostChannels() && source.input() != 0) {
            int from = source.lidTo(fabric.portOfLid(destination.lid()));
            for (int sl = 0; sl < Channel.VLS; sl++) {
                if ((sls >>> sl & 1) != 0) {
                    enterOne(destination, sw, source, from, sl);
                }
            }
        }
        return leaving;
    }

    private void enterOne(Destination destination, int sw, Source source, int from, int sl) {
        int vl = SlToVl.vl(slToVl.table(sw, source.input(), output[sw]), sl);
        if (vl == SlToVl.DROP) {
            dropped(destination, sw, () -> new Flow(from, destination.lid(), sl));
        } else if (options.hostChannels() && source.input() != 0) {
            int first = SlToVl.vl(slToVl.endTable(source.endPort()), sl);
            graph.add(
                    Channel.number(source.endPort(), first),
                    Channel.number(outputIndex[sw], vl),
                    from,
                    destination.lid(),
                    sl);
        }
    }

    /** Returns the number of the table from an input to the output at hand. */
    private int table(int sw, int input, int place) {
        if (place == CablePairs.NOT_KEPT) {
            return sets.table(slToVl.table(sw, input, output[sw]));
        }
        int known = ways.table(place);
        if (known < 0) {
            known = sets.table(slToVl.table(sw, input, output[sw]));
            ways.setTable(place, known);
        }
        return known;
    }

    /**
     * Returns how many pairs of a sender and a LID there are, without that of a port and itself. A destination that its
     * own switch does not deliver is alone in its class.
     */
    private long pairs(Source source, Destination destination, int sw) {
        boolean itself = sw == destination.sw() && sources.contains(source, sw, fabric.portOfLid(destination.lid()));
        return (long) source.count() * destination.count() - (itself ? 1 : 0);
    }

    /** What leaves a switch arrives at the next one and wants the channel behind it. */
    private void pass(Destination destination, int from, int sw, int set) {
        if (set == PairSets.EMPTY || next[sw] == NO_ROUTE || next[sw] == ARRIVED && output[sw] == 0) {
            return;
        }
        int input = farPort[outputIndex[from]];
        int place = ways.place(firstPort[sw] + input, outputIndex[sw]);
        int handedOn = sets.handOn(set, table(sw, input, place));
        int leaving = handedOn & ~PairSets.DROPS;
        if (handedOn != leaving) {
            drops(destination, from, sw, set);
        }
        if (next[sw] == ARRIVED && !options.hostChannels()) {
            return;
        }
        int known = place == CablePairs.NOT_KEPT ? PairSets.EMPTY : ways.knownSet(place);
        int all = sets.union(known, set);
        if (all != known) {
            addDependencies(destination, outputIndex[from], sw, set, known);
            if (place != CablePairs.NOT_KEPT) {
                ways.setKnown(place, all);
            }
        }
        arriving[sw] = sets.union(arriving[sw], leaving);
    }

    /** Adds what the pairs of a set wait for that are not in another set. */
    private void addDependencies(Destination destination, int fromPort, int sw, int set, int without) {
        long table = slToVl.table(sw, farPort[fromPort], output[sw]);
        for (int word = 0; word < PairSets.WORDS; word++) {
            long rest = sets.word(set, word) & ~sets.word(without, word);
            for (; rest != 0; rest &= rest - 1) {
                int pair = word << 6 | Long.numberOfTrailingZeros(rest);
                int out = SlToVl.vl(table, pair & 15);
                if (out != SlToVl.DROP) {
                    graph.add(
                            Channel.number(fromPort, pair >> 4),
                            Channel.number(outputIndex[sw], out),
                            DependencyGraph.SENDER_NOT_KEPT,
                            destination.lid(),
                            pair & 15);
                }
            }
        }
    }

    private void drops(Destination destination, int from, int sw, int set) {
        long table = slToVl.table(sw, farPort[outputIndex[from]], output[sw]);
        for (int word = 0; word < PairSets.WORDS; word++) {
            for (long rest = sets.word(set, word); rest != 0; rest &= rest - 1) {
                int pair = word << 6 | Long.numberOfTrailingZeros(rest);
                int channel = Channel.number(outputIndex[from], pair >> 4);
                if (SlToVl.vl(table, pair & 15) == SlToVl.DROP) {
                    dropped(
                            destination,
                            sw,
                            () -> senders()
                                    .through(channel, destination.lid(), pair & 15)
                                    .orElseThrow());
                }
            }
        }
    }

    private void dropped(Destination destination, int sw, Supplier<Flow> flow) {
        faults.add(
                FaultKind.DROPPED,
                destination.count(),
                () -> "%s drops %s (VL 15 towards port %d)"
                        .formatted(fabric.description(sw), flow.get().text(fabric), output[sw]));
    }

    /** Returns who makes dependencies. */
    FlowSearch senders() {
        return new FlowSearch(fabric, routing, sources);
    }

    private void unreachable(Destination destination, int ordered) {
        boolean[] arrives = new boolean[next.length];
        for (int i = ordered - 1; i >= 0; i--) {
            int sw = order[i];
            arrives[sw] = next[sw] == ARRIVED || next[sw] >= 0 && arrives[next[sw]];
        }
        for (int sw = 0; sw < arrives.length; sw++) {
            if (!arrives[sw]) {
                for (Source source : sources.of(sw)) {
                    int start = sw;
                    long pairs = pairs(source, destination, sw);
                    if (pairs == 0) {
                        continue;
                    }
                    faults.add(
                            FaultKind.UNREACHABLE,
                            pairs,
                            () -> "no route from %s to %s: %s"
                                    .formatted(
                                            lidName(source.lidTo(fabric.portOfLid(destination.lid()))),
                                            lidName(destination.lid()),
                                            whereItEnds(start)));
                }
            }
        }
    }

    private String whereItEnds(int start) {
        int at = start;
        for (int hops = 0; hops <= next.length && next[at] >= 0; hops++) {
            at = next[at];
        }
        return next[at] >= 0 ? "it goes round" : "it ends at %s, port %d".formatted(fabric.description(at), output[at]);
    }

    private String lidName(int lid) {
        int port = fabric.portOfLid(lid);
        return "%s (LID %d)".formatted(port == Fabric.NONE ? "?" : fabric.description(fabric.nodeOf(port)), lid);
    }
}
