package org.railyard.sm.discover;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.NodeDescription;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.sm.discover.DiscoveryProblem.Kind;
import org.railyard.sm.subnet.ManagedNode;
import org.railyard.sm.subnet.SubnetRequests;

/**
 * One discovery: NodeInfo by each port that is up and leads to nobody known, and of each new node description,
 * SwitchInfo, PortInfo of all ports, P_Keys (spec 41 §2.1). All questions are on their way at once, as many as the
 * window allows. Nothing is written.
 *
 * <p>A discovery of changes asks each switch that was known for SwitchInfo only, and reads on where that says that a
 * port changed: a cable is where it was if neither of its ends was down since, so what is behind a port of a switch
 * without changes, or behind one that is active and was, is not asked who it is. A discovery of what was told asks only
 * switches that told of a change, those near them, and those on the way there, the nearest to the own port first.
 * Whoever gets problems from either has to discover everything.
 *
 * <p>Answers are not trusted: ports, paths, nodes and P_Key blocks are bounded, and a GUID that two nodes have is told
 * with both paths.
 */
public final class FabricDiscovery {
    /** Most nodes of a subnet. */
    public static final int MAX_NODES = 65_536;

    /** Most P_Key blocks that are read of a port; further ones are left alone. */
    public static final int MAX_KEY_BLOCKS = 32;

    /** How long a host that was there, and whose link is up all the time, may be silent before it is left out, ns. */
    public static final long SILENCE = 30_000_000_000L;

    /** Most problems that are kept of a discovery. */
    public static final int MAX_PROBLEMS = 1000;

    private static final long SECOND = 1_000_000_000L;

    /** Which switches are asked what changed. */
    public enum Reading {
        /** None: all is read. */
        EVERYTHING,
        /** All that were known. */
        CHANGES,
        /** Those of which is known that they changed ({@link ManagedNode#isCurrent()}), near these or on the way. */
        TOLD
    }

    private final MadRequests requests;
    private final RequestSettings limits;
    private final Map<Long, ManagedNode> known;
    private final int localPort;
    private final Reading reading;

    /** Switches that are asked if only some are. */
    private final AskedSwitches asked = new AskedSwitches();

    private final long now;
    private final Consumer<FoundSubnet> done;
    private final Map<Long, ManagedNode> found = new LinkedHashMap<>();
    private final List<DiscoveryProblem> problems = new ArrayList<>();

    /** Hosts that answered at another place than before, which count if they are not found where they were. */
    private final List<Elsewhere> elsewhere = new ArrayList<>();

    private @Nullable SubnetRequests exchange;
    private @Nullable ManagedNode own;
    private int read;

    /** Switches that were reached, by hops, if only some are asked: those that are asked come first. */
    private final SortedMap<Integer, Deque<Reached>> waiting = new TreeMap<>();

    /** How many questions are on their way, by hops. */
    private final int[] open = new int[DirectedPath.MAX_HOPS + 1];

    private boolean isGoingOn;

    private FabricDiscovery(
            MadRequests requests,
            RequestSettings limits,
            Map<Long, ManagedNode> known,
            int localPort,
            Reading reading,
            long now,
            Consumer<FoundSubnet> done) {
        this.requests = requests;
        this.limits = limits;
        this.known = known;
        this.localPort = localPort;
        this.reading = reading;
        this.now = now;
        this.done = done;
    }

    /**
     * Begins.
     *
     * @param limits time-out and retries of each question
     * @param known nodes of earlier sweeps by GUID, for their tables; those that are found are renewed
     * @param localPort number of the own port on its node
     * @param reading which of the known switches are asked whether something changed, and believed
     * @param now by a clock that does not stop from one sweep to the next, ns
     * @param done is told once, in the loop
     */
    public static void start(
            MadRequests requests,
            RequestSettings limits,
            Map<Long, ManagedNode> known,
            int localPort,
            Reading reading,
            long now,
            Consumer<FoundSubnet> done) {
        FabricDiscovery discovery = new FabricDiscovery(requests, limits, known, localPort, reading, now, done);
        if (reading == Reading.TOLD) {
            discovery.asked.addNear(known.values().stream()
                    .filter(node -> node.isSwitch() && !node.isCurrent())
                    .toList());
        }
        discovery.exchange(() -> discovery.visit(null, 0, DirectedPath.OWN_NODE));
    }

