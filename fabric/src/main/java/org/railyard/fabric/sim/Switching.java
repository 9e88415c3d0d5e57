package org.railyard.fabric.sim;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/**
 * How packets get from buffer to buffer (spec 33 §3): the head of a buffer asks for a channel, waits for its turn and for credits, is sent, and gives the credits of its
 * buffer back when its tail has left. What is going to happen is in a {@link TimeWheel}.
 */
final class Switching {
    /** What an event is, in its lowest bits. */
    static final int HEAD = 0;

    static final int DELIVERY = 1;
    private static final int TAIL_OUT = 2;
    static final int CREDIT = 3;
    private static final int EXPIRY = 4;
    /** Belongs to {@link FabricSim}. */
    static final int CHECK = 5;

    static final int ENTRY = 6;

    static final int KIND_BITS = 3;
    static final int KIND_MASK = 7;

    /** Of a CREDIT: channel, state of the link, credits. */
    static final int EPOCH_SHIFT = 32;

    static final int CREDITS_SHIFT = 48;

    private static final int VLS = 16;

    private final Fabric fabric;
    private final SimSettings settings;
    private final SimListener listener;
    final TimeWheel events = new TimeWheel();
    private final Tables tables;
    final Ports ports;
    final Packets packets;
    final Queues queues;
    private final WaitGraph waits;
    private final PortFigures figures;
    private final VlArbiter switchArbiter;
    private final VlArbiter endArbiter;
    private final boolean[] atEnd;

    /** Credits that the sender of a channel has, and those that are on their way back to it. */
    final int[] credits;

    private final int[] returning;

    /** By port: the buffer that it sends from; NONE while it sends nothing. */
    private final int[] sending;

    private final long[] drops = new long[DropReason.values().length];
    private long delivered;

    Switching(Fabric fabric, Routing routing, SimSettings settings, SimListener listener) {
        this.fabric = fabric;
        this.settings = settings;
        this.listener = listener;
        tables = new Tables(fabric, routing);
        ports = new Ports(fabric);
        packets = new Packets(settings.packets());
        queues = new Queues(packets, ports.count());
        credits = new int[queues.channels()];
        returning = new int[queues.channels()];
        sending = new int[ports.count()];
        figures = new PortFigures(ports.count());
        waits = new WaitGraph(fabric, packets, queues, credits, returning);
        switchArbiter = new VlArbiter(settings.betweenSwitches(), ports.count());
        endArbiter = new VlArbiter(settings.atEnds(), ports.count());
        atEnd = new boolean[ports.count()];
        for (int port = 0; port < atEnd.length; port++) {
            int far = ports.far[port];
            atEnd[port] = far != Fabric.NONE && (ports.isEnd(port) || ports.isEnd(far));
        }
        Arrays.fill(credits, settings.bufferBytes() / SimSettings.CREDIT_BYTES);
        Arrays.fill(sending, Queues.NONE);
    }

    TimeWheel events() {
        return events;
    }

    Tables tables() {
        return tables;
    }

    Ports ports() {
        return ports;
    }

    Packets packets() {
        return packets;
    }

    WaitGraph waits() {
        return waits;
    }

    PortFigures figures() {
        return figures;
    }

    long delivered() {
        return delivered;
    }

    long dropped(DropReason reason) {
        return drops[reason.ordinal()];
    }

    private long now() {
        return events.now();
    }

    void schedule(long time, int kind, long rest) {
        events.schedule(time, rest << KIND_BITS | kind);
    }

    /** Lets an event happen that is not {@link #CHECK}. */
    void happen(long event) {
        long rest = event >>> KIND_BITS;
        switch ((int) event & KIND_MASK) {
            case HEAD -> headArrives((int) rest);
            case DELIVERY -> tailArrives((int) rest);
            case TAIL_OUT -> tailLeft((int) rest);
            case CREDIT -> creditsCome((int) rest, (char) (rest >>> EPOCH_SHIFT), (int) (rest >>> CREDITS_SHIFT));
            case EXPIRY -> expire((int) rest);
            case ENTRY -> enter((int) rest);
            default -> throw new IllegalStateException("no event: " + event);
        }
    }

