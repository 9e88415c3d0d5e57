package org.railyard.fabric.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.Channel;
import org.railyard.fabric.proof.Flow;
import org.railyard.fabric.sim.Deadlock.Hold;

/**
 * Who waits for whom (spec 33 §5). The head of a buffer waits for one channel, and is blocked if that has not enough credits and none are on their way back:
 * then the head of the buffer behind that channel has to leave first. So each blocked head points to at most one other, and a cycle of them stays for ever.
 */
final class WaitGraph {
    private static final int NONE = -1;

    private final Fabric fabric;
    private final Packets packets;
    private final Queues queues;
    private final int[] credits;
    private final int[] returning;

    /** By channel: the search that came by, so that nothing is looked at twice. */
    private final int[] seen;

    private int searches;

    WaitGraph(Fabric fabric, Packets packets, Queues queues, int[] credits, int[] returning) {
        this.fabric = fabric;
        this.packets = packets;
        this.queues = queues;
        this.credits = credits;
        this.returning = returning;
        this.seen = new int[queues.channels()];
    }

    /** Calls with each buffer at a switch whose head waits for a channel. */
    void forEach(IntConsumer visitor) {
        for (int channel = 0; channel < queues.channels(); channel++) {
            if (queues.asks(channel)) {
                visitor.accept(channel);
            }
        }
    }

    Hold hold(int buffer, long now) {
        int packet = queues.head(buffer);
        return new Hold(
                channel(buffer),
                channel(packets.channel[packet]),
                new Flow(fabric.lid(packets.source[packet]), packets.destination[packet], packets.sl[packet]),
                now - packets.birth[packet],
                now - packets.headSince[packet]);
    }

    private static Channel channel(int number) {
        return new Channel(number >> 4, number & 15);
    }

    /** Returns the packets of a cycle, in order; none if there is no cycle. */
    List<Hold> findCycle(long now) {
        int start = searches + 1;
        for (int port = 0; port < fabric.portCount(); port++) {
            for (int vls = queues.wanted(port); vls != 0; vls &= vls - 1) {
                int from = port << 4 | Integer.numberOfTrailingZeros(vls);
                if (seen[from] < start) {
                    searches++;
                    int channel = from;
                    while (channel != NONE && seen[channel] < start) {
                        seen[channel] = searches;
                        channel = blockedBy(channel);
                    }
                    if (channel != NONE && seen[channel] == searches) {
                        return cycle(channel, now);
                    }
                }
            }
        }
        return List.of();
    }

    /** Returns the channel that has to move on before this one does; NONE if it will move on by itself. */
    private int blockedBy(int channel) {
        int asking = queues.asking(channel);
        if (asking == NONE
                || returning[channel] > 0
                || credits[channel] >= packets.credits(queues.head(asking))
                || !queues.asks(channel)) {
            return NONE;
        }
        return packets.channel[queues.head(channel)];
    }

    private List<Hold> cycle(int from, long now) {
        List<Hold> holds = new ArrayList<>();
        int channel = from;
        do {
            holds.add(hold(channel, now));
            channel = packets.channel[queues.head(channel)];
        } while (channel != from);
        return holds;
    }
}