    /** A switch that was known, and the way to it. */
    private record Reached(ManagedNode node, DirectedPath path) {}

    /** A host at another place than in the sweep before: it was moved, or two hosts have one GUID. */
    private record Elsewhere(ManagedNode from, int port, DirectedPath path, NodeInfo info) {}

    private void exchange(Runnable first) {
        SubnetRequests next = new SubnetRequests(requests, limits, this::ended);
        exchange = next;
        next.begin(first);
    }

    private void ended() {
        if (elsewhere.isEmpty()) {
            finish();
            return;
        }
        List<Elsewhere> late = List.copyOf(elsewhere);
        elsewhere.clear();
        exchange(() -> late.forEach(host -> reached(host.from, host.port, host.path, host.info)));
    }

    private void problem(Kind kind, String text) {
        problem(kind, text, text);
    }

    private void problem(Kind kind, String subject, String text) {
        if (problems.size() < MAX_PROBLEMS) {
            problems.add(new DiscoveryProblem(kind, subject, text));
        } else if (problems.size() == MAX_PROBLEMS) {
            problems.add(new DiscoveryProblem(
                    kind, DiscoveryProblem.MORE, "only " + MAX_PROBLEMS + " problems of a sweep are kept"));
        }
    }

    private <T extends BitStruct<T>> void get(
            AttributeType<T> type, int modifier, DirectedPath path, String what, Consumer<T> heard) {
        get(type, modifier, path, what, heard, FabricDiscovery::silent);
    }

    /** Makes the text of a silence. */
    private interface Silence {
        String after(String requests);
    }

    /** Asks; what else is told of a silence makes no other problem of it. */
    private <T extends BitStruct<T>> void get(
            AttributeType<T> type, int modifier, DirectedPath path, String what, Consumer<T> heard, Silence silence) {
        SubnetRequests through = exchange;
        if (through == null) {
            return;
        }
        String subject = type.name() + " of " + what;
        open[path.hops()]++;
        through.ask(Mad.directed(MadMethod.GET, type, modifier, path), outcome -> {
            switch (outcome) {
                case RequestOutcome.Answered answered
                when answered.mad().status() == MadStatus.OK ->
                    use(subject, answered.mad().data(type), heard);
                case RequestOutcome.Answered answered ->
                    problem(
                            Kind.UNANSWERED,
                            subject,
                            subject + ": answered with an error: "
                                    + MadStatus.text(answered.mad().status()));
                case RequestOutcome.Unanswered(int attempts) ->
                    problem(Kind.UNANSWERED, subject, subject + silence.after(attempts + " requests by path " + path));
                case RequestOutcome.Refused refused ->
                    problem(Kind.UNANSWERED, subject, subject + ": not sent, " + refused.reason());
                case RequestOutcome.Cancelled _ -> problem(Kind.UNANSWERED, "the sweep was ended");
            }
            open[path.hops()]--;
            goOn();
        });
    }

    /** One answer that nobody thought of must not end the sweep, let alone the subnet manager. */
    private <T> void use(String subject, T said, Consumer<T> heard) {
        try {
            heard.accept(said);
        } catch (RuntimeException e) {
            problem(Kind.UNANSWERED, subject, subject + ": the answer can not be used, please report this: " + e);
        }
    }

    private void visit(@Nullable ManagedNode from, int port, DirectedPath path) {
        String what = from == null ? "the own node" : "what is behind " + from.portName(port);
        String before = from == null ? null : from.lastNeighbour(port);
        String who = before == null ? "" : ", where " + before + " was";
        get(
                NodeInfo.TYPE,
                0,
                path,
                what,
                info -> {
                    if (from != null && isElsewhere(from, port, info)) {
                        elsewhere.add(new Elsewhere(from, port, path, NodeInfo.TYPE.copy(info)));
                    } else {
                        reached(from, port, path, info);
                    }
                },
                requests -> who
                        + silent(requests)
                        + (from != null && keepSilent(from, port, path)
                                ? "; its link is up: it counts as it was for up to " + SILENCE / SECOND + " s"
                                : ""));
    }

