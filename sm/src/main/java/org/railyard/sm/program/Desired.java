package org.railyard.sm.program;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Routing;
import org.railyard.sm.model.PartitionKeys;
import org.railyard.sm.subnet.ManagedNode;

/**
 * What the subnet shall be.
 *
 * @param fabric nodes, cables that are used, LIDs
 * @param nodes the nodes by their index in the fabric
 * @param smPort port index of the own end port
 * @param routing tables and SLs, proved
 * @param before those of the sweep before, by which senders were told their SLs; null if there are none
 * @param keys P_Keys of end ports
 * @param ports what ports are set to
 * @param reregister whether all clients shall register again
 */
public record Desired(
        Fabric fabric,
        List<ManagedNode> nodes,
        int smPort,
        Routing routing,
        @Nullable Routing before,
        PartitionKeys keys,
        PortPolicy ports,
        boolean reregister) {
    /** Copies the list. */
    public Desired {
        nodes = List.copyOf(nodes);
    }

    Desired withReregister() {
        return new Desired(fabric, nodes, smPort, routing, before, keys, ports, true);
    }

    ManagedNode nodeOf(int port) {
        return nodes.get(fabric.nodeOf(port));
    }
}
