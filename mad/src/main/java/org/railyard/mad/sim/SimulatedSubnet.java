package org.railyard.mad.sim;

import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SmInfo;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.smp.TrapDetails;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.DirectedRoute;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MgmtClass;

/**
 * A subnet whose nodes have agents, in virtual time: the same fabric, settings, chance and calls give the same run. It
 * begins as after power-on: cables of the fabric that are not down are in {@link PortState#INIT}, nobody has a LID.
 *
 * <p>A MAD takes the way that is there when it is sent; on its way back the cables have to be there still. What can not
 * be delivered is lost without a word, as on real fabrics. For one thread.
 */
public final class SimulatedSubnet {
    private static final int MAX_HOPS = 64;

    private static final int[] NO_PORTS = {};

    private final Fabric fabric;
    private final SimulationSettings settings;
    private final RandomGenerator random;
    private final VirtualLoop loop = new VirtualLoop();
    private final SimulatedNode[] nodes;
    /** By port index: the cable carries something. */
    private final boolean[] up;
    /** By port index: somebody has pulled the cable, or the port is switched off. */
    private final boolean[] pulled;

    /** By port index: the transport at it. */
    private final @Nullable SimulatedPort[] attached;

    private final Traps traps;
    private final Agent agent;
    private double loss;
    private double duplication;

    private long delivered;
    private long lost;
    private long undeliverable;
    private long overrun;

    /**
     * Makes one.
     *
     * @param random decides about loss, repetition and jitter
     */
    public SimulatedSubnet(Fabric fabric, SimulationSettings settings, RandomGenerator random) {
        this.fabric = fabric;
        this.settings = settings;
        this.random = random;
        nodes = new SimulatedNode[fabric.nodeCount()];
        up = new boolean[fabric.portCount()];
        pulled = new boolean[fabric.portCount()];
        attached = new @Nullable SimulatedPort[fabric.portCount()];
        for (int node = 0; node < nodes.length; node++) {
            nodes[node] = new SimulatedNode(fabric, node);
        }
        traps = new Traps(loop, settings.trapRepeatNanos(), this::sendTrap);
        agent = new Agent(new Effects());
        for (int port = 0; port < up.length; port++) {
            if (fabric.peer(port) != Fabric.NONE) {
                linkUp(port);
            }
        }
    }

    /** Returns the time of the subnet and the events that are planned. */
    public VirtualLoop loop() {
        return loop;
    }

    /** Returns the fabric that it was made of. */
    public Fabric fabric() {
        return fabric;
    }

    /** Returns a node by its index in the fabric. */
    public SimulatedNode node(int node) {
        return nodes[node];
    }

