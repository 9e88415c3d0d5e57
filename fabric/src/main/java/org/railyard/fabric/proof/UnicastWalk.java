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
 * §2). What is passed on is a set of SLs: VLs follow from these and from the way, see {@link Ways}.
 *
 * <p>Where packets to a destination go the same ways as those to the one before it, with the same SLs, there is nothing
 * to add. So only those switches are visited where an entry or an SL is another one, what lies behind them on the way,
 * and the two before an entry. After a destination with faults, or with too many such switches, all are visited: each
 * fault is told of each destination.
 */
final class UnicastWalk {
    /** next: the table has no route. */
    private static final int NO_ROUTE = -1;

    /** next: the packet has arrived. */
    private static final int ARRIVED = -2;

    /** waitingFor: the switch has been visited. */
    private static final int DONE = -1;

    /** Destinations whose tables are read together: as many as lie in most cache lines of a row. */
    private static final int BLOCK = 512;

    /** All switches are visited if at least one in so many is not as for the destination before. */
    private static final int MOST_CHANGES = 2;

    private static final int ALL_SLS = PathSls.NO_SL_BIT - 1;

    private final Fabric fabric;
    private final Routing routing;
    private final SlToVl slToVl;
    private final SourceGroups sources;
    private final CheckOptions options;
    private final DependencyGraph graph;
    private final FaultLog faults;
    private final SlClaims claims;

    // The cables between switches, by sending port: what the fabric says, close together in memory.
    private final int[] farSwitch;
    private final int[] farPort;

    /** Port index of port 0, by switch; one entry more than switches. */
    private final int[] firstPort;

    private final Ways ways;
    /** By sending port: where the ways of what it sends begin at the next switch. */
    private final int[] farBase;

    private final SenderTable senders;

    /** By sender: where the ways of its packets begin. */
    private final int[] senderBase;

    /** For the class at hand, by SL class of the sender: the SLs that it uses. */
    private int[] slsFrom;

    /** The same for the class before. */
    private int[] slsBefore;

    // For the class at hand, by switch: port index of the output (of port 0 if there is no route), switch behind it.
    private final int[] output;
    private final int[] next;
    private final int[] waitingFor;

    // Of the output, by switch: its rank, and where the ways of what it sends begin at the next switch.
    private final int[] outputRank;
    private final int[] nextBase;

    /** For the class at hand, by switch: SLs of the packets that come by cables from other switches and go on. */
    private final int[] arriving;

    /** For the class at hand, by switch: SLs of the packets that leave by a cable to another switch. */
    private final char[] leaving;

    /** Those of them that the switch behind the cable does not drop. */
    private final char[] passed;

    /** For the class at hand, by switch: its table. */
    private final byte[] table;

    /** How many switches have no route to the class at hand. */
    private int ends;

    /** The switch that delivers to the class at hand, negative if none does. */
    private int delivering = Fabric.NONE;

    /** Whether the ways to the class before are all known, and without faults. */
    private boolean isKnown;

    // Switches that are visited because something changed there: a number of the turn for each that is among them.
    private final int[] changed;
    private int changedCount;
    private final int[] isChanged;
    private final int[] wasNext;
    private final int[] newSls;
    private int newSlCount;
    private final int[] again;
    private int againCount;
    private final int[] isAgain;
    private int turn;

    UnicastWalk(
            Fabric fabric,
            Routing routing,
            SourceGroups sources,
            CheckOptions options,
            DependencyGraph graph,
            FaultLog faults,
            SlClaims claims) {
        this(fabric, routing, sources, options, graph, faults, claims, Ways.MOST);
    }

