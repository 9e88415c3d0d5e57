package org.railyard.fabric.proof;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

    /** Destinations whose tables are read together. */
    private static final int BLOCK = 64;

    private final Fabric fabric;
    private final Routing routing;
    /** By number of a channel: its number in the order of the certificate, or {@link Certificate#NONE}. */
    private final int[] numbers;
    /**
     * Last destination for which a packet was in the channel, by channel and SL; allocated for channels that have a
     * number.
     */
    private final int[] place;

    private final int[] walked;
    /** Last packet that a multicast walk sent through the port. */
    private final int[] taken;

    private int packets;

    /** Whether routes that do not arrive are followed as far as they go, instead of being violations. */
    private boolean partly;

    /** Makes a verifier of a certificate for these tables. */
    public CertificateVerifier(Fabric fabric, Routing routing, Certificate certificate) {
        this.fabric = fabric;
        this.routing = routing;
        numbers = new int[Channel.number(fabric.portCount(), 0)];
        place = new int[Channel.number(fabric.portCount(), 0)];
        Arrays.fill(numbers, Certificate.NONE);
        for (int i = 0; i < certificate.size(); i++) {
            Channel channel = certificate.channel(i);
            int at = channel.number();
            numbers[at] = certificate.number(channel.port(), channel.vl());
            place[at] = i * SLS;
        }
        walked = new int[certificate.size() * SLS];
        taken = new int[fabric.portCount()];
    }

    /**
     * A sender that stands for all of its switch that can not be told apart; {@code otherLid} is that of another port
     * among them, 0 if there is none.
     */
    private record Sender(int sw, int input, int port, int lid, int otherLid) {
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
            for (Sender sender : senders) {
                packets++;
                Optional<String> bad =
                        tree == null ? Optional.empty() : copies(tree, sender.sw, sender.input, Certificate.NONE);
                if (bad.isPresent()) {
                    return bad;
                }
            }
        }
        return Optional.empty();
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
                Sender one = new Sender(fabric.switchOf(port), fabric.switchPortOf(port), port, lid, 0);
                List<Sender> known = bySwitch.get(one.sw);
                int same = 0;
                while (same < known.size() && !sendsAlike(one, known.get(same))) {
                    same++;
                }
                if (same == known.size()) {
                    known.add(one);
                } else if (known.get(same).port != port) {
                    Sender first = known.get(same);
                    known.set(same, new Sender(first.sw, first.input, first.port, first.lid, lid));
                }
            }
        }
        return bySwitch.stream().flatMap(List::stream).toList();
    }

    private boolean sendsAlike(Sender a, Sender b) {
        boolean alike = routing.sls().classOf(a.lid) == routing.sls().classOf(b.lid);
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
        for (int round = 0; round < rounds; round++) {
            int[] first = new int[fabric.switchCount()];
            for (int lid = 1; lid < open.length; lid++) {
                if (open[lid]) {
                    int sw = fabric.switchOf(fabric.portOfLid(lid));
                    boolean alone = first[sw] == 0 || round == rounds - 1;
                    first[sw] = first[sw] == 0 ? lid : first[sw];
                    boolean alike = routing.sls().classOf(lid) == routing.sls().classOf(first[sw]);
                    standsFor[lid] = alone || !alike ? lid : first[sw];
                }
            }
            compareRows(standsFor, open);
        }
        return standsFor;
    }

    /** Closes LIDs that the tables treat like the one they stand for; row by row, as tables lie in memory. */
    private void compareRows(int[] standsFor, boolean[] open) {
        boolean[] differs = new boolean[open.length];
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int lid = 1; lid < open.length; lid++) {
                if (open[lid] && standsFor[lid] != lid) {
                    differs[lid] |= routing.forwarding().port(sw, lid)
                                    != routing.forwarding().port(sw, standsFor[lid])
                            && sw != fabric.switchOf(fabric.portOfLid(lid));
                }
            }
        }
        for (int lid = 1; lid < open.length; lid++) {
            open[lid] &= differs[lid];
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

    private Optional<String> toDestination(List<Sender> senders, int destination, byte[] column) {
        int destinationPort = fabric.portOfLid(destination);
        for (Sender sender : senders) {
            int from = sender.lidTo(destinationPort);
            for (int hint = 0; from != 0 && hint < 8 * routing.sls().levels(); hint += 8) {
                int sl = routing.sls().sl(from, destination, hint);
                Optional<String> bad = sl == PathSls.NO_SL
                        ? lost(() -> "no SL from LID %d to LID %d".formatted(from, destination))
                        : walk(sender, destination, sl, column);
                if (bad.isPresent()) {
                    return bad;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<String> walk(Sender from, int destination, int sl, byte[] column) {
        int sw = from.sw;
        int input = from.input;
        int before = Certificate.NONE;
        for (int hops = 0; hops <= fabric.switchCount(); hops++) {
            int output = column[sw] & 0xFF;
            if (output > fabric.ports(sw)) {
                String at = fabric.description(sw);
                return lost(() -> "no route at %s to LID %d".formatted(at, destination));
            }
            int port = fabric.portIndex(sw, output);
            int peer = output == 0 ? port : fabric.peer(port);
            if (peer == fabric.portOfLid(destination)) {
                return Optional.empty();
            }
            if (peer == Fabric.NONE || output == 0 || !fabric.isSwitch(fabric.nodeOf(peer))) {
                String at = fabric.description(sw);
                return lost(() -> "wrong end at %s to LID %d".formatted(at, destination));
            }
            int vl = SlToVl.vl(routing.slToVl().table(sw, input, output), sl);
            if (vl == SlToVl.DROP) {
                return lost(() -> "SL %d is dropped at %s".formatted(sl, fabric.portName(port)));
            }
            int channel = Channel.number(port, vl);
            int number = numbers[channel];
            if ((number != Certificate.NONE || before != Certificate.NONE) && number <= before) {
                return Optional.of("LID %d to LID %d, SL %d: number %d is followed by %d at %s"
                        .formatted(from.lid, destination, sl, before, number, fabric.portName(port)));
            }
            if (number != Certificate.NONE) {
                if (walked[place[channel] + sl] == destination) {
                    return Optional.empty();
                }
                walked[place[channel] + sl] = destination;
            }
            // A channel without number is one that nothing waits for and that waits for nothing but the end port.
            before = number == Certificate.NONE ? Integer.MAX_VALUE : number;
            sw = fabric.nodeOf(peer);
            input = fabric.portNumber(peer);
        }
        return Optional.of("LID %d to LID %d goes round".formatted(from.lid, destination));
    }

    /** Follows all copies of a packet; each goes on recursively, at most once over each cable. */
    private Optional<String> copies(MulticastTables.Tree tree, int sw, int input, int before) {
        PortMask mask = tree.ports(sw);
        for (int output = mask.next(1); output >= 0 && output <= fabric.ports(sw); output = mask.next(output + 1)) {
            int port = fabric.portIndex(sw, output);
            int peer = fabric.peer(port);
            if (output == input || peer == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(peer))) {
                continue;
            }
            if (taken[port] == packets) {
                return Optional.of("a multicast packet comes twice to " + fabric.portName(port));
            }
            taken[port] = packets;
            int vl = SlToVl.vl(routing.slToVl().table(sw, input, output), tree.sl());
            int number = numbers[Channel.number(port, vl)];
            if (before != Certificate.NONE && number <= before) {
                return Optional.of("multicast: number %d is followed by %d at %s"
                        .formatted(before, number, fabric.portName(port)));
            }
            int next = number == Certificate.NONE ? Integer.MAX_VALUE : number;
            Optional<String> bad = copies(tree, fabric.nodeOf(peer), fabric.portNumber(peer), next);
            if (bad.isPresent()) {
                return bad;
            }
        }
        return Optional.empty();
    }
}
