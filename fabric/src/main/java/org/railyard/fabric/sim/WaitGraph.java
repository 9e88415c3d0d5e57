package org.railyard.fabric.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.Channel;
import org.railyard.fabric.proof.Flow;
import org.railyard.fabric.sim.Deadlock.Hold;

/**
 * Who waits for whom (spec 33 §5). What is at the head of a buffer waits for one channel, or, as multicast, for all
 * channels that copies of it still have to go by. It is blocked if one of those has not enough credits and none are on
 * their way back: then what is at the head of the buffer behind that channel has to leave first. As all copies have to
 * leave before the buffer is free, a cycle of such waits stays for ever, whatever else the heads in it wait for.
 */
final class WaitGraph {
    private static final int NONE = -1;

    private final Fabric fabric;
    private final Packets packets;
    private final Queues queues;

    /** By channel: the first packet that asks from its buffer, and by packet the next one from the same buffer. */
    private final int[] askingFrom;

    private int[] sibling = new int[0];

    /** By channel: {@link #search} if a search is going through it, one more if none found a cycle behind it. */
    private final int[] seen;

    private int search = -1;

    /** The channels that a search is going through, and by which packet it goes on. */
    private int[] path = new int[1 << 6];

    private int[] by = new int[1 << 6];

    WaitGraph(Fabric fabric, Packets packets, Queues queues) {
        this.fabric = fabric;
        this.packets = packets;
        this.queues = queues;
        this.seen = new int[queues.channels()];
        this.askingFrom = new int[queues.channels()];
        Arrays.fill(askingFrom, NONE);
    }

    /** Calls with each packet that waits for a channel, in the order of channels. */
    void forEach(IntConsumer visitor) {
        for (int port = 0; port < fabric.portCount(); port++) {
            for (int vls = queues.wanted(port); vls != 0; vls &= vls - 1) {
                int packet = queues.asking(Channel.number(port, Integer.numberOfTrailingZeros(vls)));
                for (; packet != NONE; packet = packets.next(packet)) {
                    visitor.accept(packet);
                }
            }
        }
    }

    /** Returns what waits at heads of buffers of switches. */
    List<Hold> holds(long now) {
        List<Hold> all = new ArrayList<>();
        forEach(packet -> {
            if (!queues.isSource(packets.buffer(packet))) {
                all.add(hold(packet, now));
            }
        });
        return all;
    }

    private Hold hold(int packet, long now) {
        return new Hold(
                channel(packets.buffer(packet)),
                channel(packets.channel(packet)),
                new Flow(fabric.lid(packets.source(packet)), packets.destination(packet), packets.sl(packet)),
                now - packets.birth(packet),
                now - packets.headSince(packet));
    }

    private static Channel channel(int number) {
        return Channel.of(number);
    }

    /** Returns the packets of a cycle, in order; none if there is no cycle. */
    List<Hold> findCycle(long now) {
        if (sibling.length < packets.capacity()) {
            sibling = new int[packets.capacity()];
        }
        forEach(packet -> {
            int buffer = packets.buffer(packet);
            if (!queues.isSource(buffer)) {
                sibling[packet] = askingFrom[buffer];
                askingFrom[buffer] = packet;
            }
        });
        search += 2;
        List<Hold> cycle = List.of();
        for (int port = 0; port < fabric.portCount() && cycle.isEmpty(); port++) {
            for (int vls = queues.wanted(port); vls != 0 && cycle.isEmpty(); vls &= vls - 1) {
                cycle = searchFrom(Channel.number(port, Integer.numberOfTrailingZeros(vls)), now);
            }
        }
        forEach(packet -> {
            int buffer = packets.buffer(packet);
            if (!queues.isSource(buffer)) {
                askingFrom[buffer] = NONE;
            }
        });
        return cycle;
    }

    /**
     * Goes on from channel to channel as far as it gets, then back to the last one that has another packet to go on by.
     */
    private List<Hold> searchFrom(int start, long now) {
        if (seen[start] >= search) {
            return List.of();
        }
        int depth = 0;
        enter(start, depth);
        while (depth >= 0) {
            int packet = by[depth];
            if (packet == NONE) {
                seen[path[depth--]] = search + 1;
                if (depth >= 0) {
                    by[depth] = sibling[by[depth]];
                }
                continue;
            }
            int channel = packets.channel(packet);
            if (seen[channel] == search) {
                return cycle(channel, depth, now);
            }
            if (seen[channel] < search) {
                enter(channel, ++depth);
            } else {
                by[depth] = sibling[packet];
            }
        }
        return List.of();
    }

    private void enter(int channel, int depth) {
        if (depth == path.length) {
            path = Arrays.copyOf(path, 2 * depth);
            by = Arrays.copyOf(by, 2 * depth);
        }
        seen[channel] = search;
        path[depth] = channel;
        by[depth] = isFull(channel) ? askingFrom[channel] : NONE;
    }

    /** Tells whether who is next on a channel can not go until something leaves the buffer behind it. */
    private boolean isFull(int channel) {
        int asking = queues.asking(channel);
        return asking != NONE && queues.returning(channel) == 0 && queues.credits(channel) < packets.credits(asking);
    }

    private List<Hold> cycle(int from, int depth, long now) {
        int start = depth;
        while (path[start] != from) {
            start--;
        }
        List<Hold> holds = new ArrayList<>();
        for (int at = start; at <= depth; at++) {
            holds.add(hold(by[at], now));
        }
        return holds;
    }
}
