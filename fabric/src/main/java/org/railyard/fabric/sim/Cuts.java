package org.railyard.fabric.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.Channel;

/**
 * What a link that goes down cuts (spec 33 §3(9)): packets whose heads have gone on while their tails had not passed
 * it. What waits somewhere behind the link is lost at once. What is being sent goes on to its end, as a packet that is
 * marked as bad, and is lost where it then comes to; with multicast, in all copies.
 */
final class Cuts {
    private final Switching switching;
    private final Fabric fabric;
    private final Ports ports;
    private final Packets packets;
    private final Queues queues;
    private final Transmissions sending;

    /** Ports that are sending packets that are cut, and that were not followed yet. */
    private final Deque<Integer> open = new ArrayDeque<>();

    Cuts(Switching switching, Fabric fabric) {
        this.switching = switching;
        this.fabric = fabric;
        ports = switching.ports;
        packets = switching.packets;
        queues = switching.queues;
        sending = switching.sending;
    }

    /** Tails that a port has sent and that have not come to the other end yet will not come. */
    void cut(int port) {
        for (int channel = Channel.number(port, 0); channel < Channel.number(port + 1, 0); channel++) {
            follow(channel, switching.events.now() + 1);
        }
        while (!open.isEmpty()) {
            int sender = open.remove();
            int packet = sending.packet(sender);
            long tail = sending.arrives(sender);
            for (int channel = Channel.number(sender, 0); channel < Channel.number(sender + 1, 0); channel++) {
                follow(channel, tail);
                // Its head may not be at the buffer yet. The number may be another packet's, which has other times.
                if (packets.buffer(packet) == Queues.NONE
                        && packets.channel(packet) == channel
                        && packets.tail(packet) == tail) {
                    packets.setCut(packet);
                }
            }
        }
    }

    /**
     * Loses what is in a buffer, or leaves it, and has its tail to come.
     *
     * @param from first time at which a tail does not come any more
     */
    private void follow(int buffer, long from) {
        int node = ports.switchOf[ports.far[Channel.portOf(buffer)]];
        if (node == Fabric.NONE) {
            return;
        }
        int packet = queues.removeFrom(buffer, from);
        while (packet != Queues.NONE) {
            int after = packets.next(packet);
            switching.giveBack(buffer, packets.credits(packet));
            switching.drop(packet, DropReason.LINK_DOWN);
            packet = after;
        }
        for (int number = 1; number <= fabric.ports(node); number++) {
            int port = fabric.portIndex(node, number);
            if (sending.buffer(port) == buffer && sending.came(port) >= from) {
                open.add(port);
            }
            int waiting = asking(port, buffer);
            if (waiting != Queues.NONE && packets.tail(waiting) >= from) {
                switching.dropAsking(waiting, DropReason.LINK_DOWN);
                switching.send(port);
            }
        }
    }

    /** Returns the packet, or copy, that leaves a buffer and asks for a channel of a port; NONE if none does. */
    private int asking(int port, int buffer) {
        for (int vls = queues.wanted(port); vls != 0; vls &= vls - 1) {
            int packet = queues.asking(Channel.number(port, Integer.numberOfTrailingZeros(vls)));
            for (; packet != Queues.NONE; packet = packets.next(packet)) {
                if (packets.buffer(packet) == buffer) {
                    return packet;
                }
            }
        }
        return Queues.NONE;
    }
}
