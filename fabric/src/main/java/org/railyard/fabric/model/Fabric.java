package org.railyard.fabric.model;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * An InfiniBand subnet: nodes, ports, cables, GUIDs, LIDs, capabilities (spec 30 §1.1).
 *
 * <p>Everything is an index. <em>Nodes</em> are 0 … {@link #nodeCount()} − 1, switches first, each kind in ascending
 * order of (unsigned) node GUID, so that {@code node < switchCount()} means switch, and the index of a switch is its
 * index in every table. Each node has the <em>port indices</em> {@code portIndex(node, 0) … portIndex(node,
 * ports(node))}: port 0 is a switch's management port and an unused slot elsewhere.
 *
 * <p>Immutable, for any thread.
 */
public final class Fabric {
    /** Most nodes of a fabric. */
    public static final int MAX_NODES = 100_000;

    /** Most ports of a node, without port 0. */
    public static final int MAX_PORTS = 254;

    /** No port, no node. */
    public static final int NONE = -1;

    private final int switchCount;
    private final NodeTable nodes;
    private final PortTable ports;
    private final int maxLid;
    /** Port index by LID, NONE where the LID belongs to nobody. */
    private final int[] portOfLid;

    Fabric(int switchCount, NodeTable nodes, PortTable ports) {
        this.switchCount = switchCount;
        this.nodes = nodes;
        this.ports = ports;
        int max = 0;
        for (int port = 0; port < ports.count(); port++) {
            if (ports.lid[port] != 0) {
                max = Math.max(max, ports.lid[port] + (1 << ports.lmc[port]) - 1);
            }
        }
        if (max > Lids.MAX_UNICAST) {
            throw new FabricException("LID 0x%04x is beyond the unicast range".formatted(max));
        }
        this.maxLid = max;
        this.portOfLid = new int[max + 1];
        Arrays.fill(portOfLid, NONE);
        for (int port = 0; port < ports.count(); port++) {
            for (int offset = 0; ports.lid[port] != 0 && offset < 1 << ports.lmc[port]; offset++) {
                int lid = ports.lid[port] + offset;
                if (portOfLid[lid] != NONE) {
                    throw new FabricException("LID 0x%04x belongs to %s and to %s"
                            .formatted(lid, portName(portOfLid[lid]), portName(port)));
                }
                portOfLid[lid] = port;
            }
        }
    }

    /** Returns how many switches there are; they are the nodes 0 … n − 1. */
    public int switchCount() {
        return switchCount;
    }

    /** Returns how many nodes there are. */
    public int nodeCount() {
        return nodes.guid.length;
    }

    /** Returns how many port indices there are, slots of port 0 included. */
    public int portCount() {
        return ports.count();
    }

    /** Returns what the node is. */
    public NodeType type(int node) {
        return nodes.type[node];
    }

    /** Returns whether the node is a switch. */
    public boolean isSwitch(int node) {
        return node < switchCount;
    }

    /** Returns the node GUID. */
    public long guid(int node) {
        return nodes.guid[node];
    }

    /** Returns the system image GUID. */
    public long systemGuid(int node) {
        return nodes.systemGuid[node];
    }

    /** Returns the node description as people read it, safe to print, see {@link NodeText#of}. */
    public String description(int node) {
        return nodes.description[node];
    }

    /** Returns the node description as devices and files have it, a character for each byte. */
    public String rawDescription(int node) {
        return nodes.rawDescription[node];
    }

    /** Returns vendor, device and revision. */
    public Hardware hardware(int node) {
        return nodes.hardware[node];
    }

    /** Returns whether the port 0 of a switch is an enhanced one, with data VLs of its own. */
    public boolean enhancedPort0(int node) {
        return nodes.enhancedPort0[node];
    }

    /** Returns the number of the last port, 1 … {@value #MAX_PORTS}. */
    public int ports(int node) {
        return nodes.firstPort[node + 1] - nodes.firstPort[node] - 1;
    }

    /** Returns the node with this GUID, or {@link #NONE}. */
    public int nodeOfGuid(long guid) {
        int found = nodes.find(guid, 0, switchCount);
        return found != NONE ? found : nodes.find(guid, switchCount, nodeCount());
    }

    /** Returns the index of a port of a node; port 0 … {@link #ports(int)}. */
    public int portIndex(int node, int port) {
        if (port < 0 || port > ports(node)) {
            throw noPort(node, port);
        }
        return nodes.firstPort[node] + port;
    }

    /** Apart, so that what is called for each port stays short. */
    private IndexOutOfBoundsException noPort(int node, int port) {
        return new IndexOutOfBoundsException("port " + port + " of " + description(node));
    }

    /** Returns the node that the port index belongs to. */
    public int nodeOf(int port) {
        return ports.node[port];
    }

    /** Returns the port's number on its node. */
    public int portNumber(int port) {
        return port - nodes.firstPort[ports.node[port]];
    }

    /** Returns the port at the other end of a cable that is not down, or {@link #NONE}. This is what routing sees. */
    public int peer(int port) {
        int other = ports.cable[port];
        return other != NONE && ports.state[port] != LinkState.DOWN && ports.state[other] != LinkState.DOWN
                ? other
                : NONE;
    }

    /** Returns whether a switch passes packets through this port of its own: port 0, or one that has a peer. */
    public boolean isInUse(int port) {
        return portNumber(port) == 0 || peer(port) != NONE;
    }

    /** Returns the port at the other end of the cable, whatever its state, or {@link #NONE}. */
    public int cable(int port) {
        return ports.cable[port];
    }

    /** Returns the state of the port's link. */
    public LinkState state(int port) {
        return ports.state[port];
    }

    /** Returns the port GUID: of port 0 on a switch, of each port elsewhere; 0 where there is none. */
    public long portGuid(int port) {
        return ports.guid[port];
    }

    /** Returns the base LID of port 0 of a switch or of a port of another node; 0 = none. */
    public int lid(int port) {
        return ports.lid[port];
    }

    /** Returns the LMC: the port has 2^LMC LIDs from its base LID on. */
    public int lmc(int port) {
        return ports.lmc[port];
    }

    /** Returns VLCap: 1 = 1, 2 = 2, 3 = 4, 4 = 8, 5 = 15 data VLs. */
    public int vlCap(int port) {
        return ports.vlCap[port];
    }

    /** Returns OperVLs, coded like {@link #vlCap(int)}. */
    public int operVls(int port) {
        return ports.operVls[port];
    }

    /** Returns the lanes of the link: 1, 2, 4, 8, 12. */
    public int width(int port) {
        return ports.width[port];
    }

    /** Returns the speed of the link. */
    public LinkSpeed speed(int port) {
        return ports.speed[port];
    }

    /** Returns whether a cable of the node carries anything: a switch without one is as good as switched off. */
    public boolean isConnected(int node) {
        for (int port = nodes.firstPort[node]; port < nodes.firstPort[node + 1]; port++) {
            if (peer(port) != NONE) {
                return true;
            }
        }
        return false;
    }

    /** Returns the largest LID in use, 0 when there is none. */
    public int maxLid() {
        return maxLid;
    }

    /** Returns the port that a unicast LID belongs to, or {@link #NONE}. */
    public int portOfLid(int lid) {
        return lid >= 0 && lid <= maxLid ? portOfLid[lid] : NONE;
    }

    /** Returns whether packets start and end at the port: port 0 of a switch, ports 1 … of other nodes. */
    public boolean isEndPort(int port) {
        return isSwitch(ports.node[port]) == (portNumber(port) == 0);
    }

    /** Returns all end ports of CAs and routers that have a LID and are in a cable to a switch, ascending. */
    public List<Integer> hosts() {
        return IntStream.range(0, portCount())
                .filter(port -> isEndPort(port) && lid(port) != 0 && switchOf(port) != NONE && !isSwitch(nodeOf(port)))
                .boxed()
                .toList();
    }

    /**
     * Returns the switch that serves an end port: the switch itself for its port 0, the one at the other end of the
     * cable for others; {@link #NONE} if there is none.
     */
    public int switchOf(int endPort) {
        return switchOfEnd(endPort, false);
    }

    /**
     * Returns the number of the switch port towards an end port, 0 for the switch's own port 0, {@link #NONE} if no
     * switch serves it.
     */
    public int switchPortOf(int endPort) {
        return switchOfEnd(endPort, true);
    }

    private int switchOfEnd(int endPort, boolean number) {
        int at = isSwitch(ports.node[endPort]) ? endPort : peer(endPort);
        if (at == NONE || !isSwitch(ports.node[at])) {
            return NONE;
        }
        return number ? portNumber(at) : ports.node[at];
    }

    /** Returns a port as people write it: description and number. */
    public String portName(int port) {
        return description(ports.node[port]) + "/" + portNumber(port);
    }

    /**
     * Returns the same fabric with other LIDs.
     *
     * @param lid base LID by port index, 0 = none
     * @param lmc LMC by port index
     * @throws FabricException if LIDs overlap or leave the unicast range
     */
    public Fabric withLids(int[] lid, int[] lmc) {
        PortTable changed = ports.withLids(lid, lmc);
        return new Fabric(switchCount, nodes, changed);
    }

    /**
     * Returns the same fabric after failures: LIDs stay, the cables of these ports carry nothing any more.
     *
     * @param ports port indices; of a cable one end is enough
     */
    public Fabric withLinksDown(BitSet ports) {
        return new Fabric(switchCount, nodes, this.ports.withDown(ports));
    }
}
