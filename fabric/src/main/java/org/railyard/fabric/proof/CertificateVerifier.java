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
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/**
 * Checks a certificate by walking paths and multicast packets hop by hop, and seeing the numbers rise. Knows nothing of
 * how the certificate was made and shares no code with the check.
 *
 * <p>A path is walked until it comes to a port by which a packet of the same SL for the same destination came before:
 * from there on both go the same way. Numbers are looked up once for each SL, cable, and next cable, of packets that
 * came to the first by ports with the same SL to VL tables: the VLs follow from these. LIDs of one switch that every
 * other switch sends by the same port count as one destination, senders behind one switch with the same SLs and VLs as
 * one sender. For one thread, once.
 */
public final class CertificateVerifier {
    private static final int VLS = 16;
    private static final int LID_BITS = 16;
    private static final int ALL_SLS = 0xFFFF;

    /** Destinations whose tables are read together. */
    private static final int BLOCK = 64;

    /** Of a port that leads to no switch. */
    private static final int NO_SWITCH = -1;

    /** Most sets of SLs that were looked up; beyond, numbers are looked up each time. */
    private static final int MAX_SETS = 1 << 26;

    private final Fabric fabric;
    private final Routing routing;
    /** By port index: VLs of the channels that the certificate has, and above them the index of the first. */
    private final long[] channels;
    /** By channel of the certificate. */
    private final int[] numbers;
    /** By channel of the certificate: the last multicast tree whose packets were followed from it on. */
    private final int[] followed;
    /** By port index of an input: the last destination whose packets came by it, and below it their SLs. */
    private final int[] been;
    /**
     * By port index of an input: where its outputs begin in {@link #waits}, together with other inputs of the same
     * tables.
     */
    private final int[] outputs;
    /** By output: where its sets begin in {@link #seen}; 0 = it has none. */
    private final int[] waits;
    /**
     * For each output the SLs that are not dropped on the way to it; then for each cable of the switch behind it to
     * another one the SLs of which the certificate was seen to allow the wait.
     */
    private final char[] seen;
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
    /** Last packet that a multicast walk sent through the port. */
    private final int[] taken;

    private int packets;
    private int trees;

    /** Whether routes that do not arrive are followed as far as they go, instead of being violations. */
    private boolean partly;

