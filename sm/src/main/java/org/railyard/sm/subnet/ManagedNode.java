package org.railyard.sm.subnet;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.NodeText;
import org.railyard.fabric.route.PathSls;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.wire.DirectedPath;

/** A node: what it said when it was last asked, how it is reached, and what it holds. For one thread. */
public final class ManagedNode {
    private NodeInfo info;
    private final int lastPort;
    private final HeldTables held;
    private String description = "";

    /** The same as people read it. */
    private String text = "";

    /** Whether it has told that its description is another one. */
    private boolean renamed;

    private @Nullable SwitchInfo switchInfo;
    private @Nullable PortInfo[] ports;
    private final long[] portGuids;
    private @Nullable ManagedNode[] peers;
    private int[] peerPorts;
    private @Nullable Earlier earlier;
    private final @Nullable DirectedPath[] paths;
    private final int[] lastLids;
    private final int[] lastMasters;
    private final @Nullable String[] neighbours;
    private final @Nullable Host[] hosts;
    private boolean lost;

    /** Since when it does not say who it is, ns, by the ports by which it was asked. */
    private final Map<Integer, Long> silentSince = new TreeMap<>();

    /** Whether ports may have changed without a trace in SwitchInfo since they were read. */
    private boolean stale = true;

    /** Ports whose link the subnet manager has brought up in this sweep. */
    private BitSet raised = new BitSet();

    /** End ports whose clients have to register again, and that have not been told to. */
    private final BitSet toRegister = new BitSet();

    /** Ports whose link the subnet manager has taken down so that it comes up with other parameters. */
    private final BitSet restarted = new BitSet();

    /** What was said in the sweep before. */
    private record Earlier(
            @Nullable SwitchInfo switchInfo,
            @Nullable PortInfo[] ports,
            @Nullable ManagedNode[] peers,
            int[] peerPorts,
            BitSet raised) {}

    /** Makes a node of its first NodeInfo, which was checked. */
    public ManagedNode(NodeInfo info) {
        this.info = NodeInfo.TYPE.copy(info);
        this.lastPort = info.getInt(NodeInfo.NUM_PORTS);
        this.held = new HeldTables(lastPort);
        this.ports = new PortInfo[lastPort + 1];
        this.portGuids = new long[lastPort + 1];
        this.peers = new ManagedNode[lastPort + 1];
        this.peerPorts = new int[lastPort + 1];
        this.paths = new DirectedPath[lastPort + 1];
        this.lastLids = new int[lastPort + 1];
        this.lastMasters = new int[lastPort + 1];
        this.neighbours = new String[lastPort + 1];
        this.hosts = new Host[lastPort + 1];
    }

    /** Returns whether an answer can be of this node: the same kind with as many ports. */
    public boolean isSame(NodeInfo other) {
        return other.get(NodeInfo.NODE_GUID) == guid()
                && other.get(NodeInfo.NODE_TYPE) == info.get(NodeInfo.NODE_TYPE)
                && other.getInt(NodeInfo.NUM_PORTS) == lastPort
                && (!isSwitch() || other.get(NodeInfo.PORT_GUID) == info.get(NodeInfo.PORT_GUID));
    }

    /** Begins a sweep: what was said of ports and cables counts as earlier; tables stay known. */
    public void beginSweep() {
        earlier = new Earlier(switchInfo, ports, peers, peerPorts, raised);
        switchInfo = null;
        lost = false;
        raised = new BitSet();
        ports = new PortInfo[lastPort + 1];
        peers = new ManagedNode[lastPort + 1];
        peerPorts = new int[lastPort + 1];
        Arrays.fill(paths, null);
    }

    /** Forgets what was said before this sweep, but for the names of neighbours. */
    public void endSweep() {
        earlier = null;
        for (int port = 0; port <= lastPort(); port++) {
            ManagedNode peer = peers[port];
            if (peer != null) {
                neighbours[port] = peer.name();
            }
        }
    }

    /** Returns the name of the node that was last found behind a port; null if none ever was. */
    public @Nullable String lastNeighbour(int port) {
        return neighbours[port];
    }

    /**
     * A host that was routed.
     *
     * @param lid its LID
     * @param sls by which it was told the SLs of its paths
     */
    public record Host(int lid, PathSls sls) {}

    /** Returns the host behind a port when this one was last routed to anything; null if there was none. */
    public @Nullable Host lastHost(int port) {
        return hosts[port];
    }

    /** Notes what a port was routed to: a host, or null for a switch. */
    public void lastHost(int port, @Nullable Host host) {
        hosts[port] = host;
    }