    /** Makes one that keeps as much as wanted of {@link Ways}: with less it only takes longer. */
    UnicastWalk(
            Fabric fabric,
            Routing routing,
            SourceGroups sources,
            CheckOptions options,
            DependencyGraph graph,
            FaultLog faults,
            SlClaims claims,
            int mostKept) {
        this.fabric = fabric;
        this.routing = routing;
        this.slToVl = routing.slToVl();
        this.sources = sources;
        this.options = options;
        this.graph = graph;
        this.faults = faults;
        this.claims = claims;
        int switches = fabric.switchCount();
        farSwitch = new int[fabric.portCount()];
        farPort = new int[fabric.portCount()];
        boolean[] comes = new boolean[fabric.portCount()];
        boolean[] leaves = new boolean[fabric.portCount()];
        for (int port = 0; port < farSwitch.length; port++) {
            int peer = fabric.peer(port);
            boolean toSwitch = peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer));
            farSwitch[port] = toSwitch ? fabric.nodeOf(peer) : NO_ROUTE;
            farPort[port] = toSwitch ? peer : Fabric.NONE;
            comes[port] = toSwitch && fabric.isSwitch(fabric.nodeOf(port));
            leaves[port] = comes[port]
                    || options.hostChannels() && peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(port));
        }
        firstPort = new int[switches + 1];
        for (int sw = 0; sw < switches; sw++) {
            firstPort[sw] = fabric.portIndex(sw, 0);
            firstPort[sw + 1] = firstPort[sw] + fabric.ports(sw) + 1;
        }
        senders = new SenderTable(fabric, sources, routing.sls().classes());
        senders.inputs().forEach(input -> comes[input] = true);
        ways = new Ways(fabric, slToVl, farSwitch, comes, leaves, mostKept);
        senderBase = senders.inputs().map(ways::base).toArray();
        farBase = Arrays.stream(farPort).map(ways::base).toArray();
        slsFrom = new int[routing.sls().classes()];
        slsBefore = new int[slsFrom.length];
        output = new int[switches];
        next = new int[switches];
        waitingFor = new int[switches];
        outputRank = new int[switches];
        nextBase = new int[switches];
        arriving = new int[switches];
        leaving = new char[switches];
        passed = new char[switches];
        table = new byte[switches];
        changed = new int[switches];
        isChanged = new int[switches];
        wasNext = new int[switches];
        newSls = new int[switches];
        again = new int[switches];
        isAgain = new int[switches];
    }

    /** Adds all flows to these destinations. */
    void addAll(List<Destination> destinations) {
        int[] lids = destinations.stream().mapToInt(Destination::lid).toArray();
        byte[][] columns = new byte[Math.min(BLOCK, lids.length)][next.length];
        for (int first = 0; first < lids.length; first += BLOCK) {
            routing.forwarding().copyColumns(lids, first, columns);
            for (int i = first; i < Math.min(lids.length, first + BLOCK); i++) {
                add(destinations.get(i), columns[i - first]);
            }
        }
    }

    private void add(Destination destination, byte[] column) {
        long faultsBefore = faults.count();
        int[] other = slsBefore;
        slsBefore = slsFrom;
        slsFrom = other;
        int destinationClass = routing.sls().classOf(destination.lid());
        if (destinationClass < 0) {
            Arrays.fill(slsFrom, PathSls.NO_SL_BIT);
        } else {
            routing.sls().slSetsTo(destinationClass, slsFrom);
        }
        int visited = next.length;
        if (!isKnown || !findChanges(destination, column) || !passChanges(destination, column)) {
            follow(destination, column);
            visited = passAll(destination);
        }
        if (visited < next.length) {
            forwardingLoop(destination);
        }
        if (ends > 0 || visited < next.length) {
            unreachable(destination);
        }
        isKnown = visited == next.length && faults.count() == faultsBefore && !options.hostChannels();
        claims.to(destination.lid(), column, leaving);
    }

    /** Looks at all entries. */
    private void follow(Destination destination, byte[] column) {
        ends = 0;
        System.arraycopy(column, 0, table, 0, table.length);
        delivering = destination.delivers() ? destination.sw() : Fabric.NONE;
        Arrays.fill(waitingFor, 0);
        for (int sw = 0; sw < next.length; sw++) {
            follow(sw);
            if (next[sw] >= 0) {
                waitingFor[next[sw]]++;
            }
            ends += next[sw] == NO_ROUTE ? 1 : 0;
        }
    }

    private void follow(int sw) {
        int port = firstPort[sw] + (table[sw] & 0xFF);
        int to = port < firstPort[sw + 1] ? farSwitch[port] : NO_ROUTE;
        if (sw == delivering) {
            to = ARRIVED;
        }
        next[sw] = to;
        output[sw] = to == NO_ROUTE ? firstPort[sw] : port;
        outputRank[sw] = ways.rank(output[sw]);
        nextBase[sw] = farBase[output[sw]];
    }

    /**
     * Passes on what arrives at each switch, when nothing more can come there; switches on a forwarding loop are left
     * over.
     *
     * @return how many switches were visited
     */
    private int passAll(Destination destination) {
        Arrays.fill(arriving, 0);
        Arrays.fill(leaving, (char) 0);
        int visited = 0;
        for (int start = 0; start < next.length; start++) {
            int sw = start;
            // Goes on as long as each next switch has waited for this one only.
            while (sw >= 0 && waitingFor[sw] == 0) {
                waitingFor[sw] = DONE;
                visited++;
                int to = next[sw];
                passOn(destination, sw, arriving[sw]);
                if (to >= 0) {
                    arriving[to] |= passed[sw];
                    waitingFor[to]--;
                }
                sw = to;
            }
        }
        return visited;
    }

    private void passOn(Destination destination, int sw, int comes) {
        int leaves = comes | sent(destination, sw);
        int to = next[sw];
        leaving[sw] = (char) (to >= 0 ? leaves : 0);
        passed[sw] = (char) (to >= 0 && leaves != 0 ? cross(destination, sw, nextBase[sw], to, leaves) : 0);
    }

    /** Finds the switches with another entry, or senders with other SLs, than before; false if they are too many. */
    private boolean findChanges(Destination destination, byte[] column) {
        turn++;
        changedCount = 0;
        int most = next.length / MOST_CHANGES;
        for (int sw = otherEntry(column, 0); sw >= 0; sw = otherEntry(column, sw + 1)) {
            if (changedCount >= most) {
                return false;
            }
            change(sw);
        }
        change(destination.sw());
        if (delivering != Fabric.NONE) {
            change(delivering);
        }
        newSlCount = 0;
        for (int slClass = otherSls(0); slClass >= 0; slClass = otherSls(slClass + 1)) {
            for (int i = senders.firstOfClass(slClass); i < senders.firstOfClass(slClass + 1); i++) {
                if (newSlCount >= most) {
                    return false;
                }
                newSls[newSlCount++] = senders.switchOfClass(i);
            }
        }
        return true;
    }

    /** Returns the next switch, from one on, whose entry is another one than before; negative if there is none. */
    private int otherEntry(byte[] column, int from) {
        int at = Arrays.mismatch(table, from, table.length, column, from, table.length);
        return at < 0 ? at : from + at;
    }

    /** The same for classes of senders that use other SLs. */
    private int otherSls(int from) {
        int at = Arrays.mismatch(slsBefore, from, slsBefore.length, slsFrom, from, slsFrom.length);
        return at < 0 ? at : from + at;
    }

    private void change(int sw) {
        if (isChanged[sw] != turn) {
            isChanged[sw] = turn;
            changed[changedCount++] = sw;
        }
    }

    /** Visits what changes have to do with; false if packets go round: then nothing is known. */
    private boolean passChanges(Destination destination, byte[] column) {
        System.arraycopy(column, 0, table, 0, table.length);
        delivering = destination.delivers() ? destination.sw() : Fabric.NONE;
        for (int i = 0; i < changedCount; i++) {
            int sw = changed[i];
            wasNext[i] = next[sw];
            ends -= next[sw] == NO_ROUTE ? 1 : 0;
            follow(sw);
            ends += next[sw] == NO_ROUTE ? 1 : 0;
        }
        againCount = 0;
        for (int i = 0; i < changedCount; i++) {
            markBefore(changed[i], 2);
            // What came from here does not come any more.
            mark(wasNext[i]);
        }
        for (int i = 0; i < newSlCount; i++) {
            mark(newSls[i]);
        }
        for (int i = 0; i < againCount; i++) {
            if (next[again[i]] >= 0) {
                waitingFor[next[again[i]]]++;
            }
        }
        int visited = 0;
        for (int i = 0; i < againCount; i++) {
            int sw = again[i];
            while (sw >= 0 && waitingFor[sw] == 0) {
                waitingFor[sw] = DONE;
                visited++;
                passOn(destination, sw, coming(sw));
                sw = next[sw];
                if (sw >= 0) {
                    waitingFor[sw]--;
                }
            }
        }
        return visited == againCount;
    }

    /** Marks a switch, and those before it whose packets want its output next, or the output behind the next. */
    private void markBefore(int sw, int levels) {
        mark(sw);
        for (int port = firstPort[sw] + 1; levels > 0 && port < firstPort[sw + 1]; port++) {
            int from = farSwitch[port];
            if (from >= 0 && output[from] == farPort[port]) {
                markBefore(from, levels - 1);
            }
        }
    }

    /** Marks a switch and all behind it, where what arrives may change. */
    private void mark(int first) {
        for (int sw = first; sw >= 0 && isAgain[sw] != turn; sw = next[sw]) {
            isAgain[sw] = turn;
            waitingFor[sw] = 0;
            again[againCount++] = sw;
        }
    }

    /** Returns the SLs of the packets that come to a switch from others and go on. */
    private int coming(int sw) {
        int sls = 0;
        for (int port = firstPort[sw] + 1; port < firstPort[sw + 1]; port++) {
            int from = farSwitch[port];
            if (from >= 0 && output[from] == farPort[port]) {
                sls |= passed[from];
            }
        }
        return sls;
    }

    private void forwardingLoop(Destination destination) {
        faults.add(FaultKind.FORWARDING_LOOP, destination.count(), () -> {
            int start = 0;
            while (waitingFor[start] <= 0) {
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

    /** Returns the SLs of the packets that start at the switch and go on, or arrive. */
    private int sent(Destination destination, int sw) {
        if (next[sw] == NO_ROUTE) {
            return 0;
        }
        int sent = 0;
        for (int sender = senders.first(sw); sender < senders.first(sw + 1); sender++) {
            int slClass = senders.slClass(sender);
            int sls = slClass < 0 ? PathSls.NO_SL_BIT : slsFrom[slClass];
            if (sls > ALL_SLS || options.hostChannels() || sw == destination.sw()) {
                sls = odd(destination, sw, sources.of(sw)[sender - senders.first(sw)], sls);
            }
            if (sls != 0) {
                sent |= cross(destination, -1 - sender, senderBase[sender], sw, sls);
            }
        }
        return sent;
    }

    /** Does what is to be done for few senders only; returns the SLs by which packets are sent. */
    private int odd(Destination destination, int sw, Source source, int sls) {
        int from = source.lidTo(fabric.portOfLid(destination.lid()));
        if (from == 0) {
            // What a port sends to itself, by any of its LIDs, needs no route.
            return 0;
        }
        if (sls > ALL_SLS) {
            faults.add(
                    FaultKind.NO_SL,
                    pairs(source, destination, sw),
                    () -> "no SL from " + lidName(from) + " to " + lidName(destination.lid()));
        }
        if (options.hostChannels() && source.input() != 0 && output[sw] != firstPort[sw]) {
            long own = slToVl.endTable(source.endPort());
            long first = slToVl.table(sw, source.input(), output[sw] - firstPort[sw]);
            for (int rest = sls & ALL_SLS & Ways.passing(first); rest != 0; rest &= rest - 1) {
                int sl = Integer.numberOfTrailingZeros(rest);
                graph.add(
                        Channel.number(source.endPort(), SlToVl.vl(own, sl)),
                        Channel.number(output[sw], SlToVl.vl(first, sl)),
                        from,
                        destination.lid(),
                        sl);
            }
        }
        return sls & ALL_SLS;
    }

    /**
     * Returns how many pairs of a sender and a LID there are, without those of a port and itself: all ports of a class
     * are in one group of senders.
     */
    private long pairs(Source source, Destination destination, int sw) {
        boolean itself = sw == destination.sw() && sources.contains(source, sw, fabric.portOfLid(destination.lid()));
        return (source.count() - (itself ? 1L : 0L)) * destination.count();
    }

    /**
     * Packets that come to a switch by a port want the output there; when they have it they want that of the next one.
     *
     * @param from the switch that they come from; or, negative, −1 − sender
     * @param base where the ways begin of the port by which they come
     * @param sls a bit for each SL, at least one
     * @return the SLs that are not dropped
     */
    private int cross(Destination destination, int from, int base, int sw, int sls) {
        int place = ways.place(base, outputRank[sw]);
        if (place <= Ways.NOT_FOUND) {
            place = place == Ways.NOT_FOUND ? ways.find(input(from), output[sw]) : place;
            if (place == Ways.NOT_KEPT) {
                return crossAnew(destination, input(from), sw, sls);
            }
        }
        int passing = sls & ways.passing(place);
        if (passing != sls) {
            drops(destination, input(from), sw, sls & ~passing);
        }
        int rank = next[sw] >= 0 ? outputRank[next[sw]] : Fabric.NONE;
        if (rank >= 0) {
            int fresh = passing & ~ways.known(place, rank);
            if (fresh != 0) {
                addDependencies(destination, input(from), sw, fresh);
                ways.setKnown(place, rank, fresh);
            }
        }
        return passing;
    }

    /** Returns the port index by which packets come, see {@link #cross}. */
    private int input(int from) {
        return from < 0 ? senders.input(-1 - from) : farPort[output[from]];
    }

    /** The same where nothing is kept, as at the last switch. */
    private int crossAnew(Destination destination, int input, int sw, int sls) {
        if (output[sw] == firstPort[sw]) {
            return 0;
        }
        int passing = sls & Ways.passing(slToVl.table(sw, input - firstPort[sw], output[sw] - firstPort[sw]));
        if (passing != sls) {
            drops(destination, input, sw, sls & ~passing);
        }
        if (next[sw] >= 0 && outputRank[next[sw]] >= 0) {
            addDependencies(destination, input, sw, passing);
        }
        return passing;
    }

    /** Adds what packets wait for that have come through a switch. */
    private void addDependencies(Destination destination, int input, int sw, int sls) {
        int to = next[sw];
        int behind = farPort[output[sw]];
        int rank = outputRank[to];
        long first = slToVl.table(sw, input - firstPort[sw], output[sw] - firstPort[sw]);
        long second = slToVl.table(to, behind - firstPort[to], output[to] - firstPort[to]);
        for (int rest = sls; rest != 0; rest &= rest - 1) {
            int sl = Integer.numberOfTrailingZeros(rest);
            int vl = SlToVl.vl(second, sl);
            int from = Channel.number(output[sw], SlToVl.vl(first, sl));
            if (vl != SlToVl.DROP && ways.isNew(from, rank, vl)) {
                int wanted = Channel.number(output[to], vl);
                if (ways.isKept(from)) {
                    graph.addFresh(from, wanted, destination.lid(), sl);
                } else {
                    graph.add(from, wanted, DependencyGraph.SENDER_NOT_KEPT, destination.lid(), sl);
                }
            }
        }
    }

    private void drops(Destination destination, int input, int sw, int sls) {
        for (int rest = sls; rest != 0; rest &= rest - 1) {
            int sl = Integer.numberOfTrailingZeros(rest);
            faults.add(
                    FaultKind.DROPPED,
                    destination.count(),
                    () -> "%s drops %s (VL 15 towards port %d)"
                            .formatted(
                                    fabric.description(sw),
                                    flowSearch()
                                            .across(input, sw, destination.lid(), sl)
                                            .orElseThrow()
                                            .text(fabric),
                                    output[sw] - firstPort[sw]));
        }
    }

    /** Returns who makes dependencies. */
    FlowSearch flowSearch() {
        return new FlowSearch(fabric, routing, sources);
    }

    private void unreachable(Destination destination) {
        boolean[] arrives = arriving();
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

    /** Returns by switch whether packets that start there arrive. */
    private boolean[] arriving() {
        boolean[] arrives = new boolean[next.length];
        boolean[] known = new boolean[next.length];
        for (int start = 0; start < next.length; start++) {
            int at = start;
            for (int hops = 0; hops < next.length && !known[at] && next[at] >= 0; hops++) {
                at = next[at];
            }
            boolean does = known[at] ? arrives[at] : next[at] == ARRIVED;
            for (at = start; at >= 0 && !known[at]; at = next[at]) {
                known[at] = true;
                arrives[at] = does;
            }
        }
        return arrives;
    }

    private String whereItEnds(int start) {
        int at = start;
        for (int hops = 0; hops <= next.length && next[at] >= 0; hops++) {
            at = next[at];
        }
        return next[at] >= 0
                ? "it goes round"
                : "it ends at %s, port %d".formatted(fabric.description(at), table[at] & 0xFF);
    }

    private String lidName(int lid) {
        int port = fabric.portOfLid(lid);
        return "%s (LID %d)".formatted(port == Fabric.NONE ? "?" : fabric.description(fabric.nodeOf(port)), lid);
    }
}
