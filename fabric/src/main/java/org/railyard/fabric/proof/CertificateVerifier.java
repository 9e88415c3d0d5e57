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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.VerifierSenders.Sender;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;

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
    private static final int ALL_SLS = 0xFFFF;

    private static final int NO_SWITCH = SeenWaits.NO_SWITCH;

    private final Fabric fabric;
    private final Routing routing;
    private final boolean switchPorts;
    private final SeenWaits waits;
    private final VerifierSenders senders;

    // What is in {@code waits}, at hand.
    private final int[] outputs;
    private final int[] places;
    private final char[] seen;
    private final short[] rank;
    private final int[] firstPort;
    private final int[] farPort;
    private final int[] farSwitch;
    private final long[][] slToVl;
    private final Sender[] all;

    /** Ports with a cable to another switch, switch by switch. */
    private final int[] cables;

    /** By switch: where its ports begin in it; one entry more than switches. */
    private final int[] firstCable;

    /** By LID: its switch. */
    private final int[] switchOfLid;

    /** By SL class: the switches of its senders. */
    private final int[][] switchesOfClass;

    /** LIDs of which something was said. */
    private final BitSet heard = new BitSet();

    /** By LID of which something was said: the sum of its entries as they were said, each times that of its switch. */
    private final long[] sums;

    /** By LID: the same sum as the tables have it, where it is wanted. */
    private final long[] tableSums;

    /** By switch: a power of a large odd number, so that sums of few small multiples are no others. */
    private final long[] factors;

    private @Nullable String violation;
    private @Nullable String lost;
    private boolean holds;

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

    /** By switch: the last destination for which it was looked at what its senders send. */
    private final int[] sendersSeen;

    /** By switch: the same for what leaves it for the next one. */
    private final int[] cableSeen;

    private int turn;

    /**
     * Makes a verifier for these tables, that knows nothing yet.
     *
     * @param switchPorts whether port 0 of switches counts as end port
     */
    public CertificateVerifier(Fabric fabric, Routing routing, boolean switchPorts) {
        this(fabric, routing, switchPorts, SeenWaits.MAX_SETS);
    }

    /** Makes one with as many sets of SLs as wanted: with less it keeps more one by one. */
    CertificateVerifier(Fabric fabric, Routing routing, boolean switchPorts, int maxSets) {
        this.fabric = fabric;
        this.routing = routing;
        this.switchPorts = switchPorts;
        waits = new SeenWaits(fabric, routing, maxSets);
        senders = new VerifierSenders(fabric, routing.sls(), waits, switchPorts);
        outputs = waits.outputs;
        places = waits.waits;
        seen = waits.seen;
        rank = waits.rank;
        firstPort = waits.firstPort;
        farPort = waits.farPort;
        farSwitch = waits.farSwitch;
        slToVl = waits.slToVl;
        all = senders.all().toArray(Sender[]::new);
        cables = IntStream.range(0, firstPort[fabric.switchCount()])
                .filter(port -> farSwitch[port] != NO_SWITCH)
                .toArray();
        firstCable = new int[fabric.switchCount() + 1];
        for (int port : cables) {
            firstCable[fabric.nodeOf(port) + 1]++;
        }
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            firstCable[sw + 1] += firstCable[sw];
        }
        switchOfLid = new int[fabric.maxLid() + 1];
        for (int lid = 0; lid < switchOfLid.length; lid++) {
            int port = fabric.portOfLid(lid);
            switchOfLid[lid] = port == Fabric.NONE ? Fabric.NONE : fabric.switchOf(port);
        }
        slsFrom = new int[routing.sls().classes()];
        slsBefore = new int[slsFrom.length];
        switchesOfClass = switchesOfClass();
        columnBefore = new byte[fabric.switchCount()];
        leavingBefore = new char[fabric.switchCount()];
        sendersSeen = new int[fabric.switchCount()];
        cableSeen = new int[fabric.switchCount()];
        sums = new long[fabric.maxLid() + 1];
        tableSums = new long[sums.length];
        factors = new long[fabric.switchCount()];
        long factor = 1;
        for (int sw = 0; sw < factors.length; sw++) {
            factor *= 0x9E3779B97F4A7C15L;
            factors[sw] = factor;
        }
    }

    private int[][] switchesOfClass() {
        List<List<Integer>> switches = Stream.generate(() -> (List<Integer>) new ArrayList<Integer>(1))
                .limit(slsFrom.length)
                .toList();
        for (Sender sender : all) {
            if (sender.slClass() >= 0) {
                switches.get(sender.slClass()).add(sender.sw());
            }
        }
        return switches.stream()
                .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
    }

    /**
     * Sees whether the certificate holds for all packets, and all routes arrive.
     *
     * @param certificate of what was said of all destinations
     * @return what does not hold, in words, or nothing if the certificate holds
     */
    public Optional<String> firstViolation(Certificate certificate) {
        int[] standsFor = destinations();
        for (int lid = 1; lid < standsFor.length && lost == null && !senders.isOnePort(); lid++) {
            if (standsFor[lid] != 0 && !delivers(lid)) {
                lost = "%s does not send LID %d to its port".formatted(fabric.description(switchOfLid[lid]), lid);
            }
        }
        Optional<String> bad = lost != null ? Optional.of(lost) : firstViolation(certificate, standsFor);
        holds = bad.isEmpty();
        return bad;
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
        CertificateNumbers numbers = new CertificateNumbers(fabric.portCount(), certificate);
        if (violation == null) {
            waits.firstNotRising(numbers).ifPresent(this::violates);
        }
        return violation != null
                ? Optional.of(violation)
                : new MulticastVerifier(fabric, waits, numbers).firstViolation(routing.multicast(), senders);
    }

    /**
     * Returns what was verified.
     *
     * @throws IllegalStateException if {@link #firstViolation} was not asked, or does not hold
     */
    public VerifiedTables verified() {
        if (!holds) {
            throw new IllegalStateException("nothing was verified");
        }
        return new VerifiedTables(fabric, routing, switchPorts, waits);
    }

    /** What was said of entries has to be what the tables say: sums of other entries would not be the same. */
    private void compareTables() {
        for (int lid = heard.nextSetBit(0); lid >= 0; lid = heard.nextSetBit(lid + 1)) {
            if (tableSums[lid] != sums[lid]) {
                violates("entries for LID %d are not those of the tables".formatted(lid));
            }
        }
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
            if (senders.isEnd(fabric.portOfLid(lid))) {
                standsFor[lid] = lid;
                before[lid] = last[switchOfLid[lid]];
                last[switchOfLid[lid]] = lid;
            }
        }
        joinAlike(standsFor, before);
        readTableSums(standsFor);
        Map<Likeness, Integer> first = new LinkedHashMap<>();
        int[] firstLike = new int[standsFor.length];
        for (int lid = 1; lid < standsFor.length; lid++) {
            if (standsFor[lid] == lid) {
                Integer like = first.putIfAbsent(likeness(lid, tableSums[lid]), lid);
                firstLike[lid] = like == null ? 0 : like;
            }
        }
        joinAlike(standsFor, firstLike);
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

    /** Reads the sums of those that stand for themselves, and of those of which something was said. */
    private void readTableSums(int[] standsFor) {
        int[] lids = IntStream.range(1, standsFor.length)
                .filter(lid -> standsFor[lid] == lid || heard.get(lid))
                .toArray();
        long[] found = routing.forwarding().sums(lids, factors);
        for (int i = 0; i < lids.length; i++) {
            tableSums[lids[i]] = found[i];
        }
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
        if (!senders.isEnd(port)) {
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
                lookAtSenders(sw);
                lookAtCable(sw);
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
            lookAtEntry(sw);
        }
        for (int sw = unlikeLeaving(0); sw >= 0; sw = unlikeLeaving(sw + 1)) {
            look(sw);
        }
        for (int slClass = unlikeSls(0); slClass >= 0; slClass = unlikeSls(slClass + 1)) {
            for (int sw : switchesOfClass[slClass]) {
                lookAtSenders(sw);
            }
        }
        // Where packets arrive, and where those before did.
        look(switchOfDestination);
        look(lastSwitch);
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

    /** Looks at all that passes a switch, and at what waits for its entry at the switches before it. */
    private void lookAtEntry(int sw) {
        look(sw);
        for (int i = firstCable[sw]; i < firstCable[sw + 1]; i++) {
            if (isUsed(cables[i])) {
                look(farSwitch[cables[i]]);
            }
        }
    }

    /** Looks at all that passes a switch. */
    private void look(int sw) {
        lookAtSenders(sw);
        lookAtCable(sw);
        for (int i = firstCable[sw]; i < firstCable[sw + 1]; i++) {
            if (isUsed(cables[i])) {
                lookAtCable(farSwitch[cables[i]]);
            }
        }
    }

    /** Returns whether the switch behind a cable sends to its port here. */
    private boolean isUsed(int cable) {
        int from = farSwitch[cable];
        return firstPort[from] + (column[from] & 0xFF) == farPort[cable];
    }

    /** Looks at what starts at a switch. */
    private void lookAtSenders(int sw) {
        if (sendersSeen[sw] == turn) {
            return;
        }
        sendersSeen[sw] = turn;
        for (int i = senders.first(sw); i < senders.first(sw + 1); i++) {
            Sender sender = all[i];
            int from = sender.lidTo(destinationPort);
            int sls = sender.slClass() < 0 ? PathSls.NO_SL_BIT : slsFrom[sender.slClass()];
            if (from != 0 && sls > ALL_SLS) {
                int to = destination;
                lost(() -> "no SL from LID %d to LID %d".formatted(from, to));
            }
            if (from != 0 && (sls & ALL_SLS) != 0) {
                pass(sw, firstPort[sw] + sender.input(), sls & ALL_SLS);
            }
        }
    }

    /** Looks at what leaves a switch for the next one. */
    private void lookAtCable(int sw) {
        if (cableSeen[sw] == turn) {
            return;
        }
        cableSeen[sw] = turn;
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
        int at = places[outputs[input] + output];
        int left = sls & (at == 0 ? SeenWaits.passing(slToVl[input][output]) : seen[at]);
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
            if (at == 0) {
                waits.add(input, port, wanted, left);
            } else if ((left & ~seen[at + rank[wanted]]) != 0) {
                seen[at + rank[wanted]] |= (char) left;
            }
        }
    }
}