    /**
     * Returns a transport at an end port.
     *
     * @param port port index in the fabric
     * @throws ErrnoException EBUSY if there is one already, EINVAL if it is no end port
     */
    public SimulatedPort attach(int port) {
        if (!fabric.isEndPort(port)) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    fabric.portName(port) + " is no end port: port 0 of a switch, or a port"
                            + " of a channel adapter, expected");
        }
        if (attached[port] != null) {
            throw new ErrnoException(Errno.EBUSY, fabric.portName(port) + " has a transport already");
        }
        SimulatedPort transport = new SimulatedPort(this, port);
        attached[port] = transport;
        return transport;
    }

    void detach(int port) {
        attached[port] = null;
    }

    /** Loses each MAD with this probability from now on, on each of its ways. */
    public void loss(double probability) {
        loss = probability;
    }

    /** Delivers each MAD twice with this probability from now on. */
    public void duplication(double probability) {
        duplication = probability;
    }

    /** Pulls the cable of a port: both ends go down, their switches send traps as far as they can. */
    public void unlink(int port) {
        int other = fabric.cable(port);
        if (other != Fabric.NONE) {
            pulled[port] = true;
            pulled[other] = true;
            linkDown(port);
        }
    }

    /** Puts the cable of a port back: both ends are initialized. */
    public void relink(int port) {
        int other = fabric.cable(port);
        if (other != Fabric.NONE) {
            pulled[port] = false;
            pulled[other] = false;
            linkUp(port);
        }
    }

    /** Switches a node off: all its cables are dead. */
    public void powerOff(int node) {
        for (int port = 1; port <= nodes[node].lastPort(); port++) {
            unlink(fabric.portIndex(node, port));
        }
    }

    /** Switches a node on again: what an SM wrote into it is gone. */
    public void powerOn(int node) {
        nodes[node].reset();
        for (int port = 1; port <= nodes[node].lastPort(); port++) {
            relink(fabric.portIndex(node, port));
        }
    }

    /** Makes an agent drop all requests, or answer again; packets go through the node as before. */
    public void silence(int node, boolean silent) {
        nodes[node].silent(silent);
    }

    /** Changes each answer of an agent before it is sent; null ends that. */
    public void tamper(int node, @Nullable UnaryOperator<Mad> change) {
        nodes[node].tampering(change);
    }

    /** Makes a node send a trap of its own again and again, each a new one that nobody can repress; 0 ends that. */
    public void babble(int node, int trapNumber, long intervalNanos) {
        traps.babble(node, intervalNanos, () -> trap(node, trapNumber));
    }

    /** Changes the description of a node, which tells the SM (trap 144). */
    public void rename(int node, String description) {
        nodes[node].rename(description);
        localChange(node, endPort(node), TrapDetails.CHANGED_DESCRIPTION);
    }

    /** Returns how many MADs arrived where they were to go. */
    public long delivered() {
        return delivered;
    }

    /** Returns how many were lost by chance. */
    public long lost() {
        return lost;
    }

    /** Returns how many had no way to where they were to go. */
    public long undeliverable() {
        return undeliverable;
    }

    /** Returns how many agents dropped, because too many others waited. */
    public long overrun() {
        return overrun;
    }

    /** Returns whether the link of a port carries anything. */
    public boolean isUp(int port) {
        return up[port];
    }

    // Links.

    private void linkUp(int port) {
        int other = fabric.cable(port);
        if (other == Fabric.NONE || up[port] || pulled[port] || pulled[other]) {
            return;
        }
        up[port] = true;
        up[other] = true;
        changed(port, PortState.INIT, PortInfo.PHYSICAL_LINK_UP);
        changed(other, PortState.INIT, PortInfo.PHYSICAL_LINK_UP);
    }

    private void linkDown(int port) {
        int other = fabric.cable(port);
        if (other == Fabric.NONE || !up[port]) {
            return;
        }
        up[port] = false;
        up[other] = false;
        changed(port, PortState.DOWN, pulledState(port));
        changed(other, PortState.DOWN, pulledState(other));
    }

    private int pulledState(int port) {
        boolean disabled = livePort(port).getInt(PortInfo.PHYSICAL_STATE) == PortInfo.PHYSICAL_DISABLED;
        return disabled ? PortInfo.PHYSICAL_DISABLED : PortInfo.PHYSICAL_POLLING;
    }

    private void changed(int port, PortState state, int physical) {
        livePort(port).set(PortInfo.STATE, state.code()).set(PortInfo.PHYSICAL_STATE, physical);
        SimulatedNode node = nodes[fabric.nodeOf(port)];
        if (node.isSwitch()) {
            node.liveSwitchInfo().set(SwitchInfo.STATE_CHANGE, 1);
            trap(node.index(), Notice.LINK_STATE);
        }
    }

    private PortInfo livePort(int port) {
        return nodes[fabric.nodeOf(port)].livePort(fabric.portNumber(port));
    }

    private int endPort(int node) {
        return fabric.isSwitch(node) ? 0 : 1;
    }

    // Traps.

    private void trap(int node, int number) {
        SimulatedNode from = nodes[node];
        int port = endPort(node);
        Notice notice = notice(from, port, number);
        int lid = from.livePort(port).getInt(PortInfo.LID);
        TrapDetails details = notice.details();
        switch (number) {
            case Notice.LINK_STATE -> details.set(TrapDetails.SWITCH_LID, lid);
            case Notice.LINK_INTEGRITY, Notice.BUFFER_OVERRUN, Notice.FLOW_CONTROL ->
                details.set(TrapDetails.PORT_LID, lid).set(TrapDetails.PORT, port);
            default -> {
                // Others have details of their own, or none.
            }
        }
        traps.send(node, port, notice);
    }

    private void localChange(int node, int port, int flags) {
        PortInfo info = nodes[node].livePort(port);
        Notice notice = notice(nodes[node], port, Notice.LOCAL_CHANGES);
        notice.details()
                .set(TrapDetails.CHANGES_LID, info.get(PortInfo.LID))
                .set(TrapDetails.OTHER_CHANGES, flags == 0 ? 0 : 1)
                .set(TrapDetails.CAPABILITY_MASK, info.get(PortInfo.CAPABILITY_MASK))
                .set(TrapDetails.CHANGE_FLAGS, flags);
        traps.send(node, port, notice);
    }

    private static Notice notice(SimulatedNode node, int port, int number) {
        return Notice.TYPE
                .create()
                .set(Notice.IS_GENERIC, 1)
                .set(Notice.TYPE_CODE, number == Notice.LINK_STATE ? 1 : number == Notice.BAD_M_KEY ? 2 : 4)
                .set(Notice.PRODUCER_TYPE, node.isSwitch() ? Notice.FROM_SWITCH : Notice.FROM_CA)
                .set(Notice.TRAP_NUMBER, number)
                .set(Notice.ISSUER_LID, node.livePort(port).get(PortInfo.LID));
    }

    /** Sends a trap, if the port knows who it is and where the SM is. */
    private boolean sendTrap(int node, int port, Mad mad) {
        PortInfo info = nodes[node].livePort(port);
        int sm = info.getInt(PortInfo.MASTER_SM_LID);
        if (sm == 0 || !info.isSet(PortInfo.LID)) {
            return false;
        }
        // It may be sent again.
        sendByLid(fabric.portIndex(node, port), mad.copy(), MadAddress.smp(sm));
        return true;
    }

    private final class Effects implements Agent.Effects {
        @Override
        public void retrain(SimulatedNode node, int port, boolean off) {
            int index = fabric.portIndex(node.index(), port);
            pulled[index] = off;
            node.livePort(port)
                    .set(PortInfo.PHYSICAL_STATE, off ? PortInfo.PHYSICAL_DISABLED : PortInfo.PHYSICAL_POLLING);
            linkDown(index);
            if (!off) {
                linkUp(index);
            }
        }

        @Override
        public void badKey(SimulatedNode node, int port, Mad request, long key) {
            PortInfo info = node.livePort(port);
            info.set(PortInfo.M_KEY_VIOLATIONS, Math.min(0xFFFF, info.get(PortInfo.M_KEY_VIOLATIONS) + 1));
            Notice notice = notice(node, port, Notice.BAD_M_KEY);
            notice.details()
                    .set(TrapDetails.M_KEY_LID, info.get(PortInfo.LID))
                    .set(TrapDetails.M_KEY_METHOD, request.get(Mad.METHOD))
                    .set(TrapDetails.M_KEY_ATTRIBUTE, request.attributeId())
                    .set(TrapDetails.M_KEY_MODIFIER, request.get(Mad.ATTRIBUTE_MODIFIER))
                    .set(TrapDetails.M_KEY, key)
                    .set(TrapDetails.M_KEY_DIRECTED, request.mgmtClass() == MgmtClass.SMP_DIRECTED ? 1 : 0);
            traps.send(node.index(), port, notice);
            long attacked = info.get(PortInfo.M_KEY);
            long lease = info.get(PortInfo.M_KEY_LEASE) * 1_000_000_000L;
            if (lease > 0) {
                long shown = node.keysShown(port);
                loop.schedule(lease, () -> {
                    if (node.keysShown(port) == shown) {
                        leaseOver(info, attacked);
                    }
                });
            }
        }
    }

    /** A key that was attacked is void after a lease period in which nobody has shown it (spec 40 §7). */
    private static void leaseOver(PortInfo info, long attacked) {
        if (info.get(PortInfo.M_KEY) == attacked) {
            info.set(PortInfo.M_KEY_PROTECT, 0).set(PortInfo.M_KEY, 0);
        }
    }

    void markSm(int port, boolean isSm) {
        PortInfo info = livePort(port);
        long without = info.get(PortInfo.CAPABILITY_MASK) & ~PortInfo.CAP_IS_SM;
        long mask = isSm ? without | PortInfo.CAP_IS_SM : without;
        if (mask != info.get(PortInfo.CAPABILITY_MASK)) {
            info.set(PortInfo.CAPABILITY_MASK, mask);
            localChange(fabric.nodeOf(port), fabric.portNumber(port), 0);
        }
    }

    // Ways.

    /** The cables that a MAD takes: the port indices that it leaves by, in their order. */
    private static final class Way {
        private final int node;
        private final int ingress;
        /** Port indices of the ports that it leaves by; never changed. */
        private final int[] egress;

        Way(int node, int ingress, int[] egress) {
            this.node = node;
            this.ingress = ingress;
            this.egress = egress;
        }
    }

    /** Sends a MAD of an attached port, which belongs to the subnet from now on. */
    void send(int port, Mad mad, MadAddress to) {
        if (mad.mgmtClass() != MgmtClass.SMP_DIRECTED) {
            sendByLid(port, mad, to);
        } else if (mad.directedRoute().isSet(DirectedRoute.DIRECTION)) {
            sendBack(port, mad);
        } else {
            sendDirected(port, mad);
        }
    }

    private void sendDirected(int port, Mad mad) {
        Way way = directedWay(port, mad.directedRoute());
        if (way == null) {
            undeliverable++;
            return;
        }
        deliver(way, mad, MadAddress.DIRECTED);
    }

    /** Follows the path, and writes the return path on the way. */
    private @Nullable Way directedWay(int port, DirectedRoute route) {
        int hops = route.getInt(DirectedRoute.HOP_COUNT);
        if (hops >= MAX_HOPS) {
            return null;
        }
        int node = fabric.nodeOf(port);
        int ingress = fabric.portNumber(port);
        int[] egress = new int[hops];
        for (int hop = 1; hop <= hops; hop++) {
            int out = route.egress(hop);
            // A channel adapter does not forward: its own SMPs leave by the port that they are sent from.
            boolean leaves = fabric.isSwitch(node) ? out >= 1 && out <= fabric.ports(node) : hop == 1 && out == ingress;
            int from = leaves ? fabric.portIndex(node, out) : 0;
            if (!leaves || !up[from]) {
                return null;
            }
            egress[hop - 1] = from;
            int next = fabric.cable(from);
            node = fabric.nodeOf(next);
            ingress = fabric.portNumber(next);
            route.setIngress(hop, ingress);
        }
        return new Way(node, ingress, egress);
    }

    /** Sends an answer along the return path. */
    private void sendBack(int port, Mad mad) {
        DirectedRoute route = mad.directedRoute();
        int hops = route.getInt(DirectedRoute.HOP_COUNT);
        int node = fabric.nodeOf(port);
        int ingress = fabric.portNumber(port);
        int[] egress = new int[hops];
        for (int hop = hops; hop >= 1; hop--) {
            int out = hop < MAX_HOPS ? route.ingress(hop) : 0;
            int from = out >= 1 && out <= fabric.ports(node) ? fabric.portIndex(node, out) : -1;
            if (from < 0 || !up[from]) {
                undeliverable++;
                return;
            }
            egress[hops - hop] = from;
            int next = fabric.cable(from);
            node = fabric.nodeOf(next);
            ingress = fabric.portNumber(next);
        }
        deliver(new Way(node, ingress, egress), mad, MadAddress.DIRECTED);
    }

    private void sendByLid(int port, Mad mad, MadAddress to) {
        Way way = lidWay(port, to.lid(), to.qpn() == 0 ? PortState.INIT : PortState.ACTIVE);
        if (way == null) {
            undeliverable++;
            return;
        }
        int lid = livePort(port).getInt(PortInfo.LID);
        MadAddress from = new MadAddress(lid, to.qpn(), 0, to.sl(), 0, 0, to.gid());
        deliver(way, mad, from);
    }

    private @Nullable Way lidWay(int port, int lid, PortState needed) {
        int node = fabric.nodeOf(port);
        int at = fabric.portNumber(port);
        if (nodes[node].hasLid(at, lid)) {
            return new Way(node, at, NO_PORTS);
        }
        int out = fabric.isSwitch(node) ? nextPort(node, lid) : at;
        int[] egress = new int[MAX_HOPS];
        int hops = 0;
        while (hops < MAX_HOPS && out >= 1 && out <= nodes[node].lastPort()) {
            int from = fabric.portIndex(node, out);
            int next = fabric.cable(from);
            if (!up[from]
                    || livePort(from).state().compareTo(needed) < 0
                    || livePort(next).state().compareTo(needed) < 0) {
                return null;
            }
            egress[hops++] = from;
            node = fabric.nodeOf(next);
            int ingress = fabric.portNumber(next);
            if (nodes[node].hasLid(nodes[node].isSwitch() ? 0 : ingress, lid)) {
                return new Way(node, ingress, Arrays.copyOf(egress, hops));
            }
            if (!fabric.isSwitch(node)) {
                return null;
            }
            out = nextPort(node, lid);
        }
        return null;
    }

    /** Returns the port that a switch sends a LID to, 0 if to none. */
    private int nextPort(int node, int lid) {
        int top = nodes[node].liveSwitchInfo().getInt(SwitchInfo.LINEAR_TOP);
        int out = lid > top ? 0 : nodes[node].forward(lid);
        return out > nodes[node].lastPort() ? 0 : out;
    }

    // Arrivals.

    private void deliver(Way way, Mad mad, MadAddress from) {
        int copies = duplication > 0 && random.nextDouble() < duplication ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            if (loss > 0 && random.nextDouble() < loss) {
                lost++;
                continue;
            }
            long jitter = settings.jitterNanos() == 0 ? 0 : random.nextLong(settings.jitterNanos() + 1);
            long delay = (way.egress.length + 1) * settings.hopNanos() + jitter;
            loop.schedule(delay, new Arrival(way, i == 0 ? mad : mad.copy(), from));
        }
    }

    /**
     * A MAD reaches the end of its way. A class of its own, as {@link Work} is: to make a lambda with what it captures
     * costs a call of the JVM each time, until the second compiler has been there.
     */
    private final class Arrival implements Runnable {
        private final Way way;
        private final Mad mad;
        private final MadAddress from;

        Arrival(Way way, Mad mad, MadAddress from) {
            this.way = way;
            this.mad = mad;
            this.from = from;
        }

        @Override
        public void run() {
            arrive(way, mad, from);
        }
    }

    private void arrive(Way way, Mad mad, MadAddress from) {
        for (int port : way.egress) {
            if (!up[port]) {
                undeliverable++;
                return;
            }
        }
        delivered++;
        SimulatedNode node = nodes[way.node];
        if (mad.is(MadMethod.TRAP_REPRESS, false) && MgmtClass.isSmp(mad.mgmtClass())) {
            traps.repressed(way.node, mad);
        } else if (isForAgent(way, mad)) {
            work(node, way, mad, from);
        } else {
            SimulatedPort port = portAt(way);
            if (port != null) {
                port.receive(mad, from);
            }
        }
    }

    /** SMInfo is answered by an SM, and traps, reports and answers are for whoever stands at the port. */
    private boolean isForAgent(Way way, Mad mad) {
        if (mad.isResponse() || !MgmtClass.isSmp(mad.mgmtClass())) {
            return false;
        }
        int method = mad.getInt(Mad.METHOD);
        boolean smInfo = mad.isAbout(SmInfo.TYPE) && portAt(way) != null;
        return (method == MadMethod.GET.code() || method == MadMethod.SET.code()) && !smInfo;
    }

    private @Nullable SimulatedPort portAt(Way way) {
        int number = fabric.isSwitch(way.node) ? 0 : way.ingress;
        return attached[fabric.portIndex(way.node, number)];
    }

    private void work(SimulatedNode node, Way way, Mad mad, MadAddress from) {
        if (node.isSilent()) {
            return;
        }
        long done = node.enqueue(loop.nanoTime(), settings);
        if (done < 0) {
            overrun++;
            return;
        }
        loop.schedule(done - loop.nanoTime(), new Work(node, way, mad, from));
    }

    /** An agent has come to a request. */
    private final class Work implements Runnable {
        private final SimulatedNode node;
        private final Way way;
        private final Mad mad;
        private final MadAddress from;

        Work(SimulatedNode node, Way way, Mad mad, MadAddress from) {
            this.node = node;
            this.way = way;
            this.mad = mad;
            this.from = from;
        }

        @Override
        public void run() {
            node.dequeue();
            Mad answer = agent.handle(node, way.ingress, mad);
            if (answer != null) {
                int port = fabric.portIndex(node.index(), node.isSwitch() ? 0 : way.ingress);
                send(port, node.tampered(answer), from.forAnswer(mad.mgmtClass()));
            }
        }
    }
}
