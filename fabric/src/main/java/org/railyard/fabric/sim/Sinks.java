package org.railyard.fabric.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.proof.Channel;

/**
 * How end ports take packets (spec 33 §3(7)): as fast as they come, unless they are told to be slower, or to stop. What
 * they have not taken stays in their buffers, and has the credits of those.
 */
final class Sinks {
    private final Switching switching;
    private final Fabric fabric;
    private final SimListener listener;
    private final Ports ports;
    private final Packets packets;
    private final Queues queues;

    /** By port: ns for each ns that the link takes to bring a packet; 1 = as fast as they come. */
    private final double[] slowness;

    private final boolean[] stopped;

    /** When a slow end port is ready for the next packet. */
    private final long[] ready;

    /** Whether a slow end port is taking a packet. */
    private final boolean[] taking;

    private long delivered;

    Sinks(Switching switching, Fabric fabric, SimListener listener) {
        this.switching = switching;
        this.fabric = fabric;
        this.listener = listener;
        ports = switching.ports;
        packets = switching.packets;
        queues = switching.queues;
        slowness = new double[ports.count()];
        Arrays.fill(slowness, 1);
        stopped = new boolean[ports.count()];
        ready = new long[ports.count()];
        taking = new boolean[ports.count()];
    }

    long delivered() {
        return delivered;
    }

    /** Returns the end ports that take nothing and have something in their buffers. */
    List<Starvation.End> stopped() {
        List<Starvation.End> ends = new ArrayList<>();
        for (int port = 0; port < stopped.length; port++) {
            int buffered = 0;
            for (int vl = 0; vl < Channel.VLS && stopped[port] && ports.far[port] != Fabric.NONE; vl++) {
                for (int packet = queues.head(Channel.number(ports.far[port], vl));
                        packet != Queues.NONE;
                        packet = packets.next(packet)) {
                    buffered++;
                }
            }
            if (buffered > 0) {
                ends.add(new Starvation.End(port, buffered));
            }
        }
        return ends;
    }

    /** Makes an end port take no packets any more, or take them again. */
    void setStopped(int port, boolean stop) {
        stopped[port] = stop;
        goOn(port);
    }

    /** Makes an end port take packets at a share of the rate of its link, above 0 and at most 1. */
    void setShare(int port, double share) {
        slowness[port] = 1 / share;
        goOn(port);
    }

    private boolean isSlow(int port) {
        return slowness[port] > 1;
    }

    /** The tail of a packet has come to an end port. */
    void tailArrives(int packet) {
        int channel = packets.channel(packet);
        int port = ports.far[Channel.portOf(channel)];
        if (packets.epoch(packet) != ports.epoch[Channel.portOf(channel)]) {
            switching.drop(packet, DropReason.LINK_DOWN);
        } else if (packets.isCut(packet)) {
            switching.giveBack(channel, packets.credits(packet));
            switching.drop(packet, DropReason.LINK_DOWN);
        } else if (stopped[port] || isSlow(port) || taking[port]) {
            queues.append(channel, packet);
            goOn(port);
        } else {
            switching.giveBack(channel, packets.credits(packet));
            deliver(packet, port);
        }
    }

    /** An end port takes the packet that is first in one of its buffers. */
    private void take(int channel) {
        int packet = queues.removeHead(channel);
        switching.giveBack(channel, packets.credits(packet));
        deliver(packet, ports.far[Channel.portOf(channel)]);
    }

    private void deliver(int packet, int port) {
        int destination = packets.destination(packet);
        if (destination < Lids.MIN_MULTICAST && fabric.portOfLid(destination) != port) {
            switching.drop(packet, DropReason.WRONG_END);
            return;
        }
        long token = packets.token(packet);
        long birth = packets.birth(packet);
        long sent = packets.sent(packet);
        int hops = packets.hops(packet);
        packets.release(packet);
        delivered++;
        listener.delivered(token, port, birth, sent, hops);
    }

    /** Takes what may be taken. */
    private void goOn(int port) {
        for (int channel = longest(port); channel != Queues.NONE; channel = longest(port)) {
            if (stopped[port] || taking[port]) {
                return;
            }
            if (isSlow(port)) {
                begin(port, channel);
                return;
            }
            take(channel);
        }
    }

    private void begin(int port, int channel) {
        int packet = queues.head(channel);
        long alone = ports.nanos(Channel.portOf(channel), packets.bytes(packet));
        // It may begin with the head of the packet, and can not end before the tail is there.
        long from = Math.max(ready[port], packets.tail(packet) - alone);
        long end = Math.max(switching.events.now(), from + (long) (alone * slowness[port]));
        ready[port] = end;
        taking[port] = true;
        switching.schedule(end, Switching.TAKEN, channel);
    }

    /** A slow end port has taken the head of a buffer. */
    void taken(int channel) {
        int port = ports.far[Channel.portOf(channel)];
        taking[port] = false;
        if (queues.head(channel) != Queues.NONE) {
            take(channel);
        }
        goOn(port);
    }

    /** Returns the buffer of an end port whose head came first; NONE if all are empty. */
    private int longest(int port) {
        int sender = ports.far[port];
        int best = Queues.NONE;
        for (int vl = 0; vl < Channel.VLS && sender != Fabric.NONE; vl++) {
            int channel = Channel.number(sender, vl);
            int packet = queues.head(channel);
            if (packet != Queues.NONE
                    && (best == Queues.NONE || packets.tail(packet) < packets.tail(queues.head(best)))) {
                best = channel;
            }
        }
        return best;
    }
}