    private static String silent(String requests) {
        return ": no answer to " + requests + "; another M_Key, or the agent hangs?";
    }

    /**
     * Keeps a host that does not answer as it was, for a while: its agent may hang, or restart, while its port works
     * (spec 41 §6). False if that is over, if it is no host, or if its link was down in between.
     */
    private boolean keepSilent(ManagedNode from, int port, DirectedPath path) {
        ManagedNode host = from.earlierPeer(port);
        boolean stayed = from.state(port) == PortState.ACTIVE && from.earlierState(port) == PortState.ACTIVE;
        if (host == null
                || host.isSwitch()
                || !stayed
                || from.peer(port) != null
                || known.get(host.guid()) != host
                || host.silentFor(from.earlierPeerPort(port), now) > SILENCE) {
            return false;
        }
        if (found.putIfAbsent(host.guid(), host) == null) {
            host.beginSweep();
        }
        int arrived = from.earlierPeerPort(port);
        if (host.peer(arrived) != null || host.path(arrived) != null) {
            return false;
        }
        from.connect(port, host, arrived);
        host.path(arrived, path);
        host.keepPort(arrived);
        return true;
    }

    /** Tells whether a node is a host that was behind another port in the sweep before, and can not be behind both. */
    private boolean isElsewhere(ManagedNode from, int port, NodeInfo info) {
        ManagedNode host = known.get(info.get(NodeInfo.NODE_GUID));
        int arrived = info.getInt(NodeInfo.LOCAL_PORT);
        if (host == null || host.isSwitch() || !host.isSame(info) || arrived > host.lastPort()) {
            return false;
        }
        boolean isRenewed = found.get(host.guid()) == host;
        ManagedNode place = isRenewed ? host.earlierPeer(arrived) : host.peer(arrived);
        int placePort = isRenewed ? host.earlierPeerPort(arrived) : host.peerPort(arrived);
        return place != null && (place != from || placePort != port);
    }

    private void reached(@Nullable ManagedNode from, int port, DirectedPath path, NodeInfo info) {
        long guid = info.get(NodeInfo.NODE_GUID);
        int arrived = from == null && !info.isSwitch() ? localPort : info.getInt(NodeInfo.LOCAL_PORT);
        int type = info.getInt(NodeInfo.NODE_TYPE);
        int last = info.getInt(NodeInfo.NUM_PORTS);
        boolean own0 = from == null && info.isSwitch();
        if (guid == 0
                || type < NodeInfo.CA
                || type > NodeInfo.ROUTER
                || last < 1
                || last > Fabric.MAX_PORTS
                || arrived > last
                || arrived == 0 && !own0) {
            problem(
                    Kind.REFUSED,
                    "path %s: a node of type %d with GUID 0x%016x and %d ports, reached by port %d: it is left out"
                            .formatted(path, type, guid, last, arrived));
            return;
        }
        ManagedNode node = found.get(guid);
        boolean isNew = node == null;
        if (node == null) {
            if (found.size() >= MAX_NODES) {
                problem(Kind.REFUSED, "path " + path + ": more than " + MAX_NODES + " nodes; it is left out");
                return;
            }
            ManagedNode before = known.get(guid);
            node = before != null && before.isSame(info) ? before : new ManagedNode(info);
            node.info(info);
            node.beginSweep();
            found.put(guid, node);
        }
        if (from == null) {
            own = node;
        } else if (!connect(from, port, path, node, arrived, info)) {
            return;
        }
        node.answers(arrived);
        if (node.path(arrived) == null) {
            node.path(arrived, path);
            node.portGuid(arrived, info.get(NodeInfo.PORT_GUID));
            look(node, arrived, path, isNew);
        }
    }

