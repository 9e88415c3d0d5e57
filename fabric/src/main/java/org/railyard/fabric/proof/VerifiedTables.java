package org.railyard.fabric.proof;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.LongStream;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.VerifierSenders.Sender;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;

/**
 * Tables whose certificate has been verified, and who may wait for whom by them. Where cables are lost, the tables that
 * follow are verified by what is another entry: packets that pass one are followed hop by hop, all others go as they
 * went. Numbers have to rise along what all of them wait for, old and new. Immutable; any thread.
 */
public final class VerifiedTables {
    private final Fabric fabric;
    private final Routing routing;
    private final boolean switchPorts;
    private final SeenWaits waits;

    VerifiedTables(Fabric fabric, Routing routing, boolean switchPorts, SeenWaits waits) {
        this.fabric = fabric;
        this.routing = routing;
        this.switchPorts = switchPorts;
        this.waits = waits;
    }

    /**
     * Verifies a certificate of other tables.
     *
     * @param left the same fabric with fewer cables between switches
     * @param after its tables
     * @param certificate of these
     * @return empty if that cannot be told from what differs, or some route does not arrive: then they have to be
     *     verified as a whole
     * @throws IllegalStateException if the certificate does not hold
     */
    public Optional<VerifiedTables> after(Fabric left, Routing after, Certificate certificate) {
        if (!isSameButForCables(left) || !hasSameSls(after.sls()) || !waits.hasSameVls(left, after.slToVl())) {
            return Optional.empty();
        }
        SeenWaits seen = waits.withFewerCables(left);
        VerifierSenders senders = new VerifierSenders(left, after.sls(), seen, switchPorts);
        if (!new Packets(left, after, seen, senders).follow(entriesToLookAt(left, after.forwarding()))) {
            return Optional.empty();
        }
        CertificateNumbers numbers = new CertificateNumbers(left.portCount(), certificate);
        Optional<String> bad = seen.firstNotRising(numbers)
                .or(() -> new MulticastVerifier(left, seen, numbers).firstViolation(after.multicast(), senders));
        if (bad.isPresent()) {
            throw new IllegalStateException("the certificate does not hold: " + bad.orElseThrow());
        }
        return Optional.of(new VerifiedTables(left, after, switchPorts, seen));
    }

    /** Whether every port is where it was, with its LIDs, and has the same other end or none. */
    private boolean isSameButForCables(Fabric left) {
        if (left.nodeCount() != fabric.nodeCount()
                || left.switchCount() != fabric.switchCount()
                || left.portCount() != fabric.portCount()
                || left.maxLid() != fabric.maxLid()) {
            return false;
        }
        for (int port = 0; port < left.portCount(); port++) {
            boolean same = left.nodeOf(port) == fabric.nodeOf(port)
                    && left.switchOf(port) == fabric.switchOf(port)
                    && (left.peer(port) == fabric.peer(port) || left.peer(port) == Fabric.NONE);
            if (!same) {
                return false;
            }
        }
        for (int lid = 1; lid <= left.maxLid(); lid++) {
            if (left.portOfLid(lid) != fabric.portOfLid(lid)) {
                return false;
            }
        }
        return true;
    }

    private boolean hasSameSls(PathSls after) {
        PathSls before = routing.sls();
        boolean same = after.isKnownToAgree(before);
        for (int lid = 1; same && lid <= fabric.maxLid(); lid++) {
            same = after.classOf(lid) == before.classOf(lid);
        }
        return same;
    }

    /** Returns the entries that are others, and those into cables that are gone: LID and switch, ascending. */
    private long[] entriesToLookAt(Fabric left, ForwardingTables after) {
        LongStream.Builder entries = LongStream.builder();
        ForwardingTables before = routing.forwarding();
        for (int sw = 0; sw < left.switchCount(); sw++) {
            int at = before.firstDifference(after, sw, 0);
            for (; at >= 0; at = before.firstDifference(after, sw, at + 1)) {
                entries.add((long) at << Integer.SIZE | sw);
            }
            for (int port = waits.firstPort[sw] + 1; port < waits.firstPort[sw + 1]; port++) {
                boolean isLost = fabric.peer(port) != left.peer(port);
                for (int lid = 1; isLost && lid <= left.maxLid(); lid++) {
                    if (after.port(sw, lid) == left.portNumber(port)) {
                        entries.add((long) lid << Integer.SIZE | sw);
                    }
                }
            }
        }
        return entries.build().sorted().distinct().toArray();
    }

