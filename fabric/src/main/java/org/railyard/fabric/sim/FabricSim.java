package org.railyard.fabric.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.sim.Deadlock.Hold;

/**
 * Packets on a fabric in virtual time (spec 33 §3 – §5): virtual cut-through, an input buffer with credits for each link and VL, heads of queues that block
 * what is behind them. What happens is a function of fabric, tables, settings and calls; there are no dice in it. For one thread; makes no garbage while
 * packets move.
 *
 * <p>Senders and destinations are ports of CAs. Multicast is not simulated.
 */
public final class FabricSim {
    /** {@link #nextEventNanos} when nothing is going to happen. */
    public static final long NEVER = TimeWheel.NEVER;

    /** What an event is, in its lowest bits. */
    static final int HEAD = 0;

    static final int DELIVERY = 1;
    private static final int TAIL_OUT = 2;
    static final int CREDIT = 3;
    private static final int EXPIRY = 4;
    private static final int CHECK = 5;
    private static final int ENTRY = 6;

    static final int KIND_BITS = 3;
    static final int KIND_MASK = 7;

    /** Of a CREDIT: channel, state of the link, credits. */
    static final int EPOCH_SHIFT = 32;

    static final int CREDITS_SHIFT = 48;

    /** How a run stands. */
    public enum Outcome {
        /** No packet is anywhere. */
        DRAINED,
        /** Packets are on their way. */
        RUNNING,
        /** Packets wait for each other for ever. */
        DEADLOCK,
        /** Packets wait for somebody who takes none, or for nobody at all; nothing will happen. */
        STARVED
    }

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
    private long happened;
    private long injected;
    private long delivered;
    private boolean checks;
    private @Nullable Deadlock deadlock;

    /**
     * Makes a fabric without packets, at time 0.
     *
     * @param fabric nodes and cables, with LIDs; links that are down stay so until {@link #setLink}
     * @param routing its tables
     * @param listener hears what becomes of packets
     */
    public FabricSim(Fabric fabric, Routing routing, SimSettings settings, SimListener listener) {
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

    /** Returns the time, ns. */
    public long now() {
        return events.now();
    }

    /** Returns when something happens next, ns; {@link #NEVER} if nothing does. */
    public long nextEventNanos() {
        return events.nextTime();
    }

    /** Lets everything happen up to a time, which is the time then. */
    public void runUntil(long nanos) {
        for (long next = events.nextTime(); next <= nanos && next != NEVER; next = events.nextTime()) {
            events.advance(next);
            while (events.isDue()) {
                happen(events.poll());
            }
        }
        events.advance(nanos);
    }

    /** Lets things happen until nothing does any more, or until a time; returns how the run stands. */
    public Outcome drain(long limitNanos) {
        while (packets.count() > 0
                && deadlock == null
                && events.nextTime() <= limitNanos
                && events.nextTime() != NEVER) {
            runUntil(events.nextTime());
        }
        return outcome();
    }

    /** Returns how the run stands. */
    public Outcome outcome() {
        if (deadlock != null) {
            return Outcome.DEADLOCK;
        }
        if (packets.count() == 0) {
            return Outcome.DRAINED;
        }
        return events.size() == 0 ? Outcome.STARVED : Outcome.RUNNING;
    }

    /** Returns the first deadlock that was found. */
    public Optional<Deadlock> deadlock() {
        return Optional.ofNullable(deadlock);
    }

    /** Returns who waits for whom at this moment, heads of buffers only. */
    public List<Hold> waits() {
        List<Hold> all = new ArrayList<>();
        waits.forEach(buffer -> all.add(waits.hold(buffer, now())));
        return all;
    }

    /**
     * Puts a packet into the queue of its sender.
     *
     * @param source port index of a port of a CA
     * @param destinationLid unicast LID
     * @param sl 0–15
     * @param bytes with headers, 1 … {@link SimSettings#bufferBytes}
     * @param token is told with what becomes of it
     * @return false if as many packets as there may be are on their way
     */
    public boolean inject(int source, int destinationLid, int sl, int bytes, long token) {
        return injectAt(now(), source, destinationLid, sl, bytes, token);
    }

    /**
     * Puts a packet into the queue of its sender later, at {@code nanos}; the past counts as now. See {@link #inject}.
     *
     * @return false if as many packets as there may be are on their way, or about to be
     */
    public boolean injectAt(long nanos, int source, int destinationLid, int sl, int bytes, long token) {
        if (bytes < 1 || bytes > settings.bufferBytes() || !ports.isEnd(source)) {
            throw new IllegalArgumentException("%d bytes from %s: expected 1…%d from a port of a CA"
                    .formatted(bytes, fabric.portName(source), settings.bufferBytes()));
        }
        if (packets.isFull()) {
            return false;
        }
        int packet = packets.take();
        packets.source[packet] = source;
        packets.destination[packet] = destinationLid;
        packets.sl[packet] = (byte) sl;
        packets.bytes[packet] = bytes;
        packets.birth[packet] = Math.max(nanos, now());
        packets.token[packet] = token;
        packets.tail[packet] = 0;
        injected++;
        if (nanos > now()) {
            schedule(nanos, ENTRY, packet);
        } else {
            enter(packet);
        }
        return true;
    }

    private void enter(int packet) {
        int source = packets.source[packet];
        int vl = tables.endVl(source, packets.sl[packet]);
        if (vl == SlToVl.DROP) {
            drop(packet, DropReason.VL_15);
        } else {
            int buffer = queues.sourceOf(source << 4 | vl);
            queues.append(buffer, packet);
            advance(buffer);
            watch();
        }
    }

    /** Gives all switches and end ports new tables, at once. */
    public void setRouting(Routing routing) {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            tables.setSwitch(sw, routing);
        }
        tables.setEnds(routing);
    }

