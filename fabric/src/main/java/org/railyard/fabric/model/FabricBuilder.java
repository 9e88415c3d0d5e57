package org.railyard.fabric.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Collects nodes and cables in any order and makes a {@link Fabric} of them. For one thread.
 *
 * <p>What is not told has these values: no LID, LMC 0, 8 data VLs, width 4, speed SDR, port GUIDs = node GUID (switch)
 * or node GUID + port number, none if the port has no cable and another one has that GUID, state active where there is
 * a cable and down elsewhere, OperVLs = the smaller VLCap of both ends.
 */
public final class FabricBuilder {
    private static final int EIGHT_DATA_VLS = 4;
    private static final int MAX_VL_CODE = 5;

    private final List<NodeBuilder> nodes = new ArrayList<>();

    /** Makes a builder with nothing in it. */
    public FabricBuilder() {}

    /**
     * Adds a node.
     *
     * @param guid node GUID, unique
     * @param ports number of its last port, 1 … {@link Fabric#MAX_PORTS}
     * @param description as devices and files have it, a character for each byte
     * @throws FabricException if there are too many ports or nodes
     */
    public NodeBuilder node(NodeType type, long guid, int ports, String description) {
        if (ports < 1 || ports > Fabric.MAX_PORTS) {
            throw new FabricException("%s: %d ports, not 1 to %d".formatted(description, ports, Fabric.MAX_PORTS));
        }
        if (nodes.size() == Fabric.MAX_NODES) {
            throw new FabricException("more than " + Fabric.MAX_NODES + " nodes");
        }
        NodeBuilder node = new NodeBuilder(type, guid, ports, description);
        nodes.add(node);
        return node;
    }

    /**
     * Puts a cable between two ports.
     *
     * @throws FabricException if a port does not exist or has a cable already
     */
    public void connect(NodeBuilder a, int portA, NodeBuilder b, int portB) {
        PortBuilder end = a.cablePort(portA);
        PortBuilder other = b.cablePort(portB);
        if (end == other) {
            throw new FabricException(a.description + ": port " + portA + " is connected to itself");
        }
        end.connect(other);
        other.connect(end);
    }

    /**
     * Makes the fabric.
     *
     * @throws FabricException if two nodes have one GUID, or LIDs overlap
     */
    public Fabric build() {
        List<NodeBuilder> sorted = new ArrayList<>(nodes);
        sorted.sort(Comparator.comparing((NodeBuilder node) -> node.type != NodeType.SWITCH)
                .thenComparing((a, b) -> Long.compareUnsigned(a.guid, b.guid)));
        refuseDoubles();
        clearAssumed();
        NodeTable nodeTable = new NodeTable(sorted.size());
        int switches = 0;
        int next = 0;
        for (int i = 0; i < sorted.size(); i++) {
            NodeBuilder node = sorted.get(i);
            switches += node.type == NodeType.SWITCH ? 1 : 0;
            nodeTable.type[i] = node.type;
            nodeTable.guid[i] = node.guid;
            nodeTable.systemGuid[i] = node.systemGuid;
            nodeTable.description[i] = node.description;
            nodeTable.rawDescription[i] = node.rawDescription;
            nodeTable.hardware[i] = node.hardware;
            nodeTable.enhancedPort0[i] = node.enhancedPort0;
            nodeTable.firstPort[i] = next;
            for (PortBuilder port : node.ports) {
                port.index = next++;
            }
        }
        nodeTable.firstPort[sorted.size()] = next;
        return new Fabric(switches, nodeTable, portTable(sorted, next));
    }

    private void refuseDoubles() {
        List<NodeBuilder> byGuid = new ArrayList<>(nodes);
        byGuid.sort((a, b) -> Long.compareUnsigned(a.guid, b.guid));
        for (int i = 1; i < byGuid.size(); i++) {
            NodeBuilder one = byGuid.get(i - 1);
            NodeBuilder two = byGuid.get(i);
            if (one.guid == two.guid) {
                throw new FabricException(
                        "GUID 0x%016x belongs to %s and to %s".formatted(one.guid, one.description, two.description));
            }
        }
    }

    /** Nodes may have been given GUIDs that ports out of use were taken to have: those are not there. */
    private void clearAssumed() {
        List<PortBuilder> assumed = new ArrayList<>();
        for (NodeBuilder node : nodes) {
            for (PortBuilder port : node.ports) {
                if (port.guid != 0 && port.isAssumed()) {
                    assumed.add(port);
                }
            }
        }
        if (assumed.isEmpty()) {
            return;
        }
        Set<Long> known = new TreeSet<>();
        for (NodeBuilder node : nodes) {
            for (PortBuilder port : node.ports) {
                if (!port.isAssumed()) {
                    known.add(port.guid);
                }
            }
        }
        for (PortBuilder port : assumed) {
            if (known.contains(port.guid)) {
                port.guid = 0;
            }
        }
    }

