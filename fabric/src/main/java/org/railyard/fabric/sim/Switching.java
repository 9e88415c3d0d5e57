package org.railyard.fabric.sim;

import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.proof.Channel;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/**
 * How packets get from buffer to buffer (spec 33 §3): the head of a buffer asks for a channel, waits for its turn and
 * for credits, is sent, and gives the credits of its buffer back when its tail has left. What is going to happen is in
 * a {@link TimeWheel}.
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
    static final int TAKEN = 7;

    static final int KIND_BITS = 3;
    static final int KIND_MASK = 7;

    /** Of a CREDIT: channel, state of the link, credits. */
    static final int EPOCH_SHIFT = 32;

    static final int CREDITS_SHIFT = 48;

    /** What can be passed on a way without a loop, and as much again for tables that change meanwhile. */
    private final int hopLimit;

    private final Fabric fabric;
    private final SimSettings settings;
    private final SimListener listener;
    final TimeWheel events = new TimeWheel();
    private final SimTables tables;
    final Ports ports;
    final Packets packets;
    final Queues queues;
    final Transmissions sending;
    private final WaitGraph waits;
    private final PortFigures figures;
    private final VlArbiter[] arbiters;

    private final long[] drops = new long[DropReason.values().length];
    private final Sinks sinks;
    private final Cuts cuts;
    private long copied;
    private long ended;

    Switching(Fabric fabric, Routing routing, SimSettings settings, SimListener listener) {
        this.fabric = fabric;
        this.settings = settings;
        this.listener = listener;
        tables = new SimTables(fabric, routing);
        ports = new Ports(fabric);
        packets = new Packets(settings.packets());
        queues = new Queues(packets, ports.count(), capacity());
        sending = new Transmissions(ports.count());
        figures = new PortFigures(ports.count());
        waits = new WaitGraph(fabric, packets, queues);
        VlArbiter betweenSwitches = new VlArbiter(settings.betweenSwitches(), ports.count());
        VlArbiter towardsEnds = new VlArbiter(settings.towardsEnds(), ports.count());
        VlArbiter ofEnds = new VlArbiter(settings.ofEnds(), ports.count());
        arbiters = new VlArbiter[ports.count()];
        for (int port = 0; port < arbiters.length; port++) {
            int far = ports.far[port];
            boolean towardsEnd = far != Fabric.NONE && ports.isEnd(far);
            arbiters[port] = ports.isEnd(port) ? ofEnds : towardsEnd ? towardsEnds : betweenSwitches;
        }
        hopLimit = Math.min(Short.MAX_VALUE - 1, 2 * fabric.switchCount() + 16);
        sinks = new Sinks(this, fabric, listener);
        cuts = new Cuts(this, fabric);
    }

    /** Returns the credits of an empty buffer. */
    private int capacity() {
        return settings.bufferBytes() / SimSettings.CREDIT_BYTES;
    }

    TimeWheel events() {
        return events;
    }

    SimTables tables() {
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

    /** Returns what packets wait for when nothing happens any more. */
    Starvation starvation() {
        SortedSet<Integer> unserved = new TreeSet<>();
        waits.forEach(packet -> {
            if (!arbiters[Channel.portOf(packets.channel(packet))].serves(Channel.vlOf(packets.channel(packet)))) {
                unserved.add(packets.channel(packet));
            }
        });
        return new Starvation(
                now(),
                packets.count(),
                sinks.stopped(),
                unserved.stream().map(Channel::of).toList());
    }

    long copied() {
        return copied;
    }

    long ended() {
        return ended;
    }

    Sinks sinks() {
        return sinks;
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
            case DELIVERY -> sinks.tailArrives((int) rest);
            case TAIL_OUT -> tailLeft((int) rest);
            case CREDIT -> creditsCome((int) rest, (char) (rest >>> EPOCH_SHIFT), (int) (rest >>> CREDITS_SHIFT));
            case EXPIRY -> expire((int) rest);
            case ENTRY -> enter((int) rest);
            case TAKEN -> sinks.taken((int) rest);
            default -> throw new IllegalStateException("no event: " + event);
        }
    }

    /** A packet comes into the queue of its sender. */
    void enter(int packet) {
        int source = packets.source(packet);
        int vl = tables.endVl(source, packets.sl(packet));
        if (vl == SlToVl.DROP) {
            drop(packet, DropReason.VL_15);
        } else {
            int buffer = queues.sourceOf(Channel.number(source, vl));
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
            cuts.cut(port);
            cuts.cut(far);
        }
    }

    private void setDirection(int port, boolean up) {
        ports.up[port] = up;
        ports.epoch[port]++;
        for (int channel = Channel.number(port, 0); channel < Channel.number(port + 1, 0); channel++) {
            queues.reset(channel, capacity());
        }
    }

    private void dropWaiting(int port) {
        for (int channel = Channel.number(port, 0); channel < Channel.number(port + 1, 0); channel++) {
            for (int packet = queues.asking(channel); packet != Queues.NONE; packet = queues.asking(channel)) {
                dropAsking(packet, DropReason.LINK_DOWN);
            }
        }
    }

    /** What asks for a channel is lost, or one copy of it is. */
    void dropAsking(int packet, DropReason reason) {
        int channel = packets.channel(packet);
        int buffer = queues.withdraw(packet, channel);
        if (queues.wanted(Channel.portOf(channel)) == 0) {
            figures.waitsNoMore(Channel.portOf(channel), now());
        }
        drop(packet, reason);
        copyLeft(buffer);
    }

    /** What was leaving a buffer has left it, or one copy of it has. */
    private void copyLeft(int buffer) {
        int free = queues.copyLeft(buffer);
        if (free > 0) {
            giveBack(buffer, free);
            advance(buffer);
        }
    }

    /** The head of a packet is at a switch, and the switch had time to look at it. */
    private void headArrives(int packet) {
        int buffer = packets.channel(packet);
        if (packets.epoch(packet) != ports.epoch[Channel.portOf(buffer)]) {
            drop(packet, DropReason.LINK_DOWN);
            return;
        }
        boolean round = packets.pass(packet) > hopLimit;
        if (round || packets.isCut(packet)) {
            giveBack(buffer, packets.credits(packet));
            drop(packet, round ? DropReason.ROUND : DropReason.LINK_DOWN);
            return;
        }
        queues.append(buffer, packet);
        advance(buffer);
    }

    /**
     * Lets the head of a buffer ask for a channel, if that is what it can do now; those that nowhere can go are
     * dropped.
     */
    private void advance(int buffer) {
        while (queues.mayAsk(buffer)) {
            int packet = queues.head(buffer);
            if (packets.destination(packet) >= Lids.MIN_MULTICAST && !queues.isSource(buffer)) {
                spread(buffer);
                continue;
            }
            DropReason reason = route(buffer, packet);
            if (reason == null) {
                queues.beginLeaving(buffer);
                ask(buffer, packet);
            } else {
                dropHead(buffer, reason);
            }
        }
    }

    private void ask(int buffer, int packet) {
        int channel = packets.channel(packet);
        packets.setHeadSince(packet, now());
        queues.ask(packet, buffer, channel);
        // One event for each packet, not for each hop: lifetimes may be longer than a run.
        if (settings.lifetimeNanos() > 0 && !packets.isWatched(packet)) {
            packets.setWatched(packet, true);
            schedule(now() + settings.lifetimeNanos(), EXPIRY, packet);
        }
        send(Channel.portOf(channel));
    }

    /**
     * Makes a copy of the head of a buffer for each port of its group but the one it came by; each goes its own way
     * from here.
     */
    private void spread(int buffer) {
        int packet = queues.beginLeaving(buffer);
        int input = ports.far[Channel.portOf(buffer)];
        int sw = ports.switchOf[input];
        PortMask mask = tables.outputs(sw, packets.destination(packet));
        int before = 0;
        for (int output = mask.next(1); output >= 0 && output <= fabric.ports(sw); output = mask.next(output + 1)) {
            if (output != ports.number[input] && ports.far[fabric.portIndex(sw, output)] != Fabric.NONE) {
                if (before != 0) {
                    copied++;
                    int copy = packets.copy(packet);
                    if (copy == Packets.NONE) {
                        lose(packets.token(packet), DropReason.NO_ROOM);
                    } else {
                        goBy(buffer, copy, sw, ports.number[input], before);
                    }
                }
                before = output;
            }
        }
        if (before == 0 && mask.isEmpty()) {
            drop(packet, DropReason.NO_ROUTE);
        } else if (before == 0) {
            // The root of a tree may have no member beyond the one branch that it came from.
            packets.release(packet);
            ended++;
        } else {
            goBy(buffer, packet, sw, ports.number[input], before);
        }
        if (!queues.hasCopies(buffer)) {
            giveBack(buffer, queues.endLeaving(buffer));
        }
    }

    private void goBy(int buffer, int packet, int sw, int input, int output) {
        int port = fabric.portIndex(sw, output);
        int vl = tables.vl(sw, input, output, packets.sl(packet));
        if (vl == SlToVl.DROP || !ports.up[port]) {
            drop(packet, vl == SlToVl.DROP ? DropReason.VL_15 : DropReason.LINK_DOWN);
        } else {
            packets.setChannel(packet, Channel.number(port, vl));
            ask(buffer, packet);
        }
    }

    /** Finds the channel that a packet goes on by; returns why there is none. */
    private @Nullable DropReason route(int buffer, int packet) {
        if (queues.isSource(buffer)) {
            int channel = buffer - queues.channels();
            packets.setChannel(packet, channel);
            return ports.up[Channel.portOf(channel)] ? null : DropReason.LINK_DOWN;
        }
        int input = ports.far[Channel.portOf(buffer)];
        int sw = ports.switchOf[input];
        int output = tables.output(sw, packets.destination(packet));
        if (output == 0) {
            return DropReason.NO_ROUTE;
        }
        int port = fabric.portIndex(sw, output);
        int vl = tables.vl(sw, ports.number[input], output, packets.sl(packet));
        if (vl == SlToVl.DROP) {
            return DropReason.VL_15;
        }
        packets.setChannel(packet, Channel.number(port, vl));
        return ports.up[port] ? null : ports.far[port] == Fabric.NONE ? DropReason.NO_ROUTE : DropReason.LINK_DOWN;
    }

    private void dropHead(int buffer, DropReason reason) {
        int packet = queues.removeHead(buffer);
        giveBack(buffer, packets.credits(packet));
        drop(packet, reason);
    }

    void drop(int packet, DropReason reason) {
        long token = packets.token(packet);
        packets.release(packet);
        lose(token, reason);
    }

    private void lose(long token, DropReason reason) {
        drops[reason.ordinal()]++;
        listener.dropped(token, reason);
    }

    /** Sends the next packet of a port, if it may. */
    void send(int port) {
        if (sending.isSending(port) || queues.wanted(port) == 0) {
            return;
        }
        int eligible = 0;
        for (int vls = queues.wanted(port); vls != 0; vls &= vls - 1) {
            int vl = Integer.numberOfTrailingZeros(vls);
            int channel = Channel.number(port, vl);
            if (queues.credits(channel) >= packets.credits(queues.asking(channel))) {
                eligible |= 1 << vl;
            }
        }
        VlArbiter arbiter = arbiters[port];
        int vl = eligible == 0 ? Queues.NONE : arbiter.choose(port, eligible);
        if (vl == Queues.NONE) {
            figures.waits(port, now());
            return;
        }
        int channel = Channel.number(port, vl);
        int packet = queues.asking(channel);
        int buffer = queues.grant(channel);
        arbiter.sent(port, packets.credits(packet));
        transmit(port, channel, buffer, packet);
    }

    private void transmit(int port, int channel, int buffer, int packet) {
        long now = now();
        queues.addCredits(channel, -packets.credits(packet));
        figures.sends(channel, packets.bytes(packet), now, now - packets.headSince(packet));
        if (queues.isSource(buffer)) {
            packets.setSent(packet, now);
            listener.leaves(packets.token(packet));
        }
        // A faster link has to wait for what a slower one brings.
        long out = Math.max(now + ports.nanos(port, packets.bytes(packet)), packets.tail(packet));
        sending.begin(port, buffer, packet, packets.tail(packet), out + settings.linkNanos());
        packets.setTail(packet, out + settings.linkNanos());
        packets.setEpoch(packet, ports.epoch[port]);
        schedule(out, TAIL_OUT, port);
        if (ports.isEnd(ports.far[port])) {
            schedule(packets.tail(packet), DELIVERY, packet);
        } else {
            schedule(now + settings.linkNanos() + settings.switchNanos(), HEAD, packet);
        }
    }

    /** The tail of a packet has left a port. */
    private void tailLeft(int port) {
        copyLeft(sending.end(port));
        send(port);
    }

    /** A buffer has credits again; its sender is told. */
    void giveBack(int buffer, int count) {
        if (!queues.isSource(buffer)) {
            queues.addReturning(buffer, count);
            long rest =
                    (long) count << CREDITS_SHIFT | (long) ports.epoch[Channel.portOf(buffer)] << EPOCH_SHIFT | buffer;
            schedule(now() + settings.linkNanos(), CREDIT, rest);
        }
    }

    private void creditsCome(int channel, char epoch, int count) {
        if (epoch == ports.epoch[Channel.portOf(channel)]) {
            queues.addReturning(channel, -count);
            queues.addCredits(channel, count);
            send(Channel.portOf(channel));
        }
    }

    /** A packet asks for a channel for as long as it may, or began to later; by now it may be another packet. */
    private void expire(int packet) {
        packets.setWatched(packet, false);
        if (packets.buffer(packet) == Queues.NONE) {
            return;
        }
        long end = packets.headSince(packet) + settings.lifetimeNanos();
        if (end > now()) {
            packets.setWatched(packet, true);
            schedule(end, EXPIRY, packet);
        } else {
            int port = Channel.portOf(packets.channel(packet));
            dropAsking(packet, DropReason.LIFETIME);
            send(port);
        }
    }
}
