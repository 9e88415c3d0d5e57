package org.railyard.fabric.torus.multicast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.placement.Placement;
import org.railyard.fabric.torus.qos.QosMode;

/** Group tables as sub-trees of the master tree (spec 30 §10.3). */
public final class TorusMulticast {
    private TorusMulticast() {}

    /** Returns what is wrong with groups: an SL with dateline bits, or of a level that groups do not have. */
    public static List<Refusal.Reason> problems(List<MulticastGroup> groups, QosMode mode) {
        List<Refusal.Reason> problems = new ArrayList<>();
        for (MulticastGroup group : groups) {
            if (!mode.allowsMulticastSl(group.sl())) {
                String allowed = mode == QosMode.TWO_LEVELS ? "SL 0 or 8" : "SL 0";
                problems.add(new Refusal.Reason(
                        "mcast-sl",
                        "multicast group 0x%x has SL %d; on this torus groups have %s, set it in partitions.conf"
                                .formatted(group.mlid(), group.sl(), allowed)));
            }
        }
        return problems;
    }

    /** Returns the tables of {@code groups}; members outside the torus are left out. */
    public static MulticastTables of(Fabric fabric, Placement placement, MasterTree tree, List<MulticastGroup> groups) {
        TreeMap<Integer, MulticastTables.Tree> tables = new TreeMap<>();
        for (MulticastGroup group : groups) {
            tables.put(group.mlid(), table(fabric, placement, tree, group));
        }
        return new MulticastTables(tables);
    }

    private static MulticastTables.Tree table(
            Fabric fabric, Placement placement, MasterTree tree, MulticastGroup group) {
        PortMask[] masks = new PortMask[fabric.switchCount()];
        Arrays.fill(masks, PortMask.EMPTY);
        BitSet members = new BitSet();
        for (int member : group.members()) {
            int at = fabric.switchOf(member);
            int position = at == Fabric.NONE ? Placement.NONE : placement.positionOf(at);
            if (position != Placement.NONE) {
                members.set(position);
                masks[at] = masks[at].with(fabric.switchPortOf(member));
            }
        }
        byte[] branches = tree.branches(members);
        for (int position = 0; position < branches.length; position++) {
            int at = placement.switchAt(position);
            for (int direction = 0; direction < TorusGroup.COUNT; direction++) {
                if ((branches[position] & 1 << direction) != 0) {
                    int cable = group.mlid() % placement.cables(position, direction);
                    masks[at] = masks[at].with(placement.port(position, direction, cable));
                }
            }
        }
        return new MulticastTables.Tree(group.sl(), masks);
    }
}