    /** Follows packets through new tables, and notes what they wait for. */
    private static final class Packets {
        private final Fabric fabric;
        private final Routing routing;
        private final SeenWaits waits;
        private final VerifierSenders senders;

        // For the destination at hand: the switches whose packets pass an entry that is another one.
        private final int[] switches;
        private final boolean[] isThere;
        private int count;

        Packets(Fabric fabric, Routing routing, SeenWaits waits, VerifierSenders senders) {
            this.fabric = fabric;
            this.routing = routing;
            this.waits = waits;
            this.senders = senders;
            switches = new int[fabric.switchCount()];
            isThere = new boolean[fabric.switchCount()];
        }

        /** Follows those that pass these entries; false if one does not arrive. */
        boolean follow(long[] entries) {
            for (int from = 0, to = 0; from < entries.length; from = to) {
                int lid = (int) (entries[from] >>> Integer.SIZE);
                count = 0;
                for (; to < entries.length && entries[to] >>> Integer.SIZE == lid; to++) {
                    add((int) entries[to]);
                }
                if (lid <= fabric.maxLid() && senders.isEnd(fabric.portOfLid(lid)) && !followTo(lid)) {
                    return false;
                }
                Arrays.fill(isThere, false);
            }
            return true;
        }

        private void add(int sw) {
            if (!isThere[sw]) {
                isThere[sw] = true;
                switches[count++] = sw;
            }
        }

        private boolean followTo(int lid) {
            for (int i = 0; i < count; i++) {
                addSenders(switches[i], lid);
                for (int s = senders.first(switches[i]); s < senders.first(switches[i] + 1); s++) {
                    Sender sender = senders.all().get(s);
                    boolean sends = sender.lidTo(fabric.portOfLid(lid)) != 0;
                    if (sends && !followFrom(sender, lid)) {
                        return false;
                    }
                }
            }
            return true;
        }

        /** Adds the switches that send to one. */
        private void addSenders(int sw, int lid) {
            for (int port = waits.firstPort[sw] + 1; port < waits.firstPort[sw + 1]; port++) {
                int from = waits.farSwitch[port];
                boolean sends = from != SeenWaits.NO_SWITCH
                        && waits.firstPort[from] + routing.forwarding().port(from, lid) == waits.farPort[port];
                if (sends) {
                    add(from);
                }
            }
        }

        /** A pair without an SL, which had one when all routes arrived, is for the verifier of all. */
        private boolean followFrom(Sender sender, int lid) {
            PathSls pairs = routing.sls();
            int destinationClass = pairs.classOf(lid);
            int sls = 0;
            for (int level = 0; level < pairs.levels(); level++) {
                int sl = sender.slClass() < 0 || destinationClass < 0
                        ? PathSls.NO_SL
                        : pairs.classSl(sender.slClass(), destinationClass, level);
                if (sl == PathSls.NO_SL) {
                    return false;
                }
                sls |= 1 << sl;
            }
            return follow(sender, lid, sls);
        }

        /** Follows packets of some SLs; false if they do not all arrive. */
        private boolean follow(Sender sender, int lid, int sls) {
            int destination = fabric.portOfLid(lid);
            int sw = sender.sw();
            int input = waits.firstPort[sw] + sender.input();
            int inputBefore = Fabric.NONE;
            int portBefore = Fabric.NONE;
            for (int hops = 0; hops <= switches.length; hops++) {
                int output = routing.forwarding().port(sw, lid);
                int port = waits.firstPort[sw] + output;
                if (port >= waits.firstPort[sw + 1]) {
                    return false;
                }
                boolean arrives = waits.farPort[port] == destination;
                if (arrives && output == 0) {
                    return true;
                }
                int next = waits.farSwitch[port];
                boolean isDropped = (sls & ~SeenWaits.passing(waits.slToVl[input][output])) != 0;
                if (isDropped || !arrives && next == SeenWaits.NO_SWITCH) {
                    return false;
                }
                if (arrives) {
                    return true;
                }
                if (portBefore != Fabric.NONE) {
                    waits.add(inputBefore, portBefore, port, sls);
                }
                inputBefore = input;
                portBefore = port;
                input = waits.farPort[port];
                sw = next;
            }
            return false;
        }
    }
}
