package org.railyard.sm.live;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.live.LiveLids;
import org.railyard.fabric.live.LiveSubnet;
import org.railyard.fabric.live.PortArbitration;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PairSls;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.route.SlToVlTables;
import org.railyard.fabric.torus.qos.VlArbTable;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.sa.SaPathRecord;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.MulticastForwardingTable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.SlToVlTable;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.smp.VlArbitrationTable;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.sm.discover.DiscoveryProblem;
import org.railyard.sm.discover.FabricDiscovery;
import org.railyard.sm.discover.FabricDiscovery.Reading;
import org.railyard.sm.discover.FoundSubnet;
import org.railyard.sm.subnet.ManagedNode;

/**
 * Reads a running subnet: discovers it, then asks each node for SL to VL, VL arbitration and multicast masks, and the
 * subnet administration for the SLs of paths if that is wanted. Only Get is sent. Of multicast, blocks of 32 LIDs are
 * read until no switch has a port in one: subnet managers use the LIDs from the first on. For the loop of the
 * transport.
 */
public final class SubnetReader {
    /** Most end ports whose SLs are asked for: each pair is a request to the subnet administration. */
    public static final int MAX_ASKED = 4096;

    private static final int MAX_MULTICAST_BLOCK = (Lids.MAX_MULTICAST - Lids.MIN_MULTICAST) / 32;

    private final SubnetQuestions questions;
    private final Consumer<LiveSubnet> done;
    private final boolean wantsSls;
    private final List<String> remarks = new ArrayList<>();
    private final SortedMap<Integer, PortArbitration> arbitration = new TreeMap<>();
    private final SortedMap<Integer, PortMask[]> masks = new TreeMap<>();
    private @Nullable State state;
    private boolean anyMask;

    /** Whether SLs to all LIDs of a port are asked for, and not only those to the first one. */
    private boolean eachLid;

    /** What is known once the subnet is discovered. */
    private record State(
            FoundSubnet found, Fabric fabric, SlToVlTables.Builder slToVl, PairSls.@Nullable Builder sls) {}

    private SubnetReader(SubnetQuestions questions, boolean wantsSls, Consumer<LiveSubnet> done) {
        this.questions = questions;
        this.wantsSls = wantsSls;
        this.done = done;
    }

    /**
     * Begins.
     *
     * @param limits time-out and retries of each question
     * @param localPort number of the own port on its node
     * @param wantsSls whether the subnet administration is asked for the SL from each end port of a CA to each LID of
     *     others
     * @param done is told once, in the loop
     */
    public static void start(
            MadRequests requests, RequestSettings limits, int localPort, boolean wantsSls, Consumer<LiveSubnet> done) {
        SubnetReader reader = new SubnetReader(new SubnetQuestions(requests, limits), wantsSls, done);
        FabricDiscovery.start(requests, limits, Map.of(), localPort, Reading.EVERYTHING, 0, reader::discovered);
    }

    private void discovered(FoundSubnet found) {
        LiveLids lids = new LiveLids(found.fabric());
        for (int node = 0; node < found.nodes().size(); node++) {
            ManagedNode of = found.nodes().get(node);
            for (int number = 0; number <= of.lastPort(); number++) {
                PortInfo said = of.port(number);
                if (said != null && of.isEndPort(number)) {
                    // LMC of a base port 0 is always 0, whatever it says (spec 40 §2.3).
                    int lmc = of.isSwitch() && !isEnhanced(of) ? 0 : said.getInt(PortInfo.LMC);
                    lids.set(found.fabric().portIndex(node, number), said.getInt(PortInfo.LID), lmc, remarks);
                }
            }
        }
        for (DiscoveryProblem problem : found.problems()) {
            if (problem.kind() == DiscoveryProblem.Kind.UNANSWERED) {
                questions.unread(problem.text());
            } else {
                remarks.add(problem.text());
            }
        }
        Fabric fabric = lids.fabric();
        boolean few = PairSls.endPorts(fabric) <= MAX_ASKED;
        if (wantsSls && !few) {
            questions.unread("SLs of paths: the subnet has %d end ports; the subnet administration is asked for the"
                            .formatted(PairSls.endPorts(fabric))
                    + " pairs of at most " + MAX_ASKED);
        }
        state = new State(
                found,
                fabric,
                new SlToVlTables.Builder(fabric, SlToVl.ALL_ZERO),
                wantsSls && few ? slsOf(fabric) : null);
        questions.run(steps(this::tables), () -> multicast(0));
    }