    /** A packet comes into the queue of its sender. */
    void enter(int packet) {
        int source = packets.source[packet];
        int vl = tables.endVl(source, packets.sl[packet]);
        if (vl == SlToVl.DROP) {
            drop(packet, DropReason.VL_15);
        } else {
            int buffer = queues.sourceOf(source << 4 | vl);
            queues.append(buffer, packet);
            advance(buffer);
        }
    }

    /** Takes the cable of a port down, with everything that is on it or wants to be, or up. */
    void setLink(int port, boolean up) {
        int far = ports.far[port];
        if (far == Fabric.NONE || ports.up[port] == up) {
            return;
        }
        setDirection(port, up);
        setDirection(far, up);
        if (!up) {
            dropWaiting(port);
            dropWaiting(far);
        }
    }

    private void setDirection(int port, boolean up) {
        ports.up[port] = up;
        ports.epoch[port]++;
        for (int channel = port << 4; channel < (port + 1) << 4; channel++) {
            returning[channel] = 0;
            credits[channel] = settings.bufferBytes() / SimSettings.CREDIT_BYTES - queues.occupied(channel);
        }
    }

    private void dropWaiting(int port) {
        for (int channel = port << 4; channel < (port + 1) << 4; channel++) {
            for (int buffer = queues.asking(channel); buffer != Queues.NONE; buffer = queues.asking(channel)) {
                queues.withdraw(buffer, channel);
                dropHead(buffer, DropReason.LINK_DOWN);
                advance(buffer);
            }
        }
    }

    /** Makes an end port take no packets any more, or take them again. */
    void setStopped(int port, boolean stopped) {
        ports.stopped[port] = stopped;
        for (int vl = 0; vl < VLS && !stopped && ports.far[port] != Fabric.NONE; vl++) {
            int buffer = ports.far[port] << 4 | vl;
            while (queues.head(buffer) != Queues.NONE) {
                int packet = queues.removeHead(buffer);
                giveBack(buffer, packets.credits(packet));
                deliver(packet);
            }
        }
    }

    /** The head of a packet is at a switch, and the switch had time to look at it. */
    private void headArrives(int packet) {
        int buffer = packets.channel[packet];
        if (packets.epoch[packet] != ports.epoch[buffer >> 4]) {
            drop(packet, DropReason.LINK_DOWN);
            return;
        }
        packets.hops[packet]++;
        queues.append(buffer, packet);
        advance(buffer);
    }

    /** Lets the head of a buffer ask for a channel, if that is what it can do now; those that nowhere can go are dropped. */
    private void advance(int buffer) {
        while (queues.mayAsk(buffer)) {
            int packet = queues.head(buffer);
            DropReason reason = route(buffer, packet);
            if (reason == null) {
                int channel = packets.channel[packet];
                packets.headSince[packet] = now();
                queues.ask(buffer, channel);
                if (settings.lifetimeNanos() > 0) {
                    schedule(now() + settings.lifetimeNanos(), EXPIRY, buffer);
                }
                send(channel >> 4);
            } else {
                dropHead(buffer, reason);
            }
        }
    }

    /** Finds the channel that a packet goes on by; returns why there is none. */
    private @Nullable DropReason route(int buffer, int packet) {
        if (queues.isSource(buffer)) {
            int channel = buffer - queues.channels();
            packets.channel[packet] = channel;
            return ports.up[channel >> 4] ? null : DropReason.LINK_DOWN;
        }
        int input = ports.far[buffer >> 4];
        int sw = ports.switchOf[input];
        int output = tables.output(sw, packets.destination[packet]);
        if (output == 0) {
            return DropReason.NO_ROUTE;
        }
        int port = fabric.portIndex(sw, output);
        int vl = tables.vl(sw, ports.number[input], output, packets.sl[packet]);
        if (vl == SlToVl.DROP) {
            return DropReason.VL_15;
        }
        packets.channel[packet] = port << 4 | vl;
        return ports.up[port] ? null : ports.far[port] == Fabric.NONE ? DropReason.NO_ROUTE : DropReason.LINK_DOWN;
    }

    private void dropHead(int buffer, DropReason reason) {
        int packet = queues.removeHead(buffer);
        giveBack(buffer, packets.credits(packet));
        drop(packet, reason);
    }

