package org.railyard.fabric.torus;

import java.util.List;
import java.util.Optional;
import org.railyard.fabric.format.TorusDump;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.grid.DimensionOrder;
import org.railyard.fabric.torus.grid.SlToVlRule;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.torus.multicast.MasterTree;
import org.railyard.fabric.torus.multicast.TorusMulticast;
import org.railyard.fabric.torus.placement.Placement;
import org.railyard.fabric.torus.placement.Placer;
import org.railyard.fabric.torus.placement.SwitchGraph;
import org.railyard.fabric.torus.qos.QosMode;
import org.railyard.fabric.torus.tables.EndPortOrder;
import org.railyard.fabric.torus.tables.TorusPath;
import org.railyard.fabric.torus.tables.TorusSlToVl;
import org.railyard.fabric.torus.tables.TorusSls;
import org.railyard.fabric.torus.tables.TorusTables;

/**
 * A torus that is understood and can be routed: where each switch is, and what tables follow from that. Immutable;
 * outlives the run that made it, so that a subnet manager can go on answering from it while a later run is refused.
 *
 * @param fabric the fabric as it was
 * @param conf what the configuration said
 * @param placement where the switches are
 * @param order the unicast routing
 * @param slToVl the rule for VLs
 * @param mode how service levels are shared out
 * @param maxOpVls cap on data VLs, coded like VLCap
 * @param tree the multicast tree; empty if none is free of loops, then no group can be routed
 * @param likeOpenSm whether the engine is that which does as OpenSM: destinations are spread over parallel cables in
 *     the order of OpenSM, else by ascending positions
 * @param notes remarks for people
 */
public record TorusPlan(
        Fabric fabric,
        TorusConf conf,
        Placement placement,
        DimensionOrder order,
        SlToVlRule slToVl,
        QosMode mode,
        int maxOpVls,
        Optional<MasterTree> tree,
        boolean likeOpenSm,
        List<String> notes) {
    /** Copies the notes. */
    public TorusPlan {
        notes = List.copyOf(notes);
    }

    /**
     * Computes all tables.
     *
     * @param groups multicast groups to route; there must be none if there is no tree
     * @throws IllegalArgumentException if there are groups but no tree
     */
    public Routing routing(List<MulticastGroup> groups) {
        if (!groups.isEmpty() && tree.isEmpty()) {
            throw new IllegalArgumentException("multicast groups, but no multicast tree");
        }
        TorusGrid grid = placement.grid();
        int[] positions = likeOpenSm
                ? new Placer(fabric, SwitchGraph.of(fabric), conf)
                        .likeOpenSm(placement.seed())
                        .order()
                : grid.present().toArray();
        EndPortOrder ends = EndPortOrder.of(fabric, placement, positions, conf.portOrder());
        MulticastTables multicast =
                tree.map(t -> TorusMulticast.of(fabric, placement, t, groups)).orElse(MulticastTables.NONE);
        return new Routing(
                likeOpenSm ? TorusEngine.NAME_LIKE_OPENSM : TorusEngine.NAME,
                TorusTables.of(fabric, placement, order, ends),
                new TorusSls(fabric, placement, mode),
                slToVlTables(),
                multicast,
                notes);
    }

    /** Returns the SL to VL tables. */
    public TorusSlToVl slToVlTables() {
        return new TorusSlToVl(fabric, placement, slToVl, maxOpVls);
    }

    /**
     * Returns the path between two switches with a reason for each hop.
     *
     * @param from switch index
     * @param to switch index
     * @param hint SL asked for, 0 to 15
     * @return empty if one of them is not part of the torus
     */
    public Optional<TorusPath> path(int from, int to, int hint) {
        int source = placement.positionOf(from);
        int target = placement.positionOf(to);
        return source == Placement.NONE || target == Placement.NONE
                ? Optional.empty()
                : TorusPath.walk(order, slToVl, mode, source, target, hint);
    }

    /** Returns where each switch is, as {@code opensm-torus.dump} tells it. */
    public TorusDump places() {
        TorusShape shape = placement.grid().shape();
        return new TorusDump(placement
                .grid()
                .present()
                .mapToObj(position -> {
                    int node = placement.switchAt(position);
                    return new TorusDump.Place(
                            shape.coordinate(position, 0),
                            shape.coordinate(position, 1),
                            shape.coordinate(position, 2),
                            fabric.guid(node),
                            fabric.description(node));
                })
                .toList());
    }
}
