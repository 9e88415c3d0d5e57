package org.railyard.sm.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.route.Routing;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.smp.VlArbitrationTable;

/**
 * A subnet at the end of a sweep that was routed: what was found, and what the switches were to be programmed with.
 * Nodes and ports are the indices of {@link #fabric()}, which knows GUIDs, LIDs, cables and link states; attributes are
 * there as they were last read or acknowledged.
 *
 * <p>Immutable, for any number of threads without locks: the next sweep makes a new one. What is returned as a
 * structure is a copy.
 */
public final class SubnetSnapshot {
    private final long sweep;
    private final long takenNanos;
    private final Fabric fabric;
    private final int smPort;
    private final @Nullable Routing routing;
    private final @Nullable RoutingSettings routedBy;
    private final NodeInfo[] nodeInfos;
    private final @Nullable SwitchInfo[] switchInfos;
    private final @Nullable PortInfo[] portInfos;
    private final List<List<Integer>> keys;
    private final Map<Integer, VlArbitrationTable> arbitration;
    private final Map<Long, Integer> endPorts = new LinkedHashMap<>();

    private SubnetSnapshot(Builder from) {
        this.sweep = from.sweep;
        this.takenNanos = from.takenNanos;
        this.fabric = from.fabric;
        this.smPort = from.smPort;
        this.routing = from.routing;
        this.routedBy = from.routedBy;
        this.nodeInfos = from.nodeInfos.clone();
        this.switchInfos = from.switchInfos.clone();
        this.portInfos = from.portInfos.clone();
        this.keys = List.copyOf(from.keys);
        this.arbitration = new LinkedHashMap<>(from.arbitration);
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port) && fabric.lid(port) != 0) {
                endPorts.putIfAbsent(fabric.portGuid(port), port);
            }
        }
    }

    /** Returns the number of the sweep that it was made by, from 1. */
    public long sweep() {
        return sweep;
    }

    /** Returns when that was, ns of the loop's clock. */
    public long takenNanos() {
        return takenNanos;
    }

    /** Returns nodes, ports, cables with their states, and LIDs. */
    public Fabric fabric() {
        return fabric;
    }

    /** Returns the port index of the end port that the subnet manager is at. */
    public int smPort() {
        return smPort;
    }

    /** Returns the tables of the last sweep that was routed, and the SLs of paths; empty while nothing could be routed.
     * After an incomplete sweep switches that did not answer may have older entries. */
    public Optional<Routing> routing() {
        return Optional.ofNullable(routing);
    }

    /** Returns by what these tables were made: the settings may have changed since; empty if that is not known. */
    public Optional<RoutingSettings> routedBy() {
        return Optional.ofNullable(routedBy);
    }

    /** Returns a node's NodeInfo as the port says it by which the node was reached. */
    public NodeInfo nodeInfo(int node) {
        return NodeInfo.TYPE.copy(nodeInfos[node]);
    }

    /** Returns a switch's SwitchInfo; empty for other nodes, and for a switch that did not tell. */
    public Optional<SwitchInfo> switchInfo(int node) {
        return Optional.ofNullable(switchInfos[node]).map(SwitchInfo.TYPE::copy);
    }

    /** Returns a port's PortInfo; empty for ports that could not be asked: those of a CA without a cable. */
    public Optional<PortInfo> portInfo(int port) {
        return Optional.ofNullable(portInfos[port]).map(PortInfo.TYPE::copy);
    }

    /** Returns the P_Keys of a port, 0 for empty entries; empty if they are not known. */
    public List<Integer> pKeys(int port) {
        return keys.get(port);
    }

    /**
     * Returns a block of a port's VL arbitration table as it was programmed.
     *
     * @param block 1 … 4, as in the modifier
     */
    public Optional<VlArbitrationTable> vlArbitration(int port, int block) {
        return Optional.ofNullable(arbitration.get(key(port, block))).map(VlArbitrationTable.TYPE::copy);
    }

    /** Returns the port index of an end port that has a LID, {@link Fabric#NONE} if no such port has this GUID. */
    public int endPort(long portGuid) {
        return endPorts.getOrDefault(portGuid, Fabric.NONE);
    }

    private static int key(int port, int block) {
        return port << 2 | block - 1;
    }

    /** Collects what a snapshot has. For one thread, and one snapshot. */
    public static final class Builder {
        private final long sweep;
        private final long takenNanos;
        private final Fabric fabric;
        private final int smPort;
        private @Nullable Routing routing;
        private @Nullable RoutingSettings routedBy;
        private final NodeInfo[] nodeInfos;
        private final @Nullable SwitchInfo[] switchInfos;
        private final @Nullable PortInfo[] portInfos;
        private final List<List<Integer>> keys = new ArrayList<>();
        private final Map<Integer, VlArbitrationTable> arbitration = new LinkedHashMap<>();

        /**
         * Begins one.
         *
         * @param sweep from 1
         * @param takenNanos now, ns of the loop's clock
         * @param fabric with LIDs and link states
         * @param smPort port index of the own end port
         */
        public Builder(long sweep, long takenNanos, Fabric fabric, int smPort) {
            this.sweep = sweep;
            this.takenNanos = takenNanos;
            this.fabric = fabric;
            this.smPort = smPort;
            nodeInfos = new NodeInfo[fabric.nodeCount()];
            for (int node = 0; node < nodeInfos.length; node++) {
                nodeInfos[node] = NodeInfo.TYPE.create();
            }
            switchInfos = new SwitchInfo[fabric.nodeCount()];
            portInfos = new PortInfo[fabric.portCount()];
            for (int port = 0; port < portInfos.length; port++) {
                keys.add(List.of());
            }
        }

        /** Sets the tables that the switches were to get. */
        public Builder routing(Routing tables) {
            routing = tables;
            return this;
        }

        /** Sets by what the tables were made. */
        public Builder routedBy(RoutingSettings settings) {
            routedBy = settings;
            return this;
        }

        /** Sets a node's NodeInfo, which belongs to the snapshot from now on. */
        public Builder node(int node, NodeInfo info) {
            nodeInfos[node] = info;
            return this;
        }

        /** Sets a switch's SwitchInfo, which belongs to the snapshot from now on. */
        public Builder node(int node, SwitchInfo info) {
            switchInfos[node] = info;
            return this;
        }

        /** Sets a port's PortInfo, which belongs to the snapshot from now on. */
        public Builder port(int port, PortInfo info) {
            portInfos[port] = info;
            return this;
        }

        /** Sets a port's P_Keys, as the table has them. */
        public Builder pKeys(int port, List<Integer> pKeys) {
            keys.set(port, List.copyOf(pKeys));
            return this;
        }

        /** Sets a block, 1 … 4, of a port's VL arbitration table, which belongs to the snapshot from now on. */
        public Builder vlArbitration(int port, int block, VlArbitrationTable table) {
            arbitration.put(key(port, block), table);
            return this;
        }

        /** Makes the snapshot. */
        public SubnetSnapshot build() {
            return new SubnetSnapshot(this);
        }
    }
}