    /** Returns whether all its ports were read, and SwitchInfo would tell if one had changed since. */
    public boolean isCurrent() {
        return !stale;
    }

    /** Says whether SwitchInfo would tell of a change since ports were read. */
    public void current(boolean would) {
        stale = !would;
    }

    /** Takes over what the port said in the sweep before; does nothing if it said nothing. */
    public void keepPort(int port) {
        ports[port] = earlier == null ? null : earlier.ports[port];
    }

    /** Returns what the switch said of itself in the sweep before; null if it said nothing. */
    public @Nullable SwitchInfo earlierSwitchInfo() {
        return earlier == null ? null : earlier.switchInfo;
    }

    /** Returns the state that a port's link had in the sweep before, down if it is not known. */
    public PortState earlierState(int port) {
        PortInfo said = earlier == null ? null : earlier.ports[port];
        return said == null ? PortState.DOWN : said.state();
    }

    /**
     * Returns whether it may have been switched off since it was read in the sweep before: of the links that were up
     * then at least one went down, and none has been up all the time.
     */
    public boolean mayBeReset() {
        boolean fell = false;
        for (int port = 1; port <= lastPort; port++) {
            boolean wasUp = earlierState(port).compareTo(PortState.INIT) > 0;
            if (wasUp && earlier != null && !earlier.raised.get(port)) {
                if (state(port).compareTo(PortState.INIT) > 0) {
                    return false;
                }
                fell = true;
            }
        }
        return fell;
    }

    /** Notes that the subnet manager has brought the link of a port up. */
    public void raise(int port) {
        raised.set(port);
    }

    /** Notes that the subnet manager has taken the link of a port down so that it comes up with other parameters. */
    public void restarted(int port) {
        restarted.set(port);
    }

    /** Forgets that, because links may have to come up with others again. */
    public void mayRestart() {
        restarted.clear();
    }

    /** Returns whether it ever has. */
    public boolean wasRestarted(int port) {
        return restarted.get(port);
    }

    /** Returns the node that was at the other end of a port's cable in the sweep before; null if there was none. */
    public @Nullable ManagedNode earlierPeer(int port) {
        return earlier == null ? null : earlier.peers[port];
    }

    /** Returns the node at the other end of a port's cable as it is known, or was in the sweep before; null if none. */
    public @Nullable ManagedNode lastPeer(int port) {
        ManagedNode before = earlierPeer(port);
        return before == null ? peers[port] : before;
    }

    /** Returns the port of {@link #lastPeer} at the other end of a port's cable; 0 if there is none. */
    public int lastPeerPort(int port) {
        return earlierPeer(port) == null ? peerPorts[port] : earlierPeerPort(port);
    }

    /** Returns the port that was at the other end of a port's cable in the sweep before; 0 if there was none. */
    public int earlierPeerPort(int port) {
        return earlier == null ? 0 : earlier.peerPorts[port];
    }

    /** Returns NodeInfo as it came first in the last sweep that asked for it. */
    public NodeInfo info() {
        return info;
    }

    /** Takes over what the same node says now: what it said before may have been wrong, or of other firmware. */
    public void info(NodeInfo said) {
        info = NodeInfo.TYPE.copy(said);
    }

    /** Returns the GUID of the node. */
    public long guid() {
        return info.get(NodeInfo.NODE_GUID);
    }

    /** Returns whether it is a switch. */
    public boolean isSwitch() {
        return info.isSwitch();
    }

    /** Returns the number of its last port, 1 … {@link Fabric#MAX_PORTS}. */
    public int lastPort() {
        return lastPort;
    }

    /** Returns the description as the node said it, a character for each byte. */
    public String description() {
        return description;
    }

    /** Sets the description as the node said it. */
    public void description(String said) {
        description = said;
        text = NodeText.of(said);
        renamed = false;
    }

    /** Notes that the node has told that its description is another one. */
    public void rename() {
        renamed = true;
    }

    /** Returns whether the description is not known, or no longer right. */
    public boolean hasToTellName() {
        return renamed || description.isEmpty();
    }

    /** Returns description, or GUID where there is none, and port as messages have them. */
    public String portName(int port) {
        return name() + "[" + port + "]";
    }

    /** Returns the description, safe to print, or the GUID where there is none. */
    public String name() {
        // Asked for with each question; a formatter would take longer than the rest of the question.
        return text.isEmpty() ? "0x" + HexFormat.of().toHexDigits(guid()) : text;
    }

