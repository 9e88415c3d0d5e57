package org.railyard.lab.net;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.railyard.lab.engine.EventQueue;
import org.railyard.lnet.nid.Nid;

/** Machines, their devices, and the rails between them, in virtual time. Belongs to the thread of its run. */
public final class SimNetwork {
    /** What {@link #pass} returns for a frame that does not get through. */
    static final long LOST = -1;

    final EventQueue queue;
    final NetListener listener;
    final PayloadPool payloads = new PayloadPool();
    private boolean storesReferences;
    private final RandomGenerator random;
    private final List<SimMachine> machines;
    private final Map<Integer, SimDevice> devices = new LinkedHashMap<>();
    private final List<BiPredicate<SimDevice, SimDevice>> walls = new ArrayList<>();
    private final ArrayDeque<SimFrame> freeFrames = new ArrayDeque<>();
    private final ArrayDeque<Packet> freePackets = new ArrayDeque<>();

    /**
     * Makes a network without machines.
     *
     * @param queue its time
     * @param random decides on loss, repetition and jitter
     * @param listener is told what happens
     * @param machines where its machines are put, by number
     */
    public SimNetwork(EventQueue queue, RandomGenerator random, NetListener listener, List<SimMachine> machines) {
        this.machines = machines;
        this.queue = queue;
        this.random = random;
        this.listener = listener;
    }

    /**
     * Lets references to the pattern stand for payload that arrives, where no card reads it: see
     * {@code org.railyard.lab.payload}.
     */
    public void storeReferences() {
        storesReferences = true;
    }

    /** Tells whether they may be stored. */
    public boolean storesReferences() {
        return storesReferences;
    }

    /**
     * Adds a rail.
     *
     * @param isolated whether only its own devices reach one another; otherwise it is connected to all rails that are
     *     not isolated
     */
    public Rail addRail(String name, RailSettings settings, boolean isolated) {
        return new Rail(name, settings, isolated);
    }

    /** Adds a machine without devices, on which no node runs yet. */
    public SimMachine addMachine(String name) {
        SimMachine machine = new SimMachine(name, machines.size());
        machines.add(machine);
        return machine;
    }

    /**
     * Adds a device to a machine.
     *
     * @param address its IPv4 address, which no other device has
     */
    public SimDevice addDevice(SimMachine machine, String name, Rail rail, int address) {
        SimDevice device = new SimDevice(machine, name, rail, address);
        if (devices.putIfAbsent(address, device) != null) {
            throw new IllegalArgumentException("two devices have the address of " + device);
        }
        machine.devices().add(device);
        return device;
    }

    /** Returns the machines in the order of making. */
    public List<SimMachine> machines() {
        return machines;
    }

    /** Keeps frames from getting from some devices to others, in this direction, until {@link #unblock}. */
    public void block(BiPredicate<SimDevice, SimDevice> wall) {
        walls.add(wall);
    }

    /** Ends what {@link #block} began. */
    public void unblock(BiPredicate<SimDevice, SimDevice> wall) {
        walls.remove(wall);
    }

    /** Resets the connections from one NID to another, at both ends, as a firewall does. */
    public void reset(Nid from, Nid to) {
        SimDevice device = deviceOf(from);
        SimDevice other = deviceOf(to);
        MachineCards cards = device == null ? null : device.cards();
        if (device != null && other != null && cards != null) {
            cards.reset(device, other);
            return;
        }
        SimEndpoint endpoint = device == null ? null : device.endpoint(from);
        if (endpoint != null) {
            endpoint.reset(to);
        }
    }

    /**
     * The node on a machine is gone from one moment to the next: it is not called any more. Its connections are reset
     * if the machine has power.
     */
    public void kill(SimMachine machine, boolean power) {
        machine.setPower(power ? SimMachine.Power.REFUSING : SimMachine.Power.OFF);
        for (SimDevice device : machine.devices()) {
            for (SimEndpoint endpoint : device.endpoints()) {
                endpoint.die(power);
            }
        }
    }

    /** A node begins to run on a machine. */
    public void power(SimMachine machine) {
        machine.setPower(SimMachine.Power.ON);
    }

    /** Returns the device with the address of a NID, or null. */
    @Nullable
    SimDevice deviceOf(Nid nid) {
        return nid.isNid4() ? devices.get((int) nid.nid4()) : null;
    }

    /** Decides whether something gets lost between two devices whose network is simulated elsewhere. */
    public boolean loses(SimDevice from, SimDevice to) {
        return !from.passes()
                || !to.passes()
                || isWalled(from, to)
                || draw(from.rail().settings.loss());
    }

    /**
     * Sends a frame on its way.
     *
     * @return when it arrives, ns; {@link #LOST} if it does not
     */
    long pass(SimDevice from, SimDevice to, int bytes) {
        if (!from.passes() || isWalled(from, to) || !from.rail().reaches(to.rail())) {
            return LOST;
        }
        RailSettings out = from.rail().settings;
        RailSettings in = to.rail().settings;
        long departure = Math.max(queue.now(), from.egressFree) + out.nanosFor(bytes);
        from.egressFree = departure;
        if (draw(out.loss()) || in != out && draw(in.loss())) {
            return LOST;
        }
        long latency = (out.latencyNanos() + in.latencyNanos()) / 2;
        if (out.jitterNanos() > 0) {
            latency += random.nextLong(out.jitterNanos() + 1);
        }
        long arrival = Math.max(departure + latency, to.ingressFree + in.nanosFor(bytes));
        to.ingressFree = arrival;
        return arrival;
    }

    private boolean isWalled(SimDevice from, SimDevice to) {
        for (int i = 0; i < walls.size(); i++) {
            if (walls.get(i).test(from, to)) {
                return true;
            }
        }
        return false;
    }

    private boolean draw(double share) {
        return share > 0 && random.nextDouble() < share;
    }

    /** Decides whether a frame that leaves a device arrives twice. */
    boolean repeats(SimDevice from) {
        return draw(from.rail().settings.duplication());
    }

    SimFrame takeFrame() {
        SimFrame frame = freeFrames.pollLast();
        return frame == null ? new SimFrame() : frame;
    }

    void letGo(SimFrame frame) {
        if (frame.letGo()) {
            frame.clear(payloads);
            freeFrames.addLast(frame);
        }
    }

    /** Lets go of a frame that its sender gives up; what of it is elsewhere may still arrive. */
    void abandon(SimFrame frame) {
        if (frame.isElsewhere()) {
            frame.keep(payloads);
        }
        letGo(frame);
    }

    /** Lets a copy of a frame arrive. */
    void deliver(SimFrame frame, Inbound to, long time) {
        Packet packet = freePackets.pollLast();
        if (packet == null) {
            packet = new Packet(this);
        }
        frame.hold();
        packet.load(frame, to);
        queue.schedule(packet, time);
    }

    void giveBack(Packet packet) {
        freePackets.addLast(packet);
    }
}
