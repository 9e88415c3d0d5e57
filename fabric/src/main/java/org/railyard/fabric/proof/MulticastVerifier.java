package org.railyard.fabric.proof;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.VerifierSenders.Sender;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.SlToVl;

/**
 * Follows multicast packets hop by hop, and sees whether the numbers of a certificate rise on their ways. For one
 * thread, once.
 */
final class MulticastVerifier {
    private final Fabric fabric;
    private final SeenWaits cables;
    private final CertificateNumbers numbers;
    /** By channel of the certificate: the last group whose packets were followed from it on. */
    private final int[] followed;
    /** Last packet that a walk sent through the port. */
    private final int[] taken;

    private int packets;
    private int group;

    MulticastVerifier(Fabric fabric, SeenWaits cables, CertificateNumbers numbers) {
        this.fabric = fabric;
        this.cables = cables;
        this.numbers = numbers;
        followed = new int[numbers.size()];
        taken = new int[fabric.portCount()];
    }

    /** Returns what does not hold, in words, or nothing if all numbers rise. */
    Optional<String> firstViolation(MulticastTables tables, VerifierSenders senders) {
        for (int mlid : tables.mlids()) {
            MulticastTables.Tree tree = tables.tree(mlid);
            group = mlid;
            boolean ring = tree != null && closesRing(tree);
            for (Sender sender : senders.all()) {
                packets++;
                Optional<String> bad = tree == null
                        ? Optional.empty()
                        : copies(tree, ring, sender.sw(), sender.input(), Certificate.NONE);
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
        BitSet seen = new BitSet();
        for (int sw = 0; sw < above.length; sw++) {
            PortMask mask = tree.ports(sw);
            for (int output = mask.next(1); output >= 0 && output <= fabric.ports(sw); output = mask.next(output + 1)) {
                int port = cables.firstPort[sw] + output;
                int cable = Math.min(port, cables.farPort[port]);
                if (cables.farSwitch[port] != SeenWaits.NO_SWITCH && !seen.get(cable)) {
                    seen.set(cable);
                    int a = top(above, sw);
                    int b = top(above, cables.farSwitch[port]);
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
     * Follows all copies of a packet; each goes on recursively. Where packets of the tree have been before they are not
     * followed again, unless its cables close a ring: then each packet may go at most once over each cable.
     */
    private Optional<String> copies(MulticastTables.Tree tree, boolean ring, int sw, int input, int before) {
        PortMask mask = tree.ports(sw);
        for (int output = mask.next(1); output >= 0 && output <= fabric.ports(sw); output = mask.next(output + 1)) {
            int port = cables.firstPort[sw] + output;
            int vl = SlToVl.vl(cables.slToVl[cables.firstPort[sw] + input][output], tree.sl());
            if (output == input || cables.farSwitch[port] == SeenWaits.NO_SWITCH || vl == SlToVl.DROP) {
                continue;
            }
            if (ring && taken[port] == packets) {
                return Optional.of("a multicast packet comes twice to " + fabric.portName(port));
            }
            taken[port] = packets;
            int at = numbers.place(port, vl);
            int number = numbers.of(port, vl);
            if (before != Certificate.NONE && number <= before) {
                return Optional.of("multicast: number %d is followed by %d at %s"
                        .formatted(before, number, fabric.portName(port)));
            }
            if (at != Certificate.NONE && !ring) {
                if (followed[at] == group) {
                    continue;
                }
                followed[at] = group;
            }
            int next = number == Certificate.NONE ? Integer.MAX_VALUE : number;
            int far = cables.farPort[port];
            Optional<String> bad = copies(tree, ring, cables.farSwitch[port], fabric.portNumber(far), next);
            if (bad.isPresent()) {
                return bad;
            }
        }
        return Optional.empty();
    }
}