    /** Goes on at a node that is behind the port of another as it was. */
    private void revisit(ManagedNode from, int port, ManagedNode node, int arrived) {
        DirectedPath before = from.path(port);
        if (before == null || from.peer(port) != null) {
            return;
        }
        DirectedPath path = before.then(port);
        if (found.putIfAbsent(node.guid(), node) == null) {
            node.beginSweep();
        }
        if (node.peer(arrived) != null) {
            problem(Kind.UNANSWERED, node.portName(arrived) + ": two cables lead to it; was one of them moved?");
            return;
        }
        from.connect(port, node, arrived);
        if (node.path(arrived) != null) {
            return;
        }
        node.path(arrived, path);
        if (node.hasToTellName()) {
            get(NodeDescription.TYPE, 0, path, node.name(), said -> node.description(said.text()));
        }
        if (!node.isSwitch()) {
            SwitchInfo told = from.switchInfo();
            if (told != null && told.isSet(SwitchInfo.STATE_CHANGE)) {
                // It may be the change, without its link having been down: another LID, another M_Key.
                askPort(node, arrived, path);
            } else {
                node.keepPort(arrived);
            }
            askKeys(node, arrived, path, node.info().getInt(NodeInfo.PARTITION_CAP));
            return;
        }
        if (reading == Reading.TOLD) {
            Deque<Reached> level = waiting.computeIfAbsent(path.hops(), _ -> new ArrayDeque<>());
            Reached one = new Reached(node, path);
            if (asked.has(node)) {
                level.addFirst(one);
            } else {
                level.addLast(one);
            }
        } else {
            askSwitch(node, path);
        }
    }

    private void askIfNear(ManagedNode node, DirectedPath path) {
        SwitchInfo last = node.earlierSwitchInfo();
        boolean mayHaveChanged = last == null || last.isSet(SwitchInfo.STATE_CHANGE) || asked.has(node);
        // With a problem everything is discovered anew: more questions would only be more time-outs until then.
        if (last == null || mayHaveChanged && problems.isEmpty()) {
            askSwitch(node, path);
            return;
        }
        node.switchInfo(last);
        askLinear(node, path, last);
        keepPorts(node, path);
    }

    private void askSwitch(ManagedNode node, DirectedPath path) {
        get(SwitchInfo.TYPE, 0, path, node.name(), said -> {
            node.switchInfo(said);
            askLinear(node, path, said);
            if (said.isSet(SwitchInfo.STATE_CHANGE) || !node.isCurrent()) {
                if (reading == Reading.TOLD) {
                    asked.addNear(List.of(node));
                }
                askPorts(node, path);
            } else {
                keepPorts(node, path);
            }
        });
    }

    /**
     * Goes on at the nearest switches, once all that are nearer have said where one can still go on. Of ways of the
     * same length those by switches that were asked are taken.
     */
    private void goOn() {
        if (isGoingOn) {
            return;
        }
        isGoingOn = true;
        try {
            while (!waiting.isEmpty() && isNext(waiting.firstEntry().getValue().getFirst())) {
                Deque<Reached> nearest = waiting.firstEntry().getValue();
                Reached next = nearest.removeFirst();
                if (nearest.isEmpty()) {
                    waiting.remove(next.path.hops());
                }
                askIfNear(next.node, next.path);
            }
        } finally {
            isGoingOn = false;
        }
    }

    private boolean isNext(Reached one) {
        int hops = one.path.hops() + (asked.has(one.node) ? 0 : 1);
        return !problems.isEmpty() || IntStream.range(0, hops).allMatch(nearer -> open[nearer] == 0);
    }

    private void keepPorts(ManagedNode node, DirectedPath path) {
        for (int port = 0; port <= node.lastPort(); port++) {
            node.keepPort(port);
        }
        for (int port = 1; port <= node.lastPort(); port++) {
            if (node.state(port).compareTo(PortState.INIT) >= 0 && node.peer(port) == null) {
                onward(node, port, path);
            }
        }
    }

