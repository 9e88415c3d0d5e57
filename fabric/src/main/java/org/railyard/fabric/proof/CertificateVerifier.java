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
 * <p>A path is walked until it comes to a channel where a packet of the same SL for the same destination has been
 * before: from there on both go the same way. LIDs of one switch that every other switch sends by the same port count
 * as one destination, senders behind one switch with the same SLs and VLs as one sender. For one thread, once.
 */
public final class CertificateVerifier {
    private static final int SLS = 16;
    private static final int VLS = 16;
    private static final int HALF = 32;
    private static final int LID_BITS = 16;
    private static final int ALL_SLS = 0xFFFF;

    /** Destinations whose tables are read together. */
    private static final int BLOCK = 64;

    /** Of a port that leads to no switch. */
    private static final int NO_SWITCH = -1;

    private final Fabric fabric;
    private final Routing routing;
    /**
     * By port index: VLs of the channels that the certificate has, and above them the index of the first. Small, so
     * that it stays near the processor.
     */
    private final long[] channels;
    /**
     * For each channel of the certificate its number in the upper half, and below it the last destination for which
     * packets were in it, and their SLs: together, because they are looked at together.
     */
    private final long[] states;
    /** By channel of the certificate: the last multicast tree whose packets were followed from it on. */
    private final int[] followed;
    /** By SL: number of the channel that the packet is in, on the walk at hand. */
    private final int[] before = new int[SLS];
    /** By switch: index of its port 0. */
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
        states = new long[certificate.size()];
        followed = new int[certificate.size()];
        for (int i = 0; i < certificate.size(); i++) {
            Channel channel = certificate.channel(i);
            int number = certificate.number(channel.port(), channel.vl());
            long old = channels[channel.port()];
            channels[channel.port()] = (old == 0 ? (long) i << VLS : old) | 1L << channel.vl();
            states[i] = (long) number << HALF;
        }
        taken = new int[fabric.portCount()];
        firstPort = new int[fabric.switchCount()];
        Arrays.setAll(firstPort, sw -> fabric.portIndex(sw, 0));
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
        for (int first = 0; first < lids.length; first += BLOCK) {
            routing.forwarding().copyColumns(lids, first, columns);
            for (int i = first; i < Math.min(lids.length, first + BLOCK); i++) {
                Optional<String> bad = toDestination(senders, lids[i], columns[i - first]);
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
     * with the first of their switch, those that differ with the first of these, and so on; after some rounds each of
     * the rest is a destination of its own.
     */
    private int[] destinations(boolean switchPorts) {
        int[] standsFor = new int[fabric.maxLid() + 1];
        boolean[] open = new boolean[standsFor.length];
        for (int lid = 1; lid < open.length; lid++) {
            open[lid] = isEnd(fabric.portOfLid(lid), switchPorts);
        }
        int rounds = 16;
        boolean any = true;
        for (int round = 0; any && round < rounds; round++) {
            int[] first = new int[fabric.switchCount()];
            for (int lid = 1; lid < open.length; lid++) {
                if (open[lid]) {
                    int sw = switchOfLid[lid];
                    boolean alone = first[sw] == 0 || round == rounds - 1;
                    first[sw] = first[sw] == 0 ? lid : first[sw];
                    boolean alike = routing.sls().classOf(lid) == routing.sls().classOf(first[sw]);
                    standsFor[lid] = alone || !alike ? lid : first[sw];
                }
            }
            any = compareRows(standsFor, open);
        }
        return standsFor;
    }

    /**
     * Closes LIDs that the tables treat like the one they stand for; row by row, as tables lie in memory.
     *
     * @return whether any is still open
     */
    private boolean compareRows(int[] standsFor, boolean[] open) {
        boolean[] differs = new boolean[open.length];
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int lid = 1; lid < open.length; lid++) {
                if (open[lid] && standsFor[lid] != lid) {
                    differs[lid] |= routing.forwarding().port(sw, lid)
                                    != routing.forwarding().port(sw, standsFor[lid])
                            && sw != switchOfLid[lid];
                }
            }
        }
        boolean any = false;
        for (int lid = 1; lid < open.length; lid++) {
            open[lid] &= differs[lid];
            any |= open[lid];
        }
        return any;
    }

