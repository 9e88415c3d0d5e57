package org.railyard.fabric.proof;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/**
 * Checks a certificate. Knows nothing of how it was made, shares no code with the check, and believes nothing that the
 * check says.
 *
 * <p>For each destination it hears by which SLs packets leave each switch, and sees switch by switch that this is
 * enough: what a switch's own senders send, and what comes to it by cables, leaves it by the port in its table unless
 * its SL to VL table drops it. If that holds at all switches, all packets are among those that were named, without a
 * single path being walked. Meanwhile it notes who may wait for what: an SL, a cable, and the next cable, of packets
 * that came to the first by ports with the same SL to VL tables, because the VLs follow from these. When it gets the
 * certificate, the numbers of both channels are looked up once for each.
 *
 * <p>A switch is looked at again for another destination only if something that counts there is another one: tables and
 * SLs of two destinations are compared whole. LIDs of one switch that every other switch sends by the same port count
 * as one destination, senders behind one switch with the same SLs and VLs as one sender. Multicast packets are followed
 * hop by hop. For one thread, once.
 */
public final class CertificateVerifier implements SlClaims {
    private static final int VLS = 16;
    private static final int ALL_SLS = 0xFFFF;

    /** Of a port that leads to no switch. */
    private static final int NO_SWITCH = -1;

    /** Most sets of SLs; what is beyond is kept one by one. */
    private static final int MAX_SETS = 1 << 26;

    private final Fabric fabric;
    private final Routing routing;
    private final boolean switchPorts;
    /** By port index: VLs of the channels that the certificate has, and above them the index of the first. */
    private final long[] channels;
    /** By channel of the certificate. */
    private int[] numbers = {};
    /** By channel of the certificate: the last multicast tree whose packets were followed from it on. */
    private int[] followed = {};
    /**
     * By port index of an input: where its outputs begin in {@link #waits}, together with other inputs of the same
     * tables.
     */
    private final int[] outputs;
    /** By output: where its sets begin in {@link #seen}; 0 = it has none. */
    private final int[] waits;
    /**
     * For each output the SLs that are not dropped on the way to it; then for each cable of the switch behind it to
     * another one the SLs of packets that may wait for that.
     */
    private final char[] seen;
    /** Waits that have no place there: SLs by input, output and wanted output. */
    private final Map<Wait, Integer> others = new LinkedHashMap<>();
    /** By port index: which of the cables of its switch to other switches is in it, from 1 on; 0 = none. */
    private final short[] rank;
    /** By switch: how many cables lead to other switches. */
    private final int[] cables;
    /** By switch: index of its port 0; one entry more than switches. */
    private final int[] firstPort;
    /** By port index: the port at the other end, itself for port 0. */
    private final int[] farPort;
    /** By port index: the switch at the other end, or {@link #NO_SWITCH}. */
    private final int[] farSwitch;
    /** By port index of the input: the SL to VL tables by output. Ports with the same tables share them. */
    private final long[][] slToVl;
    /** By LID: its switch. */
    private final int[] switchOfLid;

    private final List<Sender> senders;
    /** By switch: where its senders begin; one entry more than switches. */
    private final int[] firstSender;
    /** By SL class: the switches of its senders. */
    private final int[][] switchesOfClass;

    /** LIDs of which something was said. */
    private final BitSet heard = new BitSet();

    /** By LID of which something was said: the sum of its entries as they were said, each times that of its switch. */
    private final long[] sums;

    /** By switch: a power of a large odd number, so that sums of few small multiples are no others. */
    private final long[] factors;

    private @Nullable String violation;
    private @Nullable String lost;

    // The destination at hand, and what was said of the one before it.
    private int destination;
    private int destinationPort = Fabric.NONE;
    private int lastSwitch = Fabric.NONE;
    private byte[] column = {};
    private char[] leaving = {};
    private int[] slsFrom;
    private long sum;
    private final byte[] columnBefore;
    private final char[] leavingBefore;
    private int[] slsBefore;

    /** By switch: the last destination for which it was looked at. */
    private final int[] lookedAt;

    private int turn;

    /** Last packet that a multicast walk sent through the port. */
    private final int[] taken;

    private int packets;
    private int trees;

    /** Packets that came by a port to a switch, have an output, and want another one at the next switch. */
    private record Wait(int input, int port, int wanted) {}

