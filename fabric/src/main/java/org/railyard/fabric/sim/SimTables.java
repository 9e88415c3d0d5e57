package org.railyard.fabric.sim;

import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.MulticastTables.Tree;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/** What each switch and end port has been told; switches may have tables of different age. */
final class SimTables {
    private final Fabric fabric;
    private final ForwardingTables[] forwarding;

    /** By switch, then input · (ports + 1) + output. */
    private final long[][] slToVl;

    /** By switch, then by multicast LID from the smallest one on. */
    private final @Nullable Tree[][] groups;

    private SlToVl ends;

    /** What {@link #latestTrees} was made of. */
    private @Nullable MulticastTables latest;

    private @Nullable Tree[] latestTrees = new Tree[0];

    SimTables(Fabric fabric, Routing routing) {
        this.fabric = fabric;
        this.forwarding = new ForwardingTables[fabric.switchCount()];
        this.slToVl = new long[fabric.switchCount()][];
        this.groups = new Tree[fabric.switchCount()][];
        this.ends = routing.slToVl();
        for (int sw = 0; sw < forwarding.length; sw++) {
            setSwitch(sw, routing);
        }
    }

    void setSwitch(int sw, Routing routing) {
        if (routing.forwarding().switches() != forwarding.length) {
            throw new IllegalArgumentException("tables of %d switches, fabric of %d"
                    .formatted(routing.forwarding().switches(), forwarding.length));
        }
        int ports = fabric.ports(sw) + 1;
        long[] rows = new long[ports * ports];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = routing.slToVl().table(sw, i / ports, i % ports);
        }
        slToVl[sw] = rows;
        forwarding[sw] = routing.forwarding();
        groups[sw] = trees(routing.multicast());
    }

    private @Nullable Tree[] trees(MulticastTables multicast) {
        if (multicast != latest) {
            int end = multicast.mlids().stream()
                    .mapToInt(mlid -> mlid + 1 - Lids.MIN_MULTICAST)
                    .max()
                    .orElse(0);
            latestTrees = new Tree[end];
            for (int mlid : multicast.mlids()) {
                latestTrees[mlid - Lids.MIN_MULTICAST] = multicast.tree(mlid);
            }
            latest = multicast;
        }
        return latestTrees;
    }

    void setEnds(Routing routing) {
        ends = routing.slToVl();
    }

    /** Returns the output port of a switch, 0 if there is none that leads out. */
    int output(int sw, int lid) {
        int output = forwarding[sw].port(sw, lid);
        return output <= fabric.ports(sw) ? output : 0;
    }

    /** Returns the output ports of a switch for a multicast LID. */
    PortMask outputs(int sw, int mlid) {
        @Nullable Tree[] trees = groups[sw];
        int at = mlid - Lids.MIN_MULTICAST;
        Tree tree = at < trees.length ? trees[at] : null;
        return tree == null ? PortMask.EMPTY : tree.ports(sw);
    }

    int vl(int sw, int input, int output, int sl) {
        return SlToVl.vl(slToVl[sw][input * (fabric.ports(sw) + 1) + output], sl);
    }

    int endVl(int port, int sl) {
        return SlToVl.vl(ends.endTable(port), sl);
    }
}