    /** The last switch must send each LID to its port, also those that another one stands for. */
    private Optional<String> delivered(int lid) {
        int port = fabric.portOfLid(lid);
        int sw = fabric.switchOf(port);
        return routing.forwarding().port(sw, lid) == fabric.switchPortOf(port)
                ? Optional.empty()
                : lost(() -> "%s does not send LID %d to its port".formatted(fabric.description(sw), lid));
    }

    private Optional<String> toDestination(List<Sender> senders, int destination, byte[] column) {
        int destinationPort = fabric.portOfLid(destination);
        PathSls sls = routing.sls();
        int slClass = sls.classOf(destination);
        for (Sender sender : senders) {
            int from = sender.lidTo(destinationPort);
            int all = 0;
            for (int level = 0; from != 0 && level < sls.levels(); level++) {
                boolean known = sender.slClass >= 0 && slClass >= 0;
                int sl = known ? sls.classSl(sender.slClass, slClass, level) : PathSls.NO_SL;
                if (sl != PathSls.NO_SL) {
                    all |= 1 << sl;
                } else if (!partly) {
                    return lost(() -> "no SL from LID %d to LID %d".formatted(from, destination));
                }
            }
            if (all != 0) {
                Optional<String> bad = walk(sender, destination, destinationPort, all, column);
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
        int inputPort = firstPort[sw] + from.input;
        int left = sls;
        Arrays.fill(before, Certificate.NONE);
        for (int hops = 0; hops <= column.length; hops++) {
            int output = column[sw] & 0xFF;
            long[] tables = slToVl[inputPort];
            if (output >= tables.length) {
                String at = fabric.description(sw);
                return lost(() -> "no route at %s to LID %d".formatted(at, destination));
            }
            int port = firstPort[sw] + output;
            if (farPort[port] == destinationPort) {
                return Optional.empty();
            }
            int next = farSwitch[port];
            if (next == NO_SWITCH) {
                String at = fabric.description(sw);
                return lost(() -> "wrong end at %s to LID %d".formatted(at, destination));
            }
            for (int rest = left; rest != 0; rest &= rest - 1) {
                int sl = Integer.numberOfTrailingZeros(rest);
                int vl = SlToVl.vl(tables[output], sl);
                if (vl == SlToVl.DROP) {
                    if (!partly) {
                        return lost(() -> "SL %d is dropped at %s".formatted(sl, fabric.portName(port)));
                    }
                    left &= ~(1 << sl);
                    continue;
                }
                int at = place(port, vl);
                if (at == Certificate.NONE) {
                    if (before[sl] != Certificate.NONE) {
                        return Optional.of(follows(from, destination, sl, before[sl], Certificate.NONE, port));
                    }
                    // A channel without number is one that nothing waits for and that waits for nothing but the end
                    // port.
                    before[sl] = Integer.MAX_VALUE;
                    continue;
                }
                long state = states[at];
                int number = (int) (state >>> HALF);
                if (number <= before[sl]) {
                    return Optional.of(follows(from, destination, sl, before[sl], number, port));
                }
                before[sl] = number;
                int been = ((int) state >>> LID_BITS) == destination ? (int) state & ALL_SLS : 0;
                left &= ~(been & 1 << sl);
                states[at] = (long) number << HALF | (long) destination << LID_BITS | been | 1 << sl;
            }
            if (left == 0) {
                return Optional.empty();
            }
            sw = next;
            inputPort = farPort[port];
        }
        return Optional.of("LID %d to LID %d goes round".formatted(from.lid, destination));
    }

    /** Returns which channel of the certificate it is, or {@link Certificate#NONE} if it has no number. */
    private int place(int port, int vl) {
        long of = channels[port];
        return (of >>> vl & 1) == 0 ? Certificate.NONE : (int) (of >>> VLS) + Long.bitCount(of & (1L << vl) - 1);
    }

    private String follows(Sender from, int destination, int sl, int before, int number, int port) {
        return "LID %d to LID %d, SL %d: number %d is followed by %d at %s"
                .formatted(from.lid, destination, sl, before, number, fabric.portName(port));
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
            int number = at == Certificate.NONE ? Certificate.NONE : (int) (states[at] >>> HALF);
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