    /** Each LID of a port may be sent to by another SL; where that is too much to ask, base LIDs stand for all. */
    private PairSls.Builder slsOf(Fabric fabric) {
        eachLid = PairSls.endPorts(fabric) * PairSls.lids(fabric) <= (long) MAX_ASKED * MAX_ASKED;
        if (!eachLid) {
            questions.unread(
                    "SLs of paths to other LIDs of a port than the first (LMC): the subnet has %d LIDs and %d end"
                                    .formatted(PairSls.lids(fabric), PairSls.endPorts(fabric))
                            + " ports, and at most %d pairs of both are asked for; the SL of the first is taken for the others"
                                    .formatted(MAX_ASKED * MAX_ASKED));
        }
        return eachLid ? PairSls.Builder.ofLids(fabric) : new PairSls.Builder(fabric);
    }

    private static boolean isEnhanced(ManagedNode node) {
        SwitchInfo said = node.switchInfo();
        return said != null && said.isSet(SwitchInfo.ENHANCED_PORT0);
    }

    private State known() {
        State known = state;
        if (known == null) {
            throw new IllegalStateException("the subnet is not discovered yet");
        }
        return known;
    }

    /** What is done with a node, by its index. */
    private interface NodeStep {
        void take(int node, ManagedNode of);
    }

    private Iterator<Runnable> steps(NodeStep step) {
        List<ManagedNode> nodes = known().found.nodes();
        return IntStream.range(0, nodes.size())
                .<Runnable>mapToObj(node -> () -> step.take(node, nodes.get(node)))
                .iterator();
    }

    private <T extends BitStruct<T>> void get(
            AttributeType<T> type, int modifier, @Nullable DirectedPath path, String where, Consumer<T> heard) {
        if (path != null) {
            questions.ask(
                    Mad.directed(MadMethod.GET, type, modifier, path),
                    MadAddress.DIRECTED,
                    type,
                    type.name() + " of " + where,
                    heard);
        }
    }

    private void tables(int node, ManagedNode of) {
        Fabric fabric = known().fabric;
        for (int number = 0; number <= of.lastPort(); number++) {
            int port = fabric.portIndex(node, number);
            PortInfo said = of.port(number);
            if (said == null || fabric.peer(port) == Fabric.NONE) {
                continue;
            }
            arbitration(of, number, port, said);
            if (of.isSwitch()) {
                slToVl(node, of, number);
            } else if (hasSlMapping(said)) {
                get(
                        SlToVlTable.TYPE,
                        0,
                        of.path(number),
                        of.portName(number),
                        table -> known().slToVl.setEnd(port, table.packed()));
            } else {
                known().slToVl.setEnd(port, SlToVl.ALL_ZERO);
            }
        }
    }

    private static boolean hasSlMapping(@Nullable PortInfo ofEndPort) {
        return ofEndPort != null && ofEndPort.can(PortInfo.CAP_SL_MAPPING);
    }

    /** What has no such tables sends all on VL 0. */
    private void slToVl(int node, ManagedNode of, int out) {
        boolean has = hasSlMapping(of.port(0));
        for (int from = 0; from <= of.lastPort(); from++) {
            int in = from;
            if (has) {
                get(
                        SlToVlTable.TYPE,
                        Modifiers.slToVl(in, out),
                        of.path(0),
                        of.portName(out),
                        table -> known().slToVl.set(node, in, out, table.packed()));
            } else {
                known().slToVl.set(node, in, out, SlToVl.ALL_ZERO);
            }
        }
    }

