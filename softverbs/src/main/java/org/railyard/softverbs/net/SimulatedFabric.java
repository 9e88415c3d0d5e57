package org.railyard.softverbs.net;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sim.Deadlock;
import org.railyard.fabric.sim.PortFigures;
import org.railyard.softverbs.time.Timeline;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.MemorySource;
import org.railyard.verbs.NativeMemory;
import org.railyard.verbs.PathRecord;
import org.railyard.verbs.PortAttributes;

/**
 * Switches, links and forwarding tables in virtual time, and what travels on them (spec 23 §3). {@link
 * SoftSettings#fidelity} says whether messages or packets do.
 */
public class SimulatedFabric {
    /** An SL of the second QoS level, as a wish. */
    private static final int SECOND_LEVEL = 8;

    private final Timeline time;
    private final RandomGenerator random;
    private final SoftSettings settings;
    private final Subnet subnet;
    private final FabricTrace trace;
    private final FabricFaults faults;
    private final Transmitter transmitter;
    private final List<FabricPort> ports = new ArrayList<>();
    private Consumer<Deadlock> deadlockListener = _ -> {};
    private MemoryMover mover = MemoryMover.COPY;
    private MemorySource memorySource = NativeMemory::allocate;

    /**
     * Makes a fabric without machines.
     *
     * @param time drives it
     * @param random its random numbers, from the seed of the run
     * @param fabric switches, cards and cables, with LIDs
     * @param routing tables for them
     * @param trace hears what happens
     */
    @SuppressWarnings("this-escape") // Deadlocks are found later.
    protected SimulatedFabric(
            Timeline time,
            RandomGenerator random,
            Fabric fabric,
            Routing routing,
            SoftSettings settings,
            FabricTrace trace) {
        this.time = time;
        this.random = random;
        this.settings = settings;
        this.subnet = new Subnet(fabric, routing, settings);
        this.trace = trace;
        this.faults = new FabricFaults(random);
        this.transmitter = settings.fidelity() == Fidelity.PACKET
                ? new PacketTransmitter(time, fabric, routing, settings, this::deadlocked)
                : new MessageTransmitter(time, subnet);
    }

    /**
     * Takes new forwarding tables and SLs; paths that were resolved before keep their SL. If the SL of any path is
     * another one, all ports are told, as a subnet manager does that lets its clients register again.
     */
    public void reroute(Routing routing) {
        PathSls before = subnet.sls();
        subnet.reroute(routing);
        transmitter.rerouted(routing);
        trace("reroute", routing.engine(), 0, 0);
        if (slsDiffer(before, routing.sls())) {
            for (FabricPort port : ports) {
                if (subnet.isUp(port.fabricPort())) {
                    trace("paths changed", port.toString(), 0, 0);
                    port.raise(AsyncEvent.Type.PATHS_CHANGED);
                }
            }
        }
    }