    /** Gives one switch new tables: packets that know their way already keep it. */
    public void setRouting(int sw, Routing routing) {
        tables.setSwitch(sw, routing);
    }

    /** Takes the cable of a port down, with everything that is on it or wants to be, or up. */
    public void setLink(int port, boolean up) {
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

    /** Takes all cables of a switch down or up. */
    public void setSwitch(int node, boolean up) {
        for (int port = 1; port <= fabric.ports(node); port++) {
            setLink(fabric.portIndex(node, port), up);
        }
    }

    /** Changes what a cable carries. */
    public void setRate(int port, int lanes, LinkSpeed speed) {
        double rate = LinkRate.bytesPerNano(lanes, speed);
        ports.setRate(port, rate);
        if (ports.far[port] != Fabric.NONE) {
            ports.setRate(ports.far[port], rate);
        }
    }

    /** Makes an end port take no packets any more, or take them again. */
    public void setStopped(int port, boolean stopped) {
        ports.stopped[port] = stopped;
        for (int vl = 0; vl < 16 && !stopped && ports.far[port] != Fabric.NONE; vl++) {
            int buffer = ports.far[port] << 4 | vl;
            while (queues.head(buffer) != Queues.NONE) {
                int packet = queues.removeHead(buffer);
                giveBack(buffer, packets.credits(packet));
                deliver(packet);
            }
        }
    }

    private void schedule(long time, int kind, long rest) {
        events.schedule(time, rest << KIND_BITS | kind);
    }

    private void happen(long event) {
        happened++;
        long rest = event >>> KIND_BITS;
        switch ((int) event & KIND_MASK) {
            case HEAD -> headArrives((int) rest);
            case DELIVERY -> tailArrives((int) rest);
            case TAIL_OUT -> tailLeft((int) rest);
            case CREDIT -> creditsCome((int) rest, (char) (rest >>> EPOCH_SHIFT), (int) (rest >>> CREDITS_SHIFT));
            case EXPIRY -> expire((int) rest);
            case CHECK -> check();
            case ENTRY -> enter((int) rest);
            default -> throw new IllegalStateException("no event: " + event);
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

    /** Sees to it that deadlocks are looked for. */
    private void watch() {
        if (!checks && deadlock == null) {
            checks = true;
            schedule(now() + settings.checkNanos(), CHECK, 0);
        }
    }

    private void check() {
        checks = false;
        List<Hold> cycle = waits.findCycle(now());
        if (!cycle.isEmpty()) {
            Deadlock found = new Deadlock(now(), cycle);
            deadlock = found;
            listener.deadlocked(found);
        } else if (packets.count() > 0 && events.size() > 0) {
            watch();
        }
    }

    /** Returns how many events there were. */
    public long events() {
        return happened;
    }

    /** Returns how many packets were injected. */
    public long injected() {
        return injected;
    }

    /** Returns how many packets arrived. */
    public long delivered() {
        return delivered;
    }

    /** Returns how many packets were lost for a reason. */
    public long dropped(DropReason reason) {
        return drops[reason.ordinal()];
    }

    /** Returns how many packets are anywhere. */
    public int inside() {
        return packets.count();
    }

    /** Returns what each port has done. */
    public PortFigures figures() {
        return figures;
    }
}
