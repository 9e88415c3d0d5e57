package org.railyard.fabric.sim;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sim.Deadlock.Hold;

/**
 * Packets on a fabric in virtual time (spec 33 §3 – §5): virtual cut-through, an input buffer with credits for each
 * link and VL, heads of queues that block what is behind them. What happens is a function of fabric, tables, settings
 * and calls; there are no dice in it. For one thread; makes no garbage while packets move.
 *
 * <p>Senders and destinations are ports of CAs. A packet to a multicast LID goes to the ports of its group as the
 * tables of switches say, never back by the port it came by: each switch makes one copy for each output, the copies go
 * on independently, and the buffer is free when the last one has left.
 */
public final class FabricSim {
    /** {@link #nextEventNanos} when nothing is going to happen. */
    public static final long NEVER = TimeWheel.NEVER;

    /** The slowest end port, as a share of the rate of its link; slower is {@link #setStopped}. */
    public static final double SLOWEST = 1e-4;

    /** State of a run. */
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
    final Switching switching;
    private final TimeWheel events;
    private final Ports ports;
    private final Packets packets;
    private long happened;
    private long injected;
    private boolean checks;
    private @Nullable Deadlock deadlock;

    /**
     * Makes a fabric without packets, at time 0.
     *
     * @param fabric nodes and cables, with LIDs; links that are down stay so until {@link #setLink}
     * @param routing its tables
     * @param listener is told what happens to packets
     */
    public FabricSim(Fabric fabric, Routing routing, SimSettings settings, SimListener listener) {
        this.fabric = fabric;
        this.settings = settings;
        this.listener = listener;
        switching = new Switching(fabric, routing, settings, listener);
        events = switching.events();
        ports = switching.ports();
        packets = switching.packets();
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
                happened++;
                long event = events.poll();
                if (((int) event & Switching.KIND_MASK) == Switching.CHECK) {
                    check();
                } else {
                    switching.happen(event);
                }
            }
        }
        events.advance(nanos);
    }

    /** Simulates until there is no event any more, or until a time; returns the state of the run. */
    public Outcome drain(long limitNanos) {
        while (packets.count() > 0
                && deadlock == null
                && events.nextTime() <= limitNanos
                && events.nextTime() != NEVER) {
            runUntil(events.nextTime());
        }
        return outcome();
    }

    /** Returns the state of the run. */
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

    /** Returns whom packets wait for, if {@link #outcome} is {@link Outcome#STARVED}. */
    public Optional<Starvation> starvation() {
        return outcome() == Outcome.STARVED ? Optional.of(switching.starvation()) : Optional.empty();
    }

    /**
     * Returns who waits for whom at this moment: heads of buffers of switches, and of multicast each copy that has not
     * left.
     */
    public List<Hold> waits() {
        return switching.waits().holds(now());
    }

    /**
     * Puts a packet into the queue of its sender.
     *
     * @param source port index of a port of a CA
     * @param destinationLid unicast or multicast LID
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
        packets.setSource(packet, source);
        packets.setDestination(packet, destinationLid);
        packets.setSl(packet, sl);
        packets.setBytes(packet, bytes);
        packets.setBirth(packet, Math.max(nanos, now()));
        packets.setToken(packet, token);
        packets.setTail(packet, 0);
        injected++;
        if (nanos > now()) {
            switching.schedule(nanos, Switching.ENTRY, packet);
        } else {
            switching.enter(packet);
        }
        watch();
        return true;
    }

    /** Gives all switches and end ports new tables, at once. */
    public void setRouting(Routing routing) {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            switching.tables().setSwitch(sw, routing);
        }
        switching.tables().setEnds(routing);
    }

    /** Gives one switch new tables: packets that know their way already keep it. */
    public void setRouting(int sw, Routing routing) {
        switching.tables().setSwitch(sw, routing);
    }

    /** Gives end ports a new map from SL to VL: packets that are in the queues of their senders keep their VL. */
    public void setEndRouting(Routing routing) {
        switching.tables().setEnds(routing);
    }

    /** Takes the cable of a port down, with everything that is on it or wants to be, or up. */
    public void setLink(int port, boolean up) {
        switching.setLink(port, up);
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

    /** Makes an end port take no packets any more, or take them again. What it has not taken stays in its buffers. */
    public void setStopped(int port, boolean stopped) {
        switching.sinks().setStopped(port, stopped);
    }

    /**
     * Makes an end port take packets more slowly than its link brings them: one after the other, on all VLs together.
     *
     * @param port port index of a port of a CA
     * @param share of the rate of its link, {@link #SLOWEST}…1; 1 = as fast as they come
     */
    public void setSink(int port, double share) {
        if (!(share >= SLOWEST && share <= 1)) {
            throw new IllegalArgumentException(
                    "%s takes %s of its link: expected %s to 1".formatted(fabric.portName(port), share, SLOWEST));
        }
        switching.sinks().setShare(port, share);
    }

    /** Sees to it that deadlocks are looked for. */
    private void watch() {
        if (!checks && deadlock == null) {
            checks = true;
            switching.schedule(now() + settings.checkNanos(), Switching.CHECK, 0);
        }
    }

    private void check() {
        checks = false;
        List<Hold> cycle = switching.waits().findCycle(now());
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

    /**
     * Returns how many copies of multicast packets switches have made, besides the packets themselves: these, and what
     * was injected, arrive, are lost, have {@link #ended} or are inside.
     */
    public long copied() {
        return switching.copied();
    }

    /**
     * Returns how many multicast packets or copies have come to a switch of the group with no further member; that is
     * no loss, and no listener is told.
     */
    public long ended() {
        return switching.ended();
    }

    /** Returns how many packets arrived. */
    public long delivered() {
        return switching.sinks().delivered();
    }

    /** Returns how many packets were lost for a reason. */
    public long dropped(DropReason reason) {
        return switching.dropped(reason);
    }

    /** Returns how many packets are anywhere. */
    public int inside() {
        return packets.count();
    }

    /** Returns what each port has done. */
    public PortFigures figures() {
        return switching.figures();
    }
}