    /** Goes through a port that is up. */
    private void onward(ManagedNode node, int port, DirectedPath path) {
        ManagedNode peer = node.earlierPeer(port);
        boolean stayed = node.state(port) == PortState.ACTIVE && node.earlierState(port) == PortState.ACTIVE;
        if (path.hops() == DirectedPath.MAX_HOPS) {
            problem(
                    Kind.REFUSED,
                    node.portName(port) + ": it would take more than " + DirectedPath.MAX_HOPS
                            + " hops; what is behind it is left out");
        } else if (reading != Reading.EVERYTHING && stayed && peer != null && known.get(peer.guid()) == peer) {
            revisit(node, port, peer, node.earlierPeerPort(port));
        } else {
            visit(node, port, path.then(port));
        }
    }

    /** Notes a cable; false if the node can not be the one of this GUID that is known already. */
    private boolean connect(
            ManagedNode from, int port, DirectedPath path, ManagedNode node, int arrived, NodeInfo info) {
        if (!node.isSame(info)) {
            problem(
                    Kind.TWO_NODES,
                    ("GUID 0x%016x: by path %s there is a node of type %d with %d ports, by another path one of type %d"
                                    + " with %d; two nodes with one GUID: what is behind %s is left out")
                            .formatted(
                                    node.guid(),
                                    path,
                                    info.getInt(NodeInfo.NODE_TYPE),
                                    info.getInt(NodeInfo.NUM_PORTS),
                                    node.info().getInt(NodeInfo.NODE_TYPE),
                                    node.lastPort(),
                                    from.portName(port)));
            return false;
        }
        ManagedNode there = node.peer(arrived);
        ManagedNode here = from.peer(port);
        if (there == from && node.peerPort(arrived) == port) {
            return false;
        }
        if (there != null || here != null || node == from && arrived == port) {
            problem(
                    Kind.TWO_NODES,
                    ("GUID 0x%016x: found by path %s as well as by path %s, where port %d has another cable; two nodes"
                                    + " with one GUID, or a cable that was moved: what is behind %s is left out")
                            .formatted(node.guid(), path, node.path(arrived), arrived, from.portName(port)));
            return false;
        }
        from.connect(port, node, arrived);
        return true;
    }

    private void look(ManagedNode node, int arrived, DirectedPath path, boolean isNew) {
        String name = node.name();
        if (isNew) {
            get(NodeDescription.TYPE, 0, path, name, said -> node.description(said.text()));
        }
        if (!node.isSwitch()) {
            askPort(node, arrived, path);
            askKeys(node, arrived, path, node.info().getInt(NodeInfo.PARTITION_CAP));
            return;
        }
        get(SwitchInfo.TYPE, 0, path, name, said -> {
            node.switchInfo(said);
            askLinear(node, path, said);
        });
        askPorts(node, path);
        askKeys(node, 0, path, node.info().getInt(NodeInfo.PARTITION_CAP));
    }

    private void askPorts(ManagedNode node, DirectedPath path) {
        read++;
        for (int port = 0; port <= node.lastPort(); port++) {
            askPort(node, port, path);
        }
    }

    private void askPort(ManagedNode node, int port, DirectedPath path) {
        get(PortInfo.TYPE, Modifiers.port(port), path, node.portName(port), said -> {
            boolean isOther = node.isEndPort(port) && isOther(node, port, said);
            node.port(port, said);
            if (isOther || isWhollyRead(node) && node.mayBeReset()) {
                readAgain(node);
            }
            boolean leads = port > 0 && (node.isSwitch() || node == own);
            if (leads && said.state().compareTo(PortState.INIT) >= 0 && node.peer(port) == null) {
                onward(node, port, path);
            }
        });
    }

    /** Of a CA with several ports each is a way of its own: one can not tell what happened to the others. */
    private static boolean isWhollyRead(ManagedNode node) {
        return node.isSwitch() ? areAllPortsKnown(node) : node.lastPort() == 1;
    }

    /**
     * Reads the tables of a node that may hold others than it did, though LID and top need not tell of it. What of it
     * is looked at later in this discovery is read then.
     */
    private void readAgain(ManagedNode node) {
        node.held().forget();
        SwitchInfo said = node.switchInfo();
        for (int port = 0; port <= node.lastPort(); port++) {
            DirectedPath path = node.path(port);
            if (path != null && node.isEndPort(port)) {
                if (said != null) {
                    askLinear(node, path, said);
                }
                askKeys(node, port, path, node.info().getInt(NodeInfo.PARTITION_CAP));
            }
        }
    }