    /** Returns SwitchInfo; null of other nodes and while it is not known. */
    public @Nullable SwitchInfo switchInfo() {
        return switchInfo;
    }

    /** Sets SwitchInfo as it was read or acknowledged. */
    public void switchInfo(SwitchInfo said) {
        switchInfo = SwitchInfo.TYPE.copy(said);
    }

    /** Returns PortInfo; null while it is not known. */
    public @Nullable PortInfo port(int port) {
        return ports[port];
    }

    /** Sets PortInfo as it was read or acknowledged. */
    public void port(int port, PortInfo said) {
        ports[port] = PortInfo.TYPE.copy(said);
    }

    /** Returns the state of a port's link, down if it is not known. */
    public PortState state(int port) {
        PortInfo said = ports[port];
        return said == null ? PortState.DOWN : said.state();
    }

    /** Returns a port's GUID, 0 if it is not known or the port has none. */
    public long portGuid(int port) {
        return portGuids[port];
    }

    /** Sets the GUID of the port that an answer came from; of a switch it is that of port 0. */
    public void portGuid(int port, long guid) {
        portGuids[isSwitch() ? 0 : port] = guid;
    }

    /** Returns the node at the other end of a port's cable; null if there is none. */
    public @Nullable ManagedNode peer(int port) {
        return peers[port];
    }

    /** Returns the port at the other end of a port's cable; 0 if there is none. */
    public int peerPort(int port) {
        return peerPorts[port];
    }

    /** Notes a cable, at both ends. */
    public void connect(int port, ManagedNode other, int otherPort) {
        peers[port] = other;
        peerPorts[port] = otherPort;
        other.peers[otherPort] = this;
        other.peerPorts[otherPort] = port;
    }

    /** Takes a cable back, at both ends. */
    public void disconnect(int port) {
        ManagedNode other = peers[port];
        if (other != null) {
            int otherPort = peerPorts[port];
            other.peers[otherPort] = null;
            other.peerPorts[otherPort] = 0;
            peers[port] = null;
            peerPorts[port] = 0;
        }
    }

    /** Returns the path to a port: a switch is asked for all its ports by one path, others by one for each port. */
    public @Nullable DirectedPath path(int port) {
        return paths[isSwitch() ? 0 : port];
    }

    /** Sets the path to the port that was reached by it. */
    public void path(int port, DirectedPath path) {
        paths[isSwitch() ? 0 : port] = path;
    }

    /** Returns the LID that an end port acknowledged when it was last given one; 0 if that was never. */
    public int lastLid(int port) {
        return lastLids[port];
    }

    /** Returns the LID of the master that an end port acknowledged when it was last told; 0 if that was never. */
    public int lastMaster(int port) {
        return lastMasters[port];
    }

    /** Notes what an end port acknowledged: its LID, and that of the master. */
    public void given(int port, PortInfo acknowledged) {
        lastLids[port] = acknowledged.getInt(PortInfo.LID);
        lastMasters[port] = acknowledged.getInt(PortInfo.MASTER_SM_LID);
    }

    /** Notes that the clients of an end port have to register again; it may take several sweeps to tell it so. */
    public void mustRegister(int port) {
        toRegister.set(port);
    }

    /** Returns whether the clients of an end port have to register again, and it has not been told yet. */
    public boolean hasToRegister(int port) {
        return toRegister.get(port);
    }

    /** Notes that an end port acknowledged that its clients have to register again. */
    public void toldToRegister(int port) {
        toRegister.clear(port);
    }

    /** Returns the tables that it is known to hold. */
    public HeldTables held() {
        return held;
    }

    /** Returns whether packets end at a port: port 0 of a switch, the others elsewhere. */
    public boolean isEndPort(int port) {
        return isSwitch() == (port == 0);
    }

    /** Returns whether it gave no answer in this sweep: nothing more is sent to it. */
    public boolean isLost() {
        return lost;
    }

    /** Notes that it has said who it is, asked by a port. */
    public void answers(int port) {
        silentSince.remove(port);
    }

    /** Notes that it does not say who it is, and returns for how long it has not, ns: 0 the first time. */
    public long silentFor(int port, long now) {
        return now - silentSince.computeIfAbsent(port, _ -> now);
    }

    /** Returns whether it did not say who it is when it was last asked by a port: what is known of that is older. */
    public boolean isSilent(int port) {
        return silentSince.containsKey(port);
    }

    /** Notes that it gives no answers in this sweep. */
    public void lose() {
        lost = true;
    }
}