    /**
     * Makes a verifier for these tables, that knows nothing yet.
     *
     * @param switchPorts whether port 0 of switches counts as end port
     */
    public CertificateVerifier(Fabric fabric, Routing routing, boolean switchPorts) {
        this(fabric, routing, switchPorts, MAX_SETS);
    }

    /** Makes one with as many sets of SLs as wanted: with less it keeps more one by one. */
    CertificateVerifier(Fabric fabric, Routing routing, boolean switchPorts, int maxSets) {
        this.fabric = fabric;
        this.routing = routing;
        this.switchPorts = switchPorts;
        channels = new long[fabric.portCount()];
        taken = new int[fabric.portCount()];
        firstPort = new int[fabric.switchCount() + 1];
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            firstPort[sw] = fabric.portIndex(sw, 0);
            firstPort[sw + 1] = firstPort[sw] + fabric.ports(sw) + 1;
        }
        farPort = new int[fabric.portCount()];
        farSwitch = new int[fabric.portCount()];
        slToVl = new long[fabric.portCount()][];
        Map<List<Long>, long[]> tables = new LinkedHashMap<>();
        for (int port = 0; port < farPort.length; port++) {
            int node = fabric.nodeOf(port);
            boolean own = fabric.isSwitch(node) && fabric.portNumber(port) == 0;
            farPort[port] = own ? port : fabric.peer(port);
            boolean between = !own && farPort[port] != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(farPort[port]));
            farSwitch[port] = between ? fabric.nodeOf(farPort[port]) : NO_SWITCH;
            if (fabric.isSwitch(node)) {
                slToVl[port] = tables(node, fabric.portNumber(port), tables);
            }
        }
        switchOfLid = new int[fabric.maxLid() + 1];
        for (int lid = 0; lid < switchOfLid.length; lid++) {
            int port = fabric.portOfLid(lid);
            switchOfLid[lid] = port == Fabric.NONE ? Fabric.NONE : fabric.switchOf(port);
        }
        outputs = new int[fabric.portCount()];
        rank = new short[fabric.portCount()];
        cables = new int[fabric.switchCount()];
        for (int port = 0; port < firstPort[fabric.switchCount()]; port++) {
            rank[port] = (short) (farSwitch[port] == NO_SWITCH ? 0 : ++cables[fabric.nodeOf(port)]);
        }
        waits = new int[placeOutputs()];
        seen = new char[placeWaits(maxSets)];
        fillSeen();
        senders = senders();
        firstSender = new int[fabric.switchCount() + 1];
        senders.forEach(sender -> firstSender[sender.sw + 1]++);
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            firstSender[sw + 1] += firstSender[sw];
        }
        slsFrom = new int[routing.sls().classes()];
        slsBefore = new int[slsFrom.length];
        switchesOfClass = switchesOfClass();
        columnBefore = new byte[fabric.switchCount()];
        leavingBefore = new char[fabric.switchCount()];
        lookedAt = new int[fabric.switchCount()];
        sums = new long[fabric.maxLid() + 1];
        factors = new long[fabric.switchCount()];
        long factor = 1;
        for (int sw = 0; sw < factors.length; sw++) {
            factor *= 0x9E3779B97F4A7C15L;
            factors[sw] = factor;
        }
    }

    private int[][] switchesOfClass() {
        List<List<Integer>> switches = new ArrayList<>();
        for (int i = 0; i < slsFrom.length; i++) {
            switches.add(new ArrayList<>(1));
        }
        for (Sender sender : senders) {
            if (sender.slClass >= 0) {
                switches.get(sender.slClass).add(sender.sw);
            }
        }
        return switches.stream()
                .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
    }

    /** Returns how many outputs there are, counted again for inputs with other tables. */
    private int placeOutputs() {
        int count = 0;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int in = firstPort[sw]; in < firstPort[sw + 1]; in++) {
                int like = firstPort[sw];
                while (slToVl[like] != slToVl[in]) {
                    like++;
                }
                outputs[in] = like < in ? outputs[like] : count;
                count += like < in ? 0 : slToVl[in].length;
            }
        }
        return count;
    }

    /** Returns how many sets there are, and one. */
    private int placeWaits(int maxSets) {
        int count = 1;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int in = firstPort[sw]; in < firstPort[sw + 1]; in++) {
                for (int out = 0; out < slToVl[in].length; out++) {
                    int behind = farSwitch[firstPort[sw] + out];
                    int at = outputs[in] + out;
                    if (behind != NO_SWITCH && waits[at] == 0 && count + cables[behind] + 1 <= maxSets) {
                        waits[at] = count;
                        count += cables[behind] + 1;
                    }
                }
            }
        }
        return count;
    }

    private void fillSeen() {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int in = firstPort[sw]; in < firstPort[sw + 1]; in++) {
                for (int out = 0; out < slToVl[in].length; out++) {
                    int at = waits[outputs[in] + out];
                    if (at != 0) {
                        seen[at] = (char) passing(slToVl[in][out]);
                    }
                }
            }
        }
    }

    /** Returns the SLs that a table does not drop, a bit for each. */
    private static int passing(long table) {
        int sls = 0;
        for (int sl = 0; sl < Channel.VLS; sl++) {
            sls |= SlToVl.vl(table, sl) == SlToVl.DROP ? 0 : 1 << sl;
        }
        return sls;
    }

    private long[] tables(int sw, int input, Map<List<Long>, long[]> known) {
        Long[] tables = new Long[fabric.ports(sw) + 1];
        for (int output = 0; output < tables.length; output++) {
            tables[output] = routing.slToVl().table(sw, input, output);
        }
        return known.computeIfAbsent(
                List.of(tables),
                list -> list.stream().mapToLong(Long::longValue).toArray());
    }

    /**
     * A sender that stands for all of its switch that can not be told apart; {@code otherLid} is that of another port
     * among them, 0 if there is none.
     */
    private record Sender(int sw, int input, int port, int lid, int otherLid, int slClass) {
        /** Returns the LID that sends to an end port; 0 if nobody but that port itself would. */
        int lidTo(int destinationPort) {
            return port == destinationPort ? otherLid : lid;
        }
    }

    /**
     * Sees whether the certificate holds for all packets, and all routes arrive.
     *
     * @param certificate of what was said of all destinations
     * @return what does not hold, in words, or nothing if the certificate holds
     */
    public Optional<String> firstViolation(Certificate certificate) {
        int[] standsFor = destinations();
        for (int lid = 1; lid < standsFor.length && lost == null; lid++) {
            if (standsFor[lid] != 0 && !delivers(lid)) {
                lost = "%s does not send LID %d to its port".formatted(fabric.description(switchOfLid[lid]), lid);
            }
        }
        return lost != null ? Optional.of(lost) : firstViolation(certificate, standsFor);
    }

    /**
     * The same for tables where some routes do not arrive, as where a switch is routed around: packets count as far as
     * they go.
     *
     * @return what does not hold, in words, or nothing if the certificate holds
     */
    public Optional<String> firstViolationOfWhatIsRouted(Certificate certificate) {
        return firstViolation(certificate, destinations());
    }

    private Optional<String> firstViolation(Certificate certificate, int[] standsFor) {
        for (int lid = 1; lid < standsFor.length; lid++) {
            if (standsFor[lid] == lid && !heard.get(lid)) {
                violates("nothing was said of LID " + lid);
            }
        }
        compareTables();
        number(certificate);
        for (int sw = 0; sw < fabric.switchCount() && violation == null; sw++) {
            numbersRiseAt(sw);
        }
        others.forEach((wait, sls) -> numbersRise(sls, wait.input, wait.port, wait.wanted));
        return violation != null ? Optional.of(violation) : multicastViolation();
    }

    /** What was said of entries has to be what the tables say: sums of other entries would not be the same. */
    private void compareTables() {
        int[] lids = heard.stream().toArray();
        long[] found = sums(lids);
        for (int i = 0; i < lids.length; i++) {
            if (found[i] != sums[lids[i]]) {
                violates("entries for LID %d are not those of the tables".formatted(lids[i]));
            }
        }
    }

    private void number(Certificate certificate) {
        numbers = new int[certificate.size()];
        followed = new int[certificate.size()];
        for (int i = 0; i < certificate.size(); i++) {
            Channel channel = certificate.channel(i);
            long old = channels[channel.port()];
            channels[channel.port()] = (old == 0 ? (long) i << VLS : old) | 1L << channel.vl();
            numbers[i] = certificate.number(channel.port(), channel.vl());
        }
    }

    private void numbersRiseAt(int sw) {
        for (int in = firstPort[sw]; in < firstPort[sw + 1]; in++) {
            for (int out = 0; out < slToVl[in].length; out++) {
                int at = waits[outputs[in] + out];
                int behind = farSwitch[firstPort[sw] + out];
                for (int wanted = at == 0 ? Integer.MAX_VALUE : firstPort[behind];
                        at != 0 && wanted < firstPort[behind + 1];
                        wanted++) {
                    if (rank[wanted] != 0 && seen[at + rank[wanted]] != 0) {
                        numbersRise(seen[at + rank[wanted]], in, firstPort[sw] + out, wanted);
                        // Inputs with the same tables share the set.
                        seen[at + rank[wanted]] = 0;
                    }
                }
            }
        }
    }

    private Optional<String> multicastViolation() {
        for (int mlid : routing.multicast().mlids()) {
            MulticastTables.Tree tree = routing.multicast().tree(mlid);
            trees++;
            boolean ring = tree != null && closesRing(tree);
            for (Sender sender : senders) {
                packets++;
                Optional<String> bad =
                        tree == null ? Optional.empty() : copies(tree, ring, sender.sw, sender.input, Certificate.NONE);
                if (bad.isPresent()) {
                    return bad;
                }
            }
        }
        return Optional.empty();
    }

    /** Whether cables of a tree close a ring; only then a packet may come twice to a port. */
    private boolean closesRing(MulticastTables.Tree tree) {
        int[] above = new int[fabric.switchCount()];
        Arrays.setAll(above, sw -> sw);
        BitSet cables = new BitSet();
        for (int sw = 0; sw < above.length; sw++) {
            PortMask mask = tree.ports(sw);
            for (int output = mask.next(1); output >= 0 && output <= fabric.ports(sw); output = mask.next(output + 1)) {
                int port = firstPort[sw] + output;
                int cable = Math.min(port, farPort[port]);
                if (farSwitch[port] != NO_SWITCH && !cables.get(cable)) {
                    cables.set(cable);
                    int a = top(above, sw);
                    int b = top(above, farSwitch[port]);
                    if (a == b) {
                        return true;
                    }
                    above[a] = b;
                }
            }
        }
        return false;
    }

    private static int top(int[] above, int sw) {
        int at = sw;
        while (above[at] != at) {
            above[at] = above[above[at]];
            at = above[at];
        }
        return at;
    }

    /** Something that does not arrive; the first is kept. */
    private void lost(Supplier<String> what) {
        if (lost == null) {
            lost = what.get();
        }
    }

    private void violates(String what) {
        if (violation == null) {
            violation = what;
        }
    }

    private boolean isEnd(int port) {
        return port != Fabric.NONE
                && fabric.switchOf(port) != Fabric.NONE
                && (switchPorts || !fabric.isSwitch(fabric.nodeOf(port)));
    }

    private List<Sender> senders() {
        List<List<Sender>> bySwitch = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            bySwitch.add(new ArrayList<>());
        }
        for (int lid = 1; lid <= fabric.maxLid(); lid++) {
            int port = fabric.portOfLid(lid);
            if (isEnd(port)) {
                Sender one = new Sender(
                        fabric.switchOf(port),
                        fabric.switchPortOf(port),
                        port,
                        lid,
                        0,
                        routing.sls().classOf(lid));
                List<Sender> known = bySwitch.get(one.sw);
                int same = 0;
                while (same < known.size() && !sendsAlike(one, known.get(same))) {
                    same++;
                }
                if (same == known.size()) {
                    known.add(one);
                } else if (known.get(same).port != port) {
                    Sender first = known.get(same);
                    known.set(same, new Sender(first.sw, first.input, first.port, first.lid, lid, first.slClass));
                }
            }
        }
        return bySwitch.stream().flatMap(List::stream).toList();
    }

    private boolean sendsAlike(Sender a, Sender b) {
        return a.slClass == b.slClass && slToVl[firstPort[a.sw] + a.input] == slToVl[firstPort[a.sw] + b.input];
    }

    /**
     * Returns for each LID one that it is the same destination as, itself for the first of each, 0 for those that are
     * none. Most are like the one before them at their switch; those that are not are compared with the first one whose
     * entries have the same sum.
     */
    private int[] destinations() {
        int[] standsFor = new int[fabric.maxLid() + 1];
        int[] before = new int[standsFor.length];
        int[] last = new int[fabric.switchCount()];
        for (int lid = 1; lid < standsFor.length; lid++) {
            if (isEnd(fabric.portOfLid(lid))) {
                standsFor[lid] = lid;
                before[lid] = last[switchOfLid[lid]];
                last[switchOfLid[lid]] = lid;
            }
        }
        joinAlike(standsFor, before);
        int[] open = IntStream.range(1, standsFor.length)
                .filter(lid -> standsFor[lid] == lid)
                .toArray();
        long[] sumsOfOpen = sums(open);
        Map<Likeness, Integer> first = new LinkedHashMap<>();
        Arrays.fill(before, 0);
        for (int i = 0; i < open.length; i++) {
            Integer like = first.putIfAbsent(likeness(open[i], sumsOfOpen[i]), open[i]);
            before[open[i]] = like == null ? 0 : like;
        }
        joinAlike(standsFor, before);
        return standsFor;
    }

    /** What two LIDs have in common that are the same destination; others hardly ever. */
    private record Likeness(int sw, int slClass, long entries, long vls) {}

    private Likeness likeness(int lid, long sumOfEntries) {
        int sw = switchOfLid[lid];
        int output = fabric.switchPortOf(fabric.portOfLid(lid));
        long vls = delivers(lid) ? outputs[firstPort[sw] + output] : -1L;
        for (int in = firstPort[sw]; in < firstPort[sw + 1]; in++) {
            vls = vls * factors[sw] + slToVl[in][output];
        }
        // The entry of their own switch is another one for each port.
        long entries = sumOfEntries - factors[sw] * routing.forwarding().port(sw, lid);
        return new Likeness(sw, routing.sls().classOf(lid), entries, vls);
    }

    /** Returns for each LID the sum of its entries, each times the factor of its switch. */
    private long[] sums(int[] lids) {
        long[] found = new long[lids.length];
        for (int sw = 0; sw < factors.length; sw++) {
            for (int i = 0; i < lids.length; i++) {
                found[i] += factors[sw] * routing.forwarding().port(sw, lids[i]);
            }
        }
        return found;
    }

    /**
     * Lets LIDs stand for what one before them stands for, if all switches treat both alike.
     *
     * @param before by LID one of the same switch, 0 for those that are not compared
     */
    private void joinAlike(int[] standsFor, int[] before) {
        int[] lids = IntStream.range(1, before.length)
                .filter(lid -> before[lid] != 0)
                .toArray();
        int[] others = Arrays.stream(lids).map(lid -> before[lid]).toArray();
        int[] switches = Arrays.stream(lids).map(lid -> switchOfLid[lid]).toArray();
        byte[] unlike = routing.forwarding().unlike(lids, others, switches);
        for (int i = 0; i < lids.length; i++) {
            if (unlike[i] == 0
                    && routing.sls().classOf(lids[i]) == routing.sls().classOf(others[i])
                    && alikeAtTheirSwitch(lids[i], others[i])) {
                standsFor[lids[i]] = standsFor[others[i]];
            }
        }
    }

    /** Whether their own switch delivers both LIDs, by the same VLs, and does the same with what their ports send. */
    private boolean alikeAtTheirSwitch(int lid, int other) {
        int first = firstPort[switchOfLid[lid]];
        int output = fabric.switchPortOf(fabric.portOfLid(lid));
        int otherOutput = fabric.switchPortOf(fabric.portOfLid(other));
        boolean alike = delivers(lid) && delivers(other) && slToVl[first + output] == slToVl[first + otherOutput];
        for (int in = first; alike && in < firstPort[switchOfLid[lid] + 1]; in++) {
            alike = slToVl[in][output] == slToVl[in][otherOutput];
        }
        return alike;
    }

    private boolean delivers(int lid) {
        int port = fabric.portOfLid(lid);
        return routing.forwarding().port(fabric.switchOf(port), lid) == fabric.switchPortOf(port);
    }

    @Override
    public void to(int lid, byte[] columnOfLid, char[] leavingOf) {
        int port = fabric.portOfLid(lid);
        if (!isEnd(port)) {
            return;
        }
        destination = lid;
        destinationPort = port;
        column = columnOfLid;
        leaving = leavingOf;
        int[] other = slsBefore;
        slsBefore = slsFrom;
        slsFrom = other;
        int slClass = routing.sls().classOf(lid);
        if (slClass < 0) {
            Arrays.fill(slsFrom, PathSls.NO_SL_BIT);
        } else {
            routing.sls().slSetsTo(slClass, slsFrom);
        }
        turn++;
        if (heard.isEmpty()) {
            for (int sw = 0; sw < column.length; sw++) {
                sum += factors[sw] * (column[sw] & 0xFF);
                look(sw);
            }
        } else {
            lookAtChanges(fabric.switchOf(port));
        }
        heard.set(lid);
        sums[lid] = sum;
        lastSwitch = fabric.switchOf(port);
        System.arraycopy(column, 0, columnBefore, 0, column.length);
        System.arraycopy(leaving, 0, leavingBefore, 0, leaving.length);
    }

    private void lookAtChanges(int switchOfDestination) {
        for (int sw = unlikeEntry(0); sw >= 0; sw = unlikeEntry(sw + 1)) {
            sum += factors[sw] * ((column[sw] & 0xFF) - (columnBefore[sw] & 0xFF));
            look(sw, 2);
        }
        for (int sw = unlikeLeaving(0); sw >= 0; sw = unlikeLeaving(sw + 1)) {
            look(sw, 1);
        }
        for (int slClass = unlikeSls(0); slClass >= 0; slClass = unlikeSls(slClass + 1)) {
            for (int sw : switchesOfClass[slClass]) {
                look(sw);
            }
        }
        // Where packets arrive, and where those before did.
        look(switchOfDestination, 2);
        look(lastSwitch, 2);
    }

    /** Returns the next switch, from one on, with another entry than for the destination before; negative if none. */
    private int unlikeEntry(int from) {
        int at = Arrays.mismatch(columnBefore, from, column.length, column, from, column.length);
        return at < 0 ? at : from + at;
    }

    /** The same for what is said to leave a switch. */
    private int unlikeLeaving(int from) {
        int at = Arrays.mismatch(leavingBefore, from, leaving.length, leaving, from, leaving.length);
        return at < 0 ? at : from + at;
    }

    /** The same for classes of senders that use other SLs. */
    private int unlikeSls(int from) {
        int at = Arrays.mismatch(slsBefore, from, slsFrom.length, slsFrom, from, slsFrom.length);
        return at < 0 ? at : from + at;
    }

    /** Looks at a switch, and at those that send to it, to some depth. */
    private void look(int sw, int depth) {
        look(sw);
        for (int port = firstPort[sw] + 1; depth > 0 && port < firstPort[sw + 1]; port++) {
            int from = farSwitch[port];
            if (from != NO_SWITCH && firstPort[from] + (column[from] & 0xFF) == farPort[port]) {
                look(from, depth - 1);
            }
        }
    }

    /** Looks at what starts at a switch, and at what leaves it for the next one. */
    private void look(int sw) {
        if (lookedAt[sw] == turn) {
            return;
        }
        lookedAt[sw] = turn;
        for (int i = firstSender[sw]; i < firstSender[sw + 1]; i++) {
            Sender sender = senders.get(i);
            int from = sender.lidTo(destinationPort);
            int sls = sender.slClass < 0 ? PathSls.NO_SL_BIT : slsFrom[sender.slClass];
            if (from != 0 && sls > ALL_SLS) {
                int to = destination;
                lost(() -> "no SL from LID %d to LID %d".formatted(from, to));
            }
            if (from != 0 && (sls & ALL_SLS) != 0) {
                pass(sw, firstPort[sw] + sender.input, sls & ALL_SLS);
            }
        }
        int port = firstPort[sw] + (column[sw] & 0xFF);
        if (leaving[sw] != 0 && port < firstPort[sw + 1] && farSwitch[port] != NO_SWITCH) {
            pass(farSwitch[port], farPort[port], leaving[sw]);
        }
    }

    /**
     * Packets come to a switch: what is said of it has to allow that they leave it.
     *
     * @param input port index of the port by which they come
     * @param sls a bit for each SL, at least one
     */
    private void pass(int sw, int input, int sls) {
        int output = column[sw] & 0xFF;
        int port = firstPort[sw] + output;
        if (port >= firstPort[sw + 1]) {
            lost(() -> "no route at %s to LID %d".formatted(fabric.description(sw), destination));
            return;
        }
        boolean arrives = farPort[port] == destinationPort;
        if (arrives && output == 0) {
            return;
        }
        int next = farSwitch[port];
        if (!arrives && next == NO_SWITCH) {
            lost(() -> "wrong end at %s to LID %d".formatted(fabric.description(sw), destination));
            return;
        }
        int at = waits[outputs[input] + output];
        int left = sls & (at == 0 ? passing(slToVl[input][output]) : seen[at]);
        if (left != sls) {
            int dropped = Integer.numberOfTrailingZeros(sls & ~left);
            lost(() -> "SL %d is dropped at %s".formatted(dropped, fabric.portName(port)));
        }
        if (arrives) {
            return;
        }
        if ((left & ~leaving[sw]) != 0) {
            violates("packets to LID %d leave %s by SLs of which nothing was said: %s of %s"
                    .formatted(
                            destination,
                            fabric.portName(port),
                            Integer.toHexString(left & ~leaving[sw]),
                            Integer.toHexString(left)));
        }
        int wanted = firstPort[next] + (column[next] & 0xFF);
        if (left != 0 && wanted < firstPort[next + 1] && rank[wanted] != 0) {
            if (at != 0) {
                seen[at + rank[wanted]] |= (char) left;
            } else {
                others.merge(new Wait(input, port, wanted), left, (some, more) -> some | more);
            }
        }
    }

    /**
     * Looks up the numbers of the channels that packets are in when they have left by a port, and of those that they
     * want next. A channel without number is one that nothing waits for and that waits for nothing but the end port.
     *
     * @param sls a bit for each SL
     * @param input port index of the port by which they came to the first switch
     * @param port port index of the output of that switch
     * @param wanted port index of the output of the next one
     */
    private void numbersRise(int sls, int input, int port, int wanted) {
        long first = slToVl[input][port - firstPort[fabric.nodeOf(port)]];
        long second = slToVl[farPort[port]][wanted - firstPort[fabric.nodeOf(wanted)]];
        for (int rest = sls; rest != 0; rest &= rest - 1) {
            int sl = Integer.numberOfTrailingZeros(rest);
            int vl = SlToVl.vl(second, sl);
            if (vl != SlToVl.DROP) {
                int number = number(port, SlToVl.vl(first, sl));
                int after = number(wanted, vl);
                if (number == Certificate.NONE || after <= number) {
                    violates("SL %d: number %d is followed by %d at %s"
                            .formatted(sl, number, after, fabric.portName(wanted)));
                }
            }
        }
    }

    private int number(int port, int vl) {
        int at = place(port, vl);
        return at == Certificate.NONE ? Certificate.NONE : numbers[at];
    }

    /** Returns which channel of the certificate it is, or {@link Certificate#NONE} if it has no number. */
    private int place(int port, int vl) {
        long of = channels[port];
        return (of >>> vl & 1) == 0 ? Certificate.NONE : (int) (of >>> VLS) + Long.bitCount(of & (1L << vl) - 1);
    }

    /**
     * Follows all copies of a packet; each goes on recursively. Where packets of the tree have been before they are not
     * followed again, unless its cables close a ring: then each packet may go at most once over each cable.
     */
    private Optional<String> copies(MulticastTables.Tree tree, boolean ring, int sw, int input, int before) {
        PortMask mask = tree.ports(sw);
        for (int output = mask.next(1); output >= 0 && output <= fabric.ports(sw); output = mask.next(output + 1)) {
            int port = firstPort[sw] + output;
            int vl = SlToVl.vl(slToVl[firstPort[sw] + input][output], tree.sl());
            if (output == input || farSwitch[port] == NO_SWITCH || vl == SlToVl.DROP) {
                continue;
            }
            if (ring && taken[port] == packets) {
                return Optional.of("a multicast packet comes twice to " + fabric.portName(port));
            }
            taken[port] = packets;
            int at = place(port, vl);
            int number = at == Certificate.NONE ? Certificate.NONE : numbers[at];
            if (before != Certificate.NONE && number <= before) {
                return Optional.of("multicast: number %d is followed by %d at %s"
                        .formatted(before, number, fabric.portName(port)));
            }
            if (at != Certificate.NONE && !ring) {
                if (followed[at] == trees) {
                    continue;
                }
                followed[at] = trees;
            }
            int next = number == Certificate.NONE ? Integer.MAX_VALUE : number;
            Optional<String> bad = copies(tree, ring, farSwitch[port], fabric.portNumber(farPort[port]), next);
            if (bad.isPresent()) {
                return bad;
            }
        }
        return Optional.empty();
    }
}
