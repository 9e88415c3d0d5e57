package org.railyard.sm;

import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.route.Routing;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.smp.VlArbitrationTable;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.subnet.HeldTables;
import org.railyard.sm.subnet.ManagedNode;

/** Copies of what a sweep knows at its end, for readers in other threads. */
final class SnapshotMaker {
    private static final int ARBITRATION_BLOCKS = 4;

    private SnapshotMaker() {}

    /**
     * Returns one.
     *
     * @param found the fabric of the sweep
     * @param routedBy by what its tables were made; null if there are none
     * @param number of the sweep
     * @param nanos when it ended, by the clock of the loop
     */
    static SubnetSnapshot of(
            SubnetSweep.Ended ended, Fabric found, @Nullable RoutingSettings routedBy, long number, long nanos) {
        SubnetSnapshot.Builder builder = new SubnetSnapshot.Builder(number, nanos, found, ended.smPort());
        Routing tables = ended.routing();
        if (tables != null) {
            builder.routing(tables);
        }
        if (routedBy != null) {
            builder.routedBy(routedBy);
        }
        for (int index = 0; index < found.nodeCount(); index++) {
            node(builder, found, index, ended.nodes().get(index));
        }
        return builder.build();
    }

    private static void node(SubnetSnapshot.Builder builder, Fabric found, int index, ManagedNode node) {
        builder.node(index, NodeInfo.TYPE.copy(node.info()));
        SwitchInfo said = node.switchInfo();
        if (said != null) {
            builder.node(index, SwitchInfo.TYPE.copy(said));
        }
        for (int number = 0; number <= node.lastPort(); number++) {
            int port = found.portIndex(index, number);
            PortInfo of = node.port(number);
            if (of != null) {
                builder.port(port, PortInfo.TYPE.copy(of));
            }
            held(builder, port, number, node.held());
        }
    }

    private static void held(SubnetSnapshot.Builder builder, int port, int number, HeldTables held) {
        builder.pKeys(port, held.keys(number));
        for (int block = 1; block <= ARBITRATION_BLOCKS; block++) {
            VlArbitrationTable table = held.arbitration(number, block);
            if (table != null) {
                builder.vlArbitration(port, block, table);
            }
        }
    }
}