    /** Where packets go at present has to be known before that is changed; LIDs above the top are not looked up. */
    private void askLinear(ManagedNode node, DirectedPath path, SwitchInfo said) {
        int top = Math.min(said.getInt(SwitchInfo.LINEAR_TOP), Lids.MAX_UNICAST);
        if (top == 0) {
            node.held().forget();
            return;
        }
        for (int i = 0; i <= top / LinearForwardingTable.BLOCK; i++) {
            int block = i;
            if (!node.held().knowsLinear(block)) {
                get(
                        LinearForwardingTable.TYPE,
                        Modifiers.block(block),
                        path,
                        node.name(),
                        table -> node.held().linear(block, table));
            }
        }
    }

    private static boolean knowsLinear(ManagedNode node, SwitchInfo said) {
        int top = Math.min(said.getInt(SwitchInfo.LINEAR_TOP), Lids.MAX_UNICAST);
        return top == 0
                || IntStream.rangeClosed(0, top / LinearForwardingTable.BLOCK).allMatch(node.held()::knowsLinear);
    }

    /**
     * Tells whether an end port has another LID, or another master, than it was given. A node that lost its LID was
     * switched off; one that has others was written to by somebody else: its tables are not what they were.
     */
    private static boolean isOther(ManagedNode node, int port, PortInfo said) {
        int expected = node.lastLid(port);
        return expected != 0
                && (said.getInt(PortInfo.LID) != expected
                        || said.getInt(PortInfo.MASTER_SM_LID) != node.lastMaster(port));
    }

    private void askKeys(ManagedNode node, int port, DirectedPath path, int capacity) {
        int blocks = Math.min((capacity + PKeyTable.BLOCK - 1) / PKeyTable.BLOCK, MAX_KEY_BLOCKS);
        for (int i = 0; i < blocks; i++) {
            int block = i;
            if (node.held().keys(port, block) == null) {
                get(
                        PKeyTable.TYPE,
                        Modifiers.pKeys(0, block),
                        path,
                        node.portName(port),
                        said -> node.held().keys(port, block, said));
            }
        }
    }

    /** Leaves out what is half known, and makes the fabric. */
    private void finish() {
        found.values().removeIf(this::isHalfKnown);
        for (ManagedNode node : found.values()) {
            node.endSweep();
            node.current(node.isSwitch() && areAllPortsKnown(node));
            for (int port = 1; port <= node.lastPort(); port++) {
                ManagedNode peer = node.peer(port);
                if (peer != null && !isUp(node, port, peer)) {
                    node.disconnect(port);
                }
            }
        }
        Fabric fabric = FabricMaker.make(found.values());
        int ownNode = own == null ? Fabric.NONE : fabric.nodeOfGuid(own.guid());
        int smPort = own == null || ownNode == Fabric.NONE
                ? Fabric.NONE
                : fabric.portIndex(ownNode, own.isSwitch() ? 0 : localPort);
        done.accept(new FoundSubnet(fabric, FabricMaker.inOrder(fabric, found), smPort, problems, read));
    }

    private static boolean areAllPortsKnown(ManagedNode node) {
        for (int port = 0; port <= node.lastPort(); port++) {
            if (node.port(port) == null) {
                return false;
            }
        }
        return true;
    }

    private boolean isHalfKnown(ManagedNode node) {
        SwitchInfo said = node.switchInfo();
        boolean half = node.isSwitch() && (said == null || node.port(0) == null || !knowsLinear(node, said));
        if (half) {
            problem(Kind.UNANSWERED, node.name() + ": it is left out, with its cables: it does not tell what it is");
        }
        return half;
    }

    /** A cable of which one end is down was pulled while we looked, or its other end is another node's. */
    private boolean isUp(ManagedNode node, int port, ManagedNode peer) {
        return found.get(peer.guid()) == peer
                && node.state(port).compareTo(PortState.INIT) >= 0
                && peer.state(node.peerPort(port)).compareTo(PortState.INIT) >= 0;
    }
}