    /** With one data VL there is nothing to choose. */
    private void arbitration(ManagedNode of, int number, int port, PortInfo said) {
        int high = Math.min(said.getInt(PortInfo.VL_ARB_HIGH_CAP), VlArbTable.MAX_ENTRIES);
        int low = Math.min(said.getInt(PortInfo.VL_ARB_LOW_CAP), VlArbTable.MAX_ENTRIES);
        if (said.getInt(PortInfo.OPERATIONAL_VLS) <= 1 || high + low == 0) {
            return;
        }
        VlArbTable none = new VlArbTable(List.of());
        arbitration.put(port, new PortArbitration(none, none, high, low));
        int modifier = of.isSwitch() ? number : 0;
        for (int block = Modifiers.LOW_FIRST; block <= Modifiers.HIGH_SECOND; block++) {
            boolean isHigh = block >= Modifiers.HIGH_FIRST;
            int first = block == Modifiers.LOW_SECOND || block == Modifiers.HIGH_SECOND ? VlArbitrationTable.BLOCK : 0;
            if (first < (isHigh ? high : low)) {
                get(
                        VlArbitrationTable.TYPE,
                        Modifiers.vlArbitration(block, modifier),
                        of.path(number),
                        of.portName(number),
                        table -> arbitration.computeIfPresent(port, (_, old) -> merged(old, isHigh, first, table)));
            }
        }
    }

    private static PortArbitration merged(PortArbitration old, boolean isHigh, int first, VlArbitrationTable block) {
        VlArbTable before = isHigh ? old.high() : old.low();
        int room = isHigh ? old.highEntries() : old.lowEntries();
        VlArbTable.Entry[] all = new VlArbTable.Entry[room];
        Arrays.fill(all, new VlArbTable.Entry(0, 0));
        for (int i = 0; i < before.entries().size(); i++) {
            all[i] = before.entries().get(i);
        }
        for (int i = 0; i < VlArbitrationTable.BLOCK && first + i < room; i++) {
            int vl = block.getInt(VlArbitrationTable.VLS, i);
            // VL 15 has no weight; a table that names it is none that could be served.
            all[first + i] = vl == SlToVl.DROP
                    ? new VlArbTable.Entry(0, 0)
                    : new VlArbTable.Entry(vl, block.getInt(VlArbitrationTable.WEIGHTS, i));
        }
        VlArbTable table = new VlArbTable(List.of(all));
        return new PortArbitration(
                isHigh ? table : old.high(), isHigh ? old.low() : table, old.highEntries(), old.lowEntries());
    }

    private void multicast(int block) {
        anyMask = false;
        questions.run(steps((node, of) -> masks(node, of, block)), () -> {
            if (anyMask && block < MAX_MULTICAST_BLOCK) {
                multicast(block + 1);
            } else {
                paths();
            }
        });
    }

    private void masks(int node, ManagedNode of, int block) {
        SwitchInfo said = of.switchInfo();
        if (said == null || block * MulticastForwardingTable.BLOCK >= said.getInt(SwitchInfo.MULTICAST_CAP)) {
            return;
        }
        for (int position = 0; position <= of.lastPort() / MulticastForwardingTable.PORTS; position++) {
            int first = position * MulticastForwardingTable.PORTS;
            get(MulticastForwardingTable.TYPE, Modifiers.multicast(position, block), of.path(0), of.name(), table -> {
                for (int i = 0; i < MulticastForwardingTable.BLOCK; i++) {
                    int mask = table.getInt(MulticastForwardingTable.MASKS, i);
                    if (mask != 0) {
                        anyMask = true;
                        note(node, Lids.MIN_MULTICAST + block * MulticastForwardingTable.BLOCK + i, first, mask);
                    }
                }
            });
        }
    }

    private void note(int node, int mlid, int first, int mask) {
        if (!Lids.isMulticast(mlid)) {
            return;
        }
        PortMask[] of = masks.computeIfAbsent(
                mlid,
                _ -> Stream.generate(() -> PortMask.EMPTY)
                        .limit(known().fabric.switchCount())
                        .toArray(PortMask[]::new));
        for (int bit = 0; bit < MulticastForwardingTable.PORTS; bit++) {
            if ((mask >>> bit & 1) != 0 && first + bit <= known().fabric.ports(node)) {
                of[node] = of[node].with(first + bit);
            }
        }
    }