    /** Makes a verifier of a certificate for these tables. */
    public CertificateVerifier(Fabric fabric, Routing routing, Certificate certificate) {
        this.fabric = fabric;
        this.routing = routing;
        channels = new long[fabric.portCount()];
        numbers = new int[certificate.size()];
        followed = new int[certificate.size()];
        for (int i = 0; i < certificate.size(); i++) {
            Channel channel = certificate.channel(i);
            long old = channels[channel.port()];
            channels[channel.port()] = (old == 0 ? (long) i << VLS : old) | 1L << channel.vl();
            numbers[i] = certificate.number(channel.port(), channel.vl());
        }
        been = new int[fabric.portCount()];
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
        seen = new char[placeWaits()];
        fillSeen();
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
    private int placeWaits() {
        int count = 1;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int in = firstPort[sw]; in < firstPort[sw + 1]; in++) {
                for (int out = 0; out < slToVl[in].length; out++) {
                    int behind = farSwitch[firstPort[sw] + out];
                    int at = outputs[in] + out;
                    if (behind != NO_SWITCH && waits[at] == 0 && count + cables[behind] + 1 <= MAX_SETS) {
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
     * Walks.
     *
     * @param switchPorts whether port 0 of switches counts as end port
     * @return the first wait that the certificate does not allow, in words, or nothing if the certificate holds
     */
    public Optional<String> firstViolation(boolean switchPorts) {
        List<Sender> senders = senders(switchPorts);
        int[] standsFor = destinations(switchPorts);
        for (int lid = 1; lid < standsFor.length; lid++) {
            Optional<String> bad = standsFor[lid] == 0 ? Optional.empty() : delivered(lid);
            if (bad.isPresent()) {
                return bad;
            }
        }
        int[] lids = IntStream.range(1, standsFor.length)
                .filter(lid -> standsFor[lid] == lid)
                .toArray();
        byte[][] columns = new byte[BLOCK][fabric.switchCount()];
        int[] slsFrom = new int[routing.sls().classes()];
        for (int first = 0; first < lids.length; first += BLOCK) {
            routing.forwarding().copyColumns(lids, first, columns);
            for (int i = first; i < Math.min(lids.length, first + BLOCK); i++) {
                Optional<String> bad = toDestination(senders, slsFrom, lids[i], columns[i - first]);
                if (bad.isPresent()) {
                    return bad;
                }
            }
        }
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

    /**
     * The same for tables where some routes do not arrive, as where a switch is routed around: packets are followed as
     * far as they go.
     *
     * @return the first wait that the certificate does not allow, in words, or nothing if the certificate holds
     */
    public Optional<String> firstViolationOfWhatIsRouted(boolean switchPorts) {
        partly = true;
        return firstViolation(switchPorts);
    }

    /** Something that does not arrive. */
    private Optional<String> lost(Supplier<String> what) {
        return partly ? Optional.empty() : Optional.of(what.get());
    }

    private boolean isEnd(int port, boolean switchPorts) {
        return port != Fabric.NONE
                && fabric.switchOf(port) != Fabric.NONE
                && (switchPorts || !fabric.isSwitch(fabric.nodeOf(port)));
    }

    private List<Sender> senders(boolean switchPorts) {
        List<List<Sender>> bySwitch = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            bySwitch.add(new ArrayList<>());
        }
        for (int lid = 1; lid <= fabric.maxLid(); lid++) {
            int port = fabric.portOfLid(lid);
            if (isEnd(port, switchPorts)) {
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
        boolean alike = a.slClass == b.slClass;
        for (int out = 0; alike && out <= fabric.ports(a.sw); out++) {
            alike = routing.slToVl().table(a.sw, a.input, out)
                    == routing.slToVl().table(a.sw, b.input, out);
        }
        return alike;
    }

    /**
     * Returns for each LID the one that it is the same destination as, 0 for those that are none. LIDs are compared
     * with the one before them at their switch, those that differ with the first of these, then with the first of those
     * that differ again, and so on; after some rounds each of the rest is a destination of its own.
     */
    private int[] destinations(boolean switchPorts) {
        int[] standsFor = new int[fabric.maxLid() + 1];
        int[] before = new int[standsFor.length];
        int[] last = new int[fabric.switchCount()];
        for (int lid = 1; lid < standsFor.length; lid++) {
            if (isEnd(fabric.portOfLid(lid), switchPorts)) {
                standsFor[lid] = lid;
                before[lid] = last[switchOfLid[lid]];
                last[switchOfLid[lid]] = lid;
            }
        }
        joinAlike(standsFor, before);
        int[] open = IntStream.range(1, standsFor.length)
                .filter(lid -> standsFor[lid] == lid)
                .toArray();
        int rounds = 16;
        for (int round = 0; open.length > 0 && round < rounds; round++) {
            Arrays.fill(before, 0);
            int[] first = new int[fabric.switchCount()];
            for (int lid : open) {
                before[lid] = first[switchOfLid[lid]];
                first[switchOfLid[lid]] = before[lid] == 0 ? lid : before[lid];
            }
            joinAlike(standsFor, before);
            open = Arrays.stream(open)
                    .filter(lid -> before[lid] != 0 && standsFor[lid] == lid)
                    .toArray();
        }
        for (int lid = 1; lid < standsFor.length; lid++) {
            // What it stands for stands for itself, or for another that does.
            standsFor[lid] = standsFor[standsFor[lid]];
        }
        return standsFor;
    }

    /**
     * Lets LIDs stand for what one before them stands for, if all switches but their own treat both alike.
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
                    && routing.sls().classOf(lids[i]) == routing.sls().classOf(others[i])) {
                standsFor[lids[i]] = standsFor[others[i]];
            }
        }
    }

    /** The last switch must send each LID to its port, also those that another one stands for. */
    private Optional<String> delivered(int lid) {
        int port = fabric.portOfLid(lid);
        int sw = fabric.switchOf(port);
        return routing.forwarding().port(sw, lid) == fabric.switchPortOf(port)
                ? Optional.empty()
                : lost(() -> "%s does not send LID %d to its port".formatted(fabric.description(sw), lid));
    }

    private Optional<String> toDestination(List<Sender> senders, int[] slsFrom, int destination, byte[] column) {
        int destinationPort = fabric.portOfLid(destination);
        PathSls sls = routing.sls();
        int slClass = sls.classOf(destination);
        if (slClass < 0) {
            Arrays.fill(slsFrom, PathSls.NO_SL_BIT);
        } else {
            sls.slSetsTo(slClass, slsFrom);
        }
        for (Sender sender : senders) {
            int from = sender.lidTo(destinationPort);
            int all = sender.slClass < 0 ? PathSls.NO_SL_BIT : slsFrom[sender.slClass];
            if (from != 0 && all > ALL_SLS && !partly) {
                return lost(() -> "no SL from LID %d to LID %d".formatted(from, destination));
            }
            if (from != 0 && (all & ALL_SLS) != 0) {
                Optional<String> bad = walk(sender, destination, destinationPort, all & ALL_SLS, column);
                if (bad.isPresent()) {
                    return bad;
                }
            }
        }
        return Optional.empty();
    }

    /** Walks with all SLs at once that a sender uses; {@code sls} has a bit for each. */
    private Optional<String> walk(Sender from, int destination, int destinationPort, int sls, byte[] column) {
        int sw = from.sw;
        int input = firstPort[sw] + from.input;
        int left = sls;
        for (int hops = 0; hops <= column.length; hops++) {
            int output = column[sw] & 0xFF;
            int port = firstPort[sw] + output;
            if (port >= firstPort[sw + 1]) {
                String at = fabric.description(sw);
                return lost(() -> "no route at %s to LID %d".formatted(at, destination));
            }
            if (farPort[port] == destinationPort) {
                return Optional.empty();
            }
            int next = farSwitch[port];
            if (next == NO_SWITCH) {
                String at = fabric.description(sw);
                return lost(() -> "wrong end at %s to LID %d".formatted(at, destination));
            }
            int at = waits[outputs[input] + output];
            int passing = at == 0 ? passing(slToVl[input][output]) : seen[at];
            if ((left & ~passing) != 0) {
                int dropped = Integer.numberOfTrailingZeros(left & ~passing);
                if (!partly) {
                    return lost(() -> "SL %d is dropped at %s".formatted(dropped, fabric.portName(port)));
                }
                left &= passing;
            }
            int wanted = firstPort[next] + (column[next] & 0xFF);
            if (wanted < firstPort[next + 1] && rank[wanted] != 0) {
                int set = at + rank[wanted];
                int unseen = at == 0 ? left : left & ~seen[set];
                if (unseen != 0) {
                    Optional<String> bad = numbersRise(from, destination, unseen, input, port, wanted);
                    if (bad.isPresent()) {
                        return bad;
                    }
                    if (at != 0) {
                        seen[set] |= (char) unseen;
                    }
                }
            }
            input = farPort[port];
            int before = been[input] >>> LID_BITS == destination ? been[input] & ALL_SLS : 0;
            left &= ~before;
            if (left == 0) {
                return Optional.empty();
            }
            been[input] = destination << LID_BITS | before | left;
            sw = next;
        }
        return Optional.of("LID %d to LID %d goes round".formatted(from.lid, destination));
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
    private Optional<String> numbersRise(Sender from, int destination, int sls, int input, int port, int wanted) {
        long first = slToVl[input][port - firstPort[fabric.nodeOf(port)]];
        long second = slToVl[farPort[port]][wanted - firstPort[fabric.nodeOf(wanted)]];
        for (int rest = sls; rest != 0; rest &= rest - 1) {
            int sl = Integer.numberOfTrailingZeros(rest);
            int vl = SlToVl.vl(second, sl);
            if (vl != SlToVl.DROP) {
                int number = number(port, SlToVl.vl(first, sl));
                int after = number(wanted, vl);
                if (number == Certificate.NONE || after <= number) {
                    return Optional.of("LID %d to LID %d, SL %d: number %d is followed by %d at %s"
                            .formatted(from.lid, destination, sl, number, after, fabric.portName(wanted)));
                }
            }
        }
        return Optional.empty();
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
            if (output == input || farSwitch[port] == NO_SWITCH) {
                continue;
            }
            if (ring && taken[port] == packets) {
                return Optional.of("a multicast packet comes twice to " + fabric.portName(port));
            }
            taken[port] = packets;
            int vl = SlToVl.vl(slToVl[firstPort[sw] + input][output], tree.sl());
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
