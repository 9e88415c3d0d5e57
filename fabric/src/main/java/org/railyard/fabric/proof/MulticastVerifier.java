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
    // Of each place in the stack: switch, input, number of the channel before, output to look at next.
    private static final int INPUT = 1;
    private static final int NUMBER = 2;
    private static final int OUTPUT = 3;
    private static final int PLACES = 4;

    private final Fabric fabric;
    private final SeenWaits cables;
    private final CertificateNumbers numbers;
    /** By channel of the certificate: the last group whose packets were followed from it on. */
    private final int[] followed;
    /** Last packet that a walk sent through the port. */
    private final int[] taken;

    private int packets;
    private int group;

    /** Where copies of a packet are: trees are as deep as there are switches in a row. */
    private int[] stack = new int[PLACES << 6];

    private int depth;

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
                Optional<String> bad =
                        tree == null ? Optional.empty() : copies(tree, ring, sender.sw(), sender.input());
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
     * Follows all copies of a packet from where it comes to a switch, one way to its end and then the next. Where
     * packets of the tree have been before they are not followed again, unless its cables close a ring: then each
     * packet may go at most once over each cable.
     */
    private Optional<String> copies(MulticastTables.Tree tree, boolean ring, int sw, int input) {
        depth = 0;
        push(sw, input, Certificate.NONE);
        Optional<String> bad = Optional.empty();
        while (depth > 0 && bad.isEmpty()) {
            int top = (depth - 1) * PLACES;
            int at = stack[top];
            int output = tree.ports(at).next(stack[top + OUTPUT]);
            if (output < 0 || output > fabric.ports(at)) {
                depth--;
            } else {
                stack[top + OUTPUT] = output + 1;
                bad = copy(tree, ring, at, stack[top + INPUT], output, stack[top + NUMBER]);
            }
        }
        return bad;
    }

    /** A packet has come to a switch by a port, with the number of the channel that it holds. */
    private void push(int sw, int input, int number) {
        int top = depth++ * PLACES;
        if (top == stack.length) {
            stack = Arrays.copyOf(stack, 2 * top);
        }
        stack[top] = sw;
        stack[top + INPUT] = input;
        stack[top + NUMBER] = number;
        stack[top + OUTPUT] = 1;
    }

    /** Sends the copy for one port of the mask, which comes to the next switch then. */
    private Optional<String> copy(MulticastTables.Tree tree, boolean ring, int sw, int input, int output, int before) {
        int port = cables.firstPort[sw] + output;
        int vl = SlToVl.vl(cables.slToVl[cables.firstPort[sw] + input][output], tree.sl());
        if (output == input || cables.farSwitch[port] == SeenWaits.NO_SWITCH || vl == SlToVl.DROP) {
            return Optional.empty();
        }
        if (ring && taken[port] == packets) {
            return Optional.of("a multicast packet comes twice to " + fabric.portName(port));
        }
        taken[port] = packets;
        int at = numbers.place(port, vl);
        int number = numbers.of(port, vl);
        if (before != Certificate.NONE && number <= before) {
            return Optional.of(
                    "multicast: number %d is followed by %d at %s".formatted(before, number, fabric.portName(port)));
        }
        if (at != Certificate.NONE && !ring) {
            if (followed[at] == group) {
                return Optional.empty();
            }
            followed[at] = group;
        }
        push(
                cables.farSwitch[port],
                fabric.portNumber(cables.farPort[port]),
                number == Certificate.NONE ? Integer.MAX_VALUE : number);
        return Optional.empty();
    }
}