    private void paths() {
        PairSls.Builder sls = known().sls;
        Fabric fabric = known().fabric;
        int own = known().found.smPort();
        if (sls == null || own == Fabric.NONE) {
            finish();
            return;
        }
        ManagedNode node = known().found.nodes().get(fabric.nodeOf(own));
        PortInfo port = node.port(fabric.portNumber(own));
        int sa = port == null ? 0 : port.getInt(PortInfo.MASTER_SM_LID);
        if (port == null || !Lids.isUnicast(sa)) {
            questions.unread("SLs of paths: the own port knows no subnet manager");
            finish();
            return;
        }
        MadAddress to = MadAddress.gmp(sa, port.getInt(PortInfo.MASTER_SM_SL));
        List<Integer> ends = IntStream.range(0, fabric.portCount())
                .filter(end -> fabric.lid(end) != 0)
                .boxed()
                .toList();
        Iterator<Runnable> steps = fabric.hosts().stream()
                .flatMap(from -> ends.stream()
                        .filter(other -> !other.equals(from))
                        .flatMap(other -> IntStream.range(0, eachLid ? 1 << fabric.lmc(other) : 1)
                                .<Runnable>mapToObj(offset -> () -> path(fabric, from, other, offset, to, sls))))
                .iterator();
        // Without subnet administration each of the pairs, which may be millions, would wait for its answers in vain.
        questions.probe(
                pathQuery(fabric.lid(own), sa),
                to,
                attempts -> {
                    questions.unread("SLs of paths: no answer from the subnet administration at LID %d to %d requests;"
                                    .formatted(sa, attempts)
                            + " is the subnet manager still running?");
                    finish();
                },
                () -> questions.run(steps, this::finish));
    }

    private static Mad pathQuery(int from, int to) {
        Mad query = Mad.sa(MadMethod.GET, SaPathRecord.TYPE, SaPathRecord.SLID.mask() | SaPathRecord.DLID.mask());
        query.data(SaPathRecord.TYPE).set(SaPathRecord.SLID, from).set(SaPathRecord.DLID, to);
        return query;
    }

    private void path(Fabric fabric, int from, int other, int offset, MadAddress to, PairSls.Builder sls) {
        int lid = fabric.lid(other) + offset;
        questions.ask(
                pathQuery(fabric.lid(from), lid),
                to,
                SaPathRecord.TYPE,
                "path from " + fabric.portName(from) + " to " + fabric.portName(other)
                        + (offset == 0 ? "" : ", LID " + lid),
                record -> sls.set(fabric.lid(from), lid, record.getInt(SaPathRecord.SL)));
    }

    private void finish() {
        State known = known();
        Fabric fabric = known.fabric;
        SortedMap<Integer, MulticastTables.Tree> trees = new TreeMap<>();
        masks.forEach((mlid, ports) -> trees.put(mlid, new MulticastTables.Tree(0, ports)));
        PairSls.Builder sls = known.sls;
        done.accept(new LiveSubnet(
                fabric,
                known.found.smPort(),
                Optional.of(forwarding(known.found, fabric)),
                Optional.of(known.slToVl.build()),
                Optional.of(new MulticastTables(trees)),
                arbitration,
                sls == null ? Optional.<PathSls>empty() : Optional.of(sls.build()),
                questions.unread(),
                remarks));
    }

    private ForwardingTables forwarding(FoundSubnet found, Fabric fabric) {
        byte[][] rows = new byte[fabric.switchCount()][];
        for (int sw = 0; sw < rows.length; sw++) {
            ManagedNode of = found.nodes().get(sw);
            SwitchInfo said = of.switchInfo();
            int top = said == null ? 0 : Math.min(said.getInt(SwitchInfo.LINEAR_TOP), Lids.MAX_UNICAST);
            rows[sw] = new byte[top + 1];
            int beyond = 0;
            for (int lid = 0; lid <= top; lid++) {
                int port = of.held().forward(lid);
                boolean isPort = port <= of.lastPort() || port == ForwardingTables.NO_PATH;
                beyond += isPort ? 0 : 1;
                rows[sw][lid] = (byte) (isPort ? port : ForwardingTables.NO_PATH);
            }
            if (beyond > 0) {
                remarks.add("%s: %d entries of its forwarding table name ports that it does not have; they lead nowhere"
                        .formatted(of.name(), beyond));
            }
        }
        return new ForwardingTables(rows);
    }
}