    private boolean slsDiffer(PathSls before, PathSls after) {
        if (after.isKnownToAgree(before)) {
            return false;
        }
        for (FabricPort from : ports) {
            for (FabricPort to : ports) {
                if (before.sl(from.lid(), to.lid(), 0) != after.sl(from.lid(), to.lid(), 0)
                        || before.sl(from.lid(), to.lid(), SECOND_LEVEL)
                                != after.sl(from.lid(), to.lid(), SECOND_LEVEL)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns the fabric as it is now, without links that are down, to be routed anew. */
    public Fabric present() {
        return subnet.present();
    }

    /** Takes the cable of a port down or up; cards at its ends notice. */
    public void setLink(int fabricPort, boolean up) {
        BitSet changed = new BitSet();
        changed.set(fabricPort);
        setLinks(changed, up);
    }

    /** Takes all cables of a switch down or up. */
    public void setSwitch(int fabricNode, boolean up) {
        BitSet changed = new BitSet();
        for (int port = 1; port <= subnet.present().ports(fabricNode); port++) {
            changed.set(subnet.present().portIndex(fabricNode, port));
        }
        setLinks(changed, up);
    }

    /** Takes the cables of ports down or up; cards at their ends notice. Of a cable one end is enough. */
    public void setLinks(BitSet changed, boolean up) {
        List<FabricPort> were = new ArrayList<>();
        for (FabricPort port : ports) {
            if (subnet.isUp(port.fabricPort())) {
                were.add(port);
            }
        }
        subnet.setDown(changed, !up);
        transmitter.linksChanged(changed, up);
        for (FabricPort port : ports) {
            boolean is = subnet.isUp(port.fabricPort());
            if (is != were.contains(port)) {
                trace(is ? "port up" : "port down", port.toString(), 0, 0);
                port.raise(is ? AsyncEvent.Type.PORT_ACTIVE : AsyncEvent.Type.PORT_ERROR);
            }
        }
    }

    /** Changes lanes and speed of a cable; cards at its ends notice. */
    public void setRate(int fabricPort, int lanes, LinkSpeed speed) {
        subnet.setRate(fabricPort, lanes, speed);
        transmitter.rateChanged(fabricPort, lanes, speed);
        int other = subnet.present().cable(fabricPort);
        for (FabricPort port : ports) {
            if (port.fabricPort() == fabricPort || port.fabricPort() == other) {
                trace("port rate", port.toString(), lanes, LinkRates.speedCode(speed));
                port.raise(AsyncEvent.Type.PORT_ACTIVE);
            }
        }
    }

    /** Puts a fault rule in force. */
    public void addFault(FabricFaultRule rule) {
        faults.add(rule);
    }

    /** Lets something decide, besides the rules, which messages are lost. */
    public void setLossModel(LossModel model) {
        faults.setLossModel(model);
    }

    private void deadlocked(Deadlock deadlock) {
        trace(
                "deadlock",
                deadlock.cycle().getFirst().channel().toString(),
                deadlock.cycle().size(),
                0);
        deadlockListener.accept(deadlock);
    }

    /** Sets who hears of the first deadlock; there is none with {@link Fidelity#MESSAGE}. */
    public void onDeadlock(Consumer<Deadlock> listener) {
        deadlockListener = listener;
    }

    /** Returns what ports of the fabric have done; nothing with {@link Fidelity#MESSAGE}. */
    public Optional<PortFigures> figures() {
        return transmitter instanceof PacketTransmitter packets
                ? Optional.of(packets.sim().figures())
                : Optional.empty();
    }

    /** Takes a fault rule back. */
    public void removeFault(FabricFaultRule rule) {
        faults.remove(rule);
    }

    /** Takes a port of a card in. */
    public void register(FabricPort port) {
        ports.add(port);
    }

    /** Returns its time. */
    public Timeline time() {
        return time;
    }

    /** Returns its random numbers. */
    public RandomGenerator random() {
        return random;
    }

    /** Returns how long things take. */
    public SoftSettings settings() {
        return settings;
    }

    /** Tells whether a port's own link carries anything. */
    public boolean isUp(FabricPort port) {
        return subnet.isUp(port.fabricPort());
    }

    /** Returns the path record for two ports, with the SL of the routing engine; null if there is no path. */
    public @Nullable PathRecord path(FabricPort from, FabricPort to, int typeOfService) {
        return subnet.path(from, to, typeOfService);
    }

    /** Returns the path record for two ports and an SL; null if there is no path. */
    public @Nullable PathRecord pathOfLevel(FabricPort from, FabricPort to, int sl) {
        return subnet.pathOfLevel(from, to, sl);
    }

    /** Returns the state of a port. */
    public PortAttributes attributes(FabricPort port) {
        boolean active = isUp(port) && !port.isBroken();
        return new PortAttributes(
                active ? PortAttributes.State.ACTIVE : PortAttributes.State.DOWN,
                port.lid(),
                PortAttributes.LinkLayer.INFINIBAND,
                settings.mtu(),
                settings.mtu(),
                PortAttributes.widthCode(subnet.lanes(port.fabricPort())),
                LinkRates.speedCode(subnet.speed(port.fabricPort())));
    }

    /** Returns what the fault rules make of a message. */
    public FaultVerdict judge(TrafficKind kind, PortPair route) {
        return faults.judge(kind, route.from(), route.to());
    }

    /** Sends something; returns when it is expected to arrive, ns of virtual time. */
    public long send(Transmission what) {
        return transmitter.send(what);
    }

    /** Writes an event down. */
    public void trace(String what, String port, long subject, long detail) {
        trace.event(time.now(), what, port, subject, detail);
    }

    /** Writes an event at a port down. */
    public void trace(String what, FabricPort port, long subject, long detail) {
        // The names of ports are made up; nobody should pay for that who does not read them.
        if (trace != FabricTrace.NONE) {
            trace(what, port.toString(), subject, detail);
        }
    }

    /** Sets how bytes come from one card's memory to another's. */
    public void setMover(MemoryMover other) {
        mover = other;
    }

    /** Returns how bytes come from one card's memory to another's. */
    public MemoryMover mover() {
        return mover;
    }

    /** Sets where domains that are opened from now on get memory for messages from. */
    public void setMemorySource(MemorySource other) {
        memorySource = other;
    }

    /** Returns where domains get memory for messages from. */
    public MemorySource memorySource() {
        return memorySource;
    }
}
