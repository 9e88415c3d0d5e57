package org.railyard.sm.program;

import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.Dependencies;
import org.railyard.fabric.route.Routing;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.sm.discover.FabricDiscovery;
import org.railyard.sm.model.PartitionKeys;
import org.railyard.sm.subnet.ManagedNode;

/**
 * What the subnet shall be.
 *
 * @param fabric nodes, cables that are used, LIDs
 * @param nodes the nodes by their index in the fabric
 * @param smPort port index of the own end port
 * @param routing tables and SLs, proved
 * @param dependencies what the proof of these found
 * @param before those of the sweep before, by which senders were told their SLs; null if there are none
 * @param keys P_Keys of end ports
 * @param ports what ports are set to
 * @param reregister tells by port index whether the clients of a port shall register again
 */
public record Desired(
        Fabric fabric,
        List<ManagedNode> nodes,
        int smPort,
        Routing routing,
        Dependencies dependencies,
        @Nullable Routing before,
        PartitionKeys keys,
        PortPolicy ports,
        IntPredicate reregister) {
    private static final int MAX_KEYS = FabricDiscovery.MAX_KEY_BLOCKS * PKeyTable.BLOCK;
    private static final List<Integer> DEFAULT_PARTITION = List.of(PKeyTable.DEFAULT_KEY);

    /** Copies the list. */
    public Desired {
        nodes = List.copyOf(nodes);
    }

    /** Returns how many P_Keys an end port has space for. */
    public int keySpace(int port) {
        return Math.min(nodeOf(port).info().getInt(NodeInfo.PARTITION_CAP), MAX_KEYS);
    }

    /** Returns whether an end port shall have more P_Keys than it has space for: it then gets none of them. */
    public boolean lacksKeySpace(int port) {
        return keys.of(fabric, port).size() > keySpace(port);
    }

    /** Returns whether switches are to keep partitions apart: not if there is but the default one. */
    boolean enforcesPartitions() {
        return ports.enforcement() != PartitionEnforcement.OFF && isPartitioned();
    }

    private boolean isPartitioned() {
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port)
                    && fabric.lid(port) != 0
                    && !keys.of(fabric, port).equals(DEFAULT_PARTITION)) {
                return true;
            }
        }
        return false;
    }

    /** Returns how many P_Keys an external port of a switch has space for; 0 if it enforces none. */
    public int enforcedKeys(int port) {
        SwitchInfo said = nodeOf(port).switchInfo();
        return said == null ? 0 : Math.min(said.getInt(SwitchInfo.ENFORCEMENT_CAP), MAX_KEYS);
    }

    /** Returns the end port behind an external port of a switch, if it has a LID; else {@link Fabric#NONE}. */
    public int endBehind(int port) {
        int peer = fabric.isSwitch(fabric.nodeOf(port)) ? fabric.peer(port) : Fabric.NONE;
        boolean isEnd = peer != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(peer)) && fabric.lid(peer) != 0;
        return isEnd ? peer : Fabric.NONE;
    }

    /** Returns whether an external port of a switch has space for the keys of an end port that is behind it. */
    public boolean mayEnforce(int port) {
        int end = endBehind(port);
        return end != Fabric.NONE && keys.of(fabric, end).size() <= enforcedKeys(port);
    }

    Desired withReregister() {
        return new Desired(fabric, nodes, smPort, routing, dependencies, before, keys, ports, _ -> true);
    }

    ManagedNode nodeOf(int port) {
        return nodes.get(fabric.nodeOf(port));
    }
}