    private static PortTable portTable(List<NodeBuilder> sorted, int count) {
        PortTable table = new PortTable(count);
        for (int i = 0; i < sorted.size(); i++) {
            for (PortBuilder port : sorted.get(i).ports) {
                int index = port.index;
                PortBuilder other = port.cable;
                table.node[index] = i;
                table.guid[index] = port.guid;
                table.lid[index] = (char) port.lid;
                table.lmc[index] = (byte) port.lmc;
                table.vlCap[index] = (byte) port.vlCap;
                table.width[index] = (byte) port.width;
                table.speed[index] = port.speed;
                if (other != null) {
                    table.cable[index] = other.index;
                    table.state[index] = port.state == null ? LinkState.ACTIVE : port.state;
                    table.operVls[index] =
                            (byte) (port.operVls == 0 ? Math.min(port.vlCap, other.vlCap) : port.operVls);
                } else {
                    table.state[index] = port.state == null ? LinkState.DOWN : port.state;
                    table.operVls[index] = (byte) (port.operVls == 0 ? port.vlCap : port.operVls);
                }
            }
        }
        return table;
    }

    /** One node before the fabric is made. */
    public static final class NodeBuilder {
        private final NodeType type;
        private final long guid;
        private final String description;
        private final String rawDescription;
        private final PortBuilder[] ports;
        private long systemGuid;
        private Hardware hardware = Hardware.UNKNOWN;
        private boolean enhancedPort0;

        private NodeBuilder(NodeType type, long guid, int lastPort, String rawDescription) {
            this.type = type;
            this.guid = guid;
            this.systemGuid = guid;
            this.description = NodeText.of(rawDescription);
            this.rawDescription = rawDescription;
            this.ports = new PortBuilder[lastPort + 1];
            for (int port = 0; port <= lastPort; port++) {
                ports[port] = new PortBuilder(description, port);
                if (type == NodeType.SWITCH) {
                    ports[port].guid = port == 0 ? guid : 0;
                } else {
                    ports[port].guid = port == 0 ? 0 : guid + port;
                }
            }
        }

        /** Sets the system image GUID. */
        public NodeBuilder systemGuid(long systemGuid) {
            this.systemGuid = systemGuid;
            return this;
        }

        /** Sets vendor, device and revision. */
        public NodeBuilder hardware(Hardware hardware) {
            this.hardware = hardware;
            return this;
        }

        /** Sets whether port 0 of a switch is an enhanced one. */
        public NodeBuilder enhancedPort0(boolean enhancedPort0) {
            this.enhancedPort0 = enhancedPort0;
            return this;
        }

        /** Returns what the node is. */
        public NodeType type() {
            return type;
        }

        /** Returns the number of the last port. */
        public int lastPort() {
            return ports.length - 1;
        }

        /**
         * Returns a port, from 0.
         *
         * @throws FabricException if there is none
         */
        public PortBuilder port(int port) {
            if (port < 0 || port >= ports.length) {
                throw new FabricException(description + ": no port " + port);
            }
            return ports[port];
        }

        private PortBuilder cablePort(int port) {
            if (port == 0) {
                throw new FabricException(description + ": port 0 takes no cable");
            }
            return port(port);
        }
    }

    /** One port before the fabric is made. */
    public static final class PortBuilder {
        private final String nodeName;
        private final int number;
        private int index;
        private @Nullable PortBuilder cable;
        private long guid;
        private boolean guidTold;
        private int lid;
        private int lmc;
        private int vlCap = EIGHT_DATA_VLS;
        private int operVls;
        private int width = 4;
        private LinkSpeed speed = LinkSpeed.SDR;
        private @Nullable LinkState state;

        private PortBuilder(String nodeName, int number) {
            this.nodeName = nodeName;
            this.number = number;
        }

        private void connect(PortBuilder other) {
            if (cable != null) {
                throw new FabricException(nodeName + ": port " + number + " has two cables");
            }
            cable = other;
        }

        /** Returns whether a cable is in the port. */
        public boolean isConnected() {
            return cable != null;
        }

        /** Tells whether nobody has said that its GUID is there: it is not told, and the port is out of use. */
        private boolean isAssumed() {
            return number != 0 && !guidTold && cable == null;
        }

        /** Returns the base LID, 0 as long as there is none. */
        public int lid() {
            return lid;
        }

        /** Sets the port GUID. */
        public PortBuilder guid(long guid) {
            this.guid = guid;
            guidTold = true;
            return this;
        }

        /**
         * Sets base LID and LMC.
         *
         * @throws FabricException if they leave the unicast range
         */
        public PortBuilder lid(int lid, int lmc) {
            LidRange.check(lid, lmc);
            this.lid = lid;
            this.lmc = lmc;
            return this;
        }

        /** Sets VLCap, 1 … 5. */
        public PortBuilder vlCap(int vlCap) {
            this.vlCap = vlCode(vlCap);
            return this;
        }

        /** Sets OperVLs, 1 … 5. */
        public PortBuilder operVls(int operVls) {
            this.operVls = vlCode(operVls);
            return this;
        }

        private int vlCode(int code) {
            if (code < 1 || code > MAX_VL_CODE) {
                throw new FabricException(nodeName + ": VL code " + code + " is not 1 to " + MAX_VL_CODE);
            }
            return code;
        }

        /** Sets lanes and speed of a lane. */
        public PortBuilder link(int width, LinkSpeed speed) {
            this.width = width;
            this.speed = speed;
            return this;
        }

        /** Sets the state of the link. */
        public PortBuilder state(LinkState state) {
            this.state = state;
            return this;
        }
    }
}