    private void drop(int packet, DropReason reason) {
        long token = packets.token[packet];
        packets.release(packet);
        drops[reason.ordinal()]++;
        listener.dropped(token, reason);
    }

    /** Sends the next packet of a port, if it may. */
    private void send(int port) {
        if (sending[port] != Queues.NONE || queues.wanted(port) == 0) {
            return;
        }
        int eligible = 0;
        for (int vls = queues.wanted(port); vls != 0; vls &= vls - 1) {
            int vl = Integer.numberOfTrailingZeros(vls);
            int channel = port << 4 | vl;
            if (credits[channel] >= packets.credits(queues.head(queues.asking(channel)))) {
                eligible |= 1 << vl;
            }
        }
        VlArbiter arbiter = atEnd[port] ? endArbiter : switchArbiter;
        int vl = eligible == 0 ? Queues.NONE : arbiter.choose(port, eligible);
        if (vl == Queues.NONE) {
            figures.waits(port, now());
            return;
        }
        int channel = port << 4 | vl;
        int buffer = queues.asking(channel);
        queues.withdraw(buffer, channel);
        int packet = queues.beginDraining(buffer);
        arbiter.sent(port, packets.credits(packet));
        transmit(port, channel, buffer, packet);
    }

    private void transmit(int port, int channel, int buffer, int packet) {
        long now = now();
        credits[channel] -= packets.credits(packet);
        sending[port] = buffer;
        figures.sends(port, packets.bytes[packet], now, now - packets.headSince[packet]);
        // A faster link has to wait for what a slower one brings.
        long out = Math.max(now + ports.nanos(port, packets.bytes[packet]), packets.tail[packet]);
        packets.tail[packet] = out + settings.linkNanos();
        packets.epoch[packet] = ports.epoch[port];
        schedule(out, TAIL_OUT, port);
        if (ports.isEnd(ports.far[port])) {
            schedule(packets.tail[packet], DELIVERY, packet);
        } else {
            schedule(now + settings.linkNanos() + settings.switchNanos(), HEAD, packet);
        }
    }

    /** The tail of a packet has left a port. */
    private void tailLeft(int port) {
        int buffer = sending[port];
        sending[port] = Queues.NONE;
        giveBack(buffer, queues.endDraining(buffer));
        advance(buffer);
        send(port);
    }

    /** There is room in a buffer again; its sender hears of it. */
    private void giveBack(int buffer, int count) {
        if (!queues.isSource(buffer)) {
            returning[buffer] += count;
            long rest = (long) count << CREDITS_SHIFT | (long) ports.epoch[buffer >> 4] << EPOCH_SHIFT | buffer;
            schedule(now() + settings.linkNanos(), CREDIT, rest);
        }
    }

    private void creditsCome(int channel, char epoch, int count) {
        if (epoch == ports.epoch[channel >> 4]) {
            returning[channel] -= count;
            credits[channel] += count;
            send(channel >> 4);
        }
    }

    private void tailArrives(int packet) {
        int channel = packets.channel[packet];
        int port = ports.far[channel >> 4];
        if (packets.epoch[packet] != ports.epoch[channel >> 4]) {
            drop(packet, DropReason.LINK_DOWN);
        } else if (ports.stopped[port]) {
            queues.append(channel, packet);
        } else {
            giveBack(channel, packets.credits(packet));
            deliver(packet);
        }
    }

    private void deliver(int packet) {
        int port = ports.far[packets.channel[packet] >> 4];
        if (fabric.portOfLid(packets.destination[packet]) != port) {
            drop(packet, DropReason.WRONG_END);
            return;
        }
        long token = packets.token[packet];
        long birth = packets.birth[packet];
        int hops = packets.hops[packet];
        packets.release(packet);
        delivered++;
        listener.delivered(token, birth, hops);
    }

    private void expire(int buffer) {
        if (!queues.asks(buffer)) {
            return;
        }
        int packet = queues.head(buffer);
        if (packets.headSince[packet] <= now() - settings.lifetimeNanos()) {
            queues.withdraw(buffer, packets.channel[packet]);
            dropHead(buffer, DropReason.LIFETIME);
            int port = packets.channel[packet] >> 4;
            advance(buffer);
            send(port);
        }
    }
}
