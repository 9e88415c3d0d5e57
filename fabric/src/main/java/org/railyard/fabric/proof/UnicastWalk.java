package org.railyard.fabric.proof;

import java.util.Arrays;
import java.util.List;
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

    private final PassedOn passedOn;

    // For the class at hand, by switch: output port, its port index, switch behind it.
    private final int[] output;
    private final int[] outputIndex;
    private final int[] next;
    private final int[] waitingFor;
    private final int[] order;
    private final boolean[] arrives;

    // What leaves each switch: VL and SL in a byte, with a source LID each; a bit per pair says what is there.
    private final long[] present;
    private final byte[] pairs;
    private final char[] pairSource;
    private final int[] pairCount;

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
        passedOn = new PassedOn(fabric, farPort);
        output = new int[switches];
        outputIndex = new int[switches];
        next = new int[switches];
        waitingFor = new int[switches];
        order = new int[switches];
        arrives = new boolean[switches];
        present = new long[switches * 4];
        pairs = new byte[switches << 8];
        pairSource = new char[switches << 8];
        pairCount = new int[switches];
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
        follow(destination, column);
        int ordered = order();
        if (ordered < next.length) {
            forwardingLoop(destination);
        }
        Arrays.fill(present, 0);
        Arrays.fill(pairCount, 0);
        for (int i = 0; i < ordered; i++) {
            int sw = order[i];
            send(destination, sw);
            if (next[sw] >= 0) {
                pass(destination, sw, next[sw]);
            }
        }
        unreachable(destination, ordered);
    }

    private void follow(Destination destination, byte[] column) {
        for (int sw = 0; sw < next.length; sw++) {
            int port = column[sw] & 0xFF;
            output[sw] = port;
            next[sw] = NO_ROUTE;
            if (port > 0 && firstPort[sw] + port < firstPort[sw + 1]) {
                outputIndex[sw] = firstPort[sw] + port;
                next[sw] = farSwitch[outputIndex[sw]];
            }
        }
        if (destination.delivers()) {
            next[destination.sw()] = ARRIVED;
            outputIndex[destination.sw()] = firstPort[destination.sw()] + output[destination.sw()];
        }
    }

    /** Kahn's order of the switches; those on a forwarding loop are left over, at the end of the array. */
    private int order() {
        Arrays.fill(waitingFor, 0);
        for (int to : next) {
            if (to >= 0) {
                waitingFor[to]++;
            }
        }
        int tail = 0;
        for (int sw = 0; sw < next.length; sw++) {
            if (waitingFor[sw] == 0) {
                order[tail++] = sw;
            }
        }
        for (int head = 0; head < tail; head++) {
            int to = next[order[head]];
            if (to >= 0 && --waitingFor[to] == 0) {
                order[tail++] = to;
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

    /** What starts at the switch. */
    private void send(Destination destination, int sw) {
        if (next[sw] == NO_ROUTE || next[sw] == ARRIVED && (!options.hostChannels() || output[sw] == 0)) {
            return;
        }
        PathSls sls = routing.sls();
        int destinationClass = sls.classOf(destination.lid());
        int self = fabric.portOfLid(destination.lid());
        for (Source source : sources.of(sw)) {
            int from = source.lidTo(self);
            if (from == 0) {
                // What a port sends to itself needs no route, by any of its LIDs.
                continue;
            }
            for (int level = 0; level < sls.levels(); level++) {
                int sl = source.slClass() < 0 || destinationClass < 0
                        ? PathSls.NO_SL
                        : sls.classSl(source.slClass(), destinationClass, level);
                if (sl == PathSls.NO_SL) {
                    faults.add(
                            FaultKind.NO_SL,
                            pairs(source, destination, sw),
                            () -> "no SL from " + lidName(from) + " to " + lidName(destination.lid()));
                } else {
                    enter(destination, sw, source, from, sl);
                }
            }
        }
    }

    /** A packet comes from its sender to the first switch. */
    private void enter(Destination destination, int sw, Source source, int from, int sl) {
        int vl = SlToVl.vl(slToVl.table(sw, source.input(), output[sw]), sl);
        if (vl == SlToVl.DROP) {
            dropped(destination, sw, from, sl);
            return;
        }
        if (options.hostChannels() && source.input() != 0) {
            int first = SlToVl.vl(slToVl.endTable(source.endPort()), sl);
            graph.add(
                    Channel.number(source.endPort(), first),
                    Channel.number(outputIndex[sw], vl),
                    from,
                    destination.lid(),
                    sl);
        }
        leaves(sw, vl, sl, from);
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
    private void pass(Destination destination, int from, int sw) {
        if (next[sw] == NO_ROUTE || next[sw] == ARRIVED && output[sw] == 0) {
            return;
        }
        int input = farPort[outputIndex[from]];
        long table = slToVl.table(sw, input, output[sw]);
        boolean last = next[sw] == ARRIVED;
        boolean allKnown = passedOn.addAll(firstPort[sw] + input, outputIndex[sw], present, from << 2);
        for (int i = from << 8; i < (from << 8) + pairCount[from]; i++) {
            int vl = pairs[i] >> 4 & 15;
            int sl = pairs[i] & 15;
            int out = SlToVl.vl(table, sl);
            if (out == SlToVl.DROP) {
                dropped(destination, sw, pairSource[i], sl);
            } else if (!last || options.hostChannels()) {
                if (!allKnown) {
                    graph.add(
                            Channel.number(outputIndex[from], vl),
                            Channel.number(outputIndex[sw], out),
                            pairSource[i],
                            destination.lid(),
                            sl);
                }
                leaves(sw, out, sl, pairSource[i]);
            }
        }
    }

    private void leaves(int sw, int vl, int sl, int sourceLid) {
        int pair = vl << 4 | sl;
        int word = sw << 2 | pair >> 6;
        if ((present[word] >>> pair & 1) == 0) {
            present[word] |= 1L << pair;
            int at = (sw << 8) + pairCount[sw]++;
            pairs[at] = (byte) pair;
            pairSource[at] = (char) sourceLid;
        }
    }

    private void dropped(Destination destination, int sw, int sourceLid, int sl) {
        faults.add(
                FaultKind.DROPPED,
                destination.count(),
                () -> "%s drops %s (VL 15 towards port %d)"
                        .formatted(
                                fabric.description(sw),
                                new Flow(sourceLid, destination.lid(), sl).text(fabric),
                                output[sw]));
    }

    private void unreachable(Destination destination, int ordered) {
        Arrays.fill(arrives, false);
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
