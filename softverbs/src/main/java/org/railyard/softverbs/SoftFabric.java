package org.railyard.softverbs;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sim.Deadlock;
import org.railyard.fabric.sim.PortFigures;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.card.MemoryModel;

/**
 * A fabric with machines on it, in virtual time (spec 23 §3). A run is a function of fabric, tables, seed and what is
 * done to it.
 *
 * <p>How closely it is looked at says {@link SoftSettings#fidelity}.
 */
public final class SoftFabric {
    /** Largest message, bytes. */
    public static final int MAX_MESSAGE = 8 << 20;

    private final Timeline time;
    private final RandomGenerator random;
    private final SoftSettings settings;
    private final Subnet subnet;
    private final FabricTrace trace;
    private final FabricFaults faults;
    private final Carrier carrier;
    private final List<SoftDevice> devices = new ArrayList<>();
    private final Map<Integer, SoftInterface> interfaces = new LinkedHashMap<>();
    private Consumer<Deadlock> deadlockListener = _ -> {};
    private MemorySegment scratch = MemorySegment.ofArray(new byte[1 << 16]);

    /**
     * Makes a fabric without machines.
     *
     * @param time drives it
     * @param random its chance, from the seed of the run
     * @param fabric switches, cards and cables, with LIDs
     * @param routing tables for them
     * @param trace hears what happens
     */
    public SoftFabric(
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
        this.carrier = settings.fidelity() == Fidelity.PACKET
                ? new PacketCarrier(time, fabric, routing, settings, this::standsStill)
                : new MessageCarrier(time, subnet);
    }

    /** Puts up a machine without cards. */
    public SoftNode addNode(String name, MemoryModel memory) {
        return new SoftNode(this, name, memory);
    }

    /** Takes new forwarding tables and SLs; paths that were resolved before keep their SL. */
    public void reroute(Routing routing) {
        subnet.reroute(routing);
        carrier.rerouted(routing);
        trace("reroute", routing.engine(), 0, 0);
    }

    /** Returns the fabric as it is now, without links that are down, to be routed anew. */
    public Fabric present() {
        return subnet.present();
    }

    /** Takes the cable of a port down or up; cards at its ends notice. */
    public void setLink(int fabricPort, boolean up) {
        BitSet ports = new BitSet();
        ports.set(fabricPort);
        setLinks(ports, up);
    }

    /** Takes all cables of a switch down or up. */
    public void setSwitch(int fabricNode, boolean up) {
        BitSet ports = new BitSet();
        for (int port = 1; port <= subnet.present().ports(fabricNode); port++) {
            ports.set(subnet.present().portIndex(fabricNode, port));
        }
        setLinks(ports, up);
    }

    /** Takes the cables of ports down or up; cards at their ends notice. Of a cable one end is enough. */
    public void setLinks(BitSet ports, boolean up) {
        List<SoftPort> were = new ArrayList<>();
        List<SoftPort> all = allPorts();
        for (SoftPort port : all) {
            if (subnet.isUp(port.fabricPort())) {
                were.add(port);
            }
        }
        subnet.setDown(ports, !up);
        carrier.linksChanged(ports, up);
        for (SoftPort port : all) {
            boolean is = subnet.isUp(port.fabricPort());
            if (is != were.contains(port)) {
                trace(is ? "port up" : "port down", port.toString(), 0, 0);
                port.device()
                        .raise(AsyncEvent.ofPort(
                                is ? AsyncEvent.Type.PORT_ACTIVE : AsyncEvent.Type.PORT_ERROR, port.number()));
            }
        }
    }

    /** Changes lanes and speed of a cable; cards at its ends notice. */
    public void setRate(int fabricPort, int lanes, LinkSpeed speed) {
        subnet.setRate(fabricPort, lanes, speed);
        carrier.rateChanged(fabricPort, lanes, speed);
        int other = subnet.present().cable(fabricPort);
        for (SoftPort port : allPorts()) {
            if (port.fabricPort() == fabricPort || port.fabricPort() == other) {
                trace("port rate", port.toString(), lanes, LinkRates.speedCode(speed));
                port.device().raise(AsyncEvent.ofPort(AsyncEvent.Type.PORT_ACTIVE, port.number()));
            }
        }
    }

    /** Puts a fault rule in force. */
    public void addFault(FabricFaultRule rule) {
        faults.add(rule);
    }

    /** Lets something decide, besides the rules, which messages are lost. */
    public void setWeather(LossModel weather) {
        faults.setWeather(weather);
    }

    private void standsStill(Deadlock deadlock) {
        trace(
                "deadlock",
                deadlock.cycle().getFirst().channel().toString(),
                deadlock.cycle().size(),
                0);
        deadlockListener.accept(deadlock);
    }

    /** Lets somebody hear of the first deadlock; there is none with {@link Fidelity#MESSAGE}. */
    public void onDeadlock(Consumer<Deadlock> listener) {
        deadlockListener = listener;
    }

    /** Returns what ports of the fabric have done; nothing with {@link Fidelity#MESSAGE}. */
    public Optional<PortFigures> figures() {
        return carrier instanceof PacketCarrier packets
                ? Optional.of(packets.sim().figures())
                : Optional.empty();
    }

    /** Breaks the connections between two ports, at both ends, as cards do that find an error in them. */
    public void breakConnections(SoftPort one, SoftPort other) {
        one.device().breakConnections(one, other);
        other.device().breakConnections(other, one);
    }

    /** Takes a fault rule back. */
    public void removeFault(FabricFaultRule rule) {
        faults.remove(rule);
    }

    private List<SoftPort> allPorts() {
        List<SoftPort> all = new ArrayList<>();
        devices.forEach(device -> all.addAll(device.ports()));
        return all;
    }

    void register(SoftDevice device) {
        devices.add(device);
    }

    void register(SoftInterface added) {
        if (interfaces.containsKey(added.ip())) {
            throw new VerbsException(
                    VerbsException.Code.EADDRINUSE, added.name() + ": another interface has the same address");
        }
        interfaces.put(added.ip(), added);
    }

    @Nullable
    SoftInterface find(int ip) {
        return interfaces.get(ip);
    }

    Timeline time() {
        return time;
    }

    RandomGenerator random() {
        return random;
    }

    SoftSettings settings() {
        return settings;
    }

    Subnet subnet() {
        return subnet;
    }

    FabricFaults faults() {
        return faults;
    }

    Carrier carrier() {
        return carrier;
    }

    void trace(String what, String port, long subject, long detail) {
        trace.event(time.now(), what, port, subject, detail);
    }

    /** Returns memory to put one message together in. */
    MemorySegment scratch(long bytes) {
        if (scratch.byteSize() < bytes) {
            scratch = MemorySegment.ofArray(new byte[Math.toIntExact(Math.max(bytes, 2 * scratch.byteSize()))]);
        }
        return scratch;
    }
}
