package org.railyard.fabric.torus.failure;

import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusPlan;
import org.railyard.fabric.torus.acceptance.GridVerdict;
import org.railyard.fabric.torus.grid.DimensionOrder;
import org.railyard.fabric.torus.grid.SlToVlRule;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.torus.grid.UnicastChange;
import org.railyard.fabric.torus.grid.UnicastFlows;
import org.railyard.fabric.torus.multicast.TorusMulticast;
import org.railyard.fabric.torus.placement.Placement;
import org.railyard.fabric.torus.qos.QosMode;

/**
 * Failures of switches and cables of one torus. Each is placed and judged as {@link TorusEngine} does it; but the
 * dependencies and the load come from the flows that take another way, which is a small part of all.
 *
 * <p>It answers for tori with one cable between neighbours where every switch has a place, and for failures of whole
 * switches and of cables between switches that leave the others where they were. For all others it answers nothing, and
 * they have to be routed and proved as a whole. Not thread safe.
 */
public final class TorusFailures {
    private final TorusEngine engine;
    private final EngineOptions options;
    private final Fabric fabric;
    private final Placement placement;
    private final MulticastTables multicast;
    private final TorusEnds ends;
    private final UnicastChange change;
    private boolean isChange;

    /**
     * What became of a failure.
     *
     * @param plan how the rest is routed; null if it is not
     * @param refusal why it is not routed; null if it is
     * @param figures what changed; null if it is not routed
     */
    public record Result(
            @Nullable TorusPlan plan,
            TorusEngine.@Nullable Refused refusal,
            @Nullable FailureFigures figures) {}

    private TorusFailures(
            TorusEngine engine, EngineOptions options, TorusPlan base, TorusEnds ends, UnicastFlows flows) {
        this.engine = engine;
        this.options = options;
        this.fabric = base.fabric();
        this.placement = base.placement();
        this.multicast = base.routing(options.groups()).multicast();
        this.ends = ends;
        this.change = new UnicastChange(flows);
    }

    /**
     * Counts the flows of the whole torus. Takes time with switches² · hops.
     *
     * @param options what the engine is told, multicast groups included
     * @param base how the whole torus is routed
     * @return empty if failures of this torus have to be routed as a whole
     */
    public static Optional<TorusFailures> of(TorusEngine engine, EngineOptions options, TorusPlan base) {
        if (base.likeOpenSm() || !isSimple(base.placement())) {
            return Optional.empty();
        }
        return TorusEnds.of(base.fabric(), base.placement())
                .flatMap(ends -> UnicastFlows.of(base.order(), base.slToVl(), ends.sending())
                        .map(flows -> new TorusFailures(engine, options, base, ends, flows)));
    }

    private static boolean isSimple(Placement placement) {
        if (placement.strayCables() > 0 || !placement.strangers().isEmpty()) {
            return false;
        }
        int groups = placement.grid().shape().positions() * TorusGroup.COUNT;
        for (int i = 0; i < groups; i++) {
            if (placement.cables(i / TorusGroup.COUNT, i % TorusGroup.COUNT) > 1) {
                return false;
            }
        }
        return true;
    }

    /**
     * Lets cables fail.
     *
     * @param ports port indices whose cables go down
     * @return empty if this failure has to be routed as a whole
     */
    public Optional<Result> of(BitSet ports) {
        Fabric left = fabric.withLinksDown(ports);
        if (!hostsOfOthersStay(left, ports)) {
            return Optional.empty();
        }
        isChange = false;
        return switch (engine.plan(left, options, this::judge)) {
            case TorusEngine.Refused refused -> Optional.of(new Result(null, refused, null));
            case TorusEngine.Accepted(TorusPlan plan) ->
                isChange && samePlaces(plan) ? Optional.of(new Result(plan, null, figures(plan))) : Optional.empty();
        };
    }

    private boolean hostsOfOthersStay(Fabric left, BitSet ports) {
        for (int port = ports.nextSetBit(0); port >= 0; port = ports.nextSetBit(port + 1)) {
            int peer = fabric.peer(port);
            if (peer != Fabric.NONE) {
                int node = fabric.nodeOf(port);
                int other = fabric.nodeOf(peer);
                boolean between = fabric.isSwitch(node) && fabric.isSwitch(other);
                if (!between && left.isConnected(fabric.isSwitch(node) ? node : other)) {
                    return false;
                }
            }
        }
        return true;
    }

    private GridVerdict judge(DimensionOrder routing, SlToVlRule slToVl, QosMode mode) {
        isChange = change.to(routing);
        return isChange
                ? GridVerdict.of(change.dependencies(), routing.grid(), slToVl, mode)
                : GridVerdict.of(routing, slToVl, mode);
    }

    /** Tells whether every switch with a cable is where it was. */
    private boolean samePlaces(TorusPlan plan) {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int now = plan.placement().positionOf(sw);
            if (now != placement.positionOf(sw)
                    && (now != Placement.NONE || plan.fabric().isConnected(sw))) {
                return false;
            }
        }
        return true;
    }

    private FailureFigures figures(TorusPlan plan) {
        TorusGrid grid = plan.placement().grid();
        TorusShape shape = grid.shape();
        int cutOff = 0;
        long addressed = 0;
        int cables = 0;
        long most = 0;
        int busiest = Fabric.NONE;
        for (int position = 0; position < shape.positions(); position++) {
            if (!grid.isPresent(position)) {
                cutOff += ends.sending()[position];
                continue;
            }
            addressed += ends.addressed()[position];
            for (int group = 0; group < TorusGroup.COUNT; group++) {
                if (!grid.isCabled(position, group)) {
                    continue;
                }
                cables++;
                int port = fabric.portIndex(placement.switchAt(position), placement.port(position, group, 0));
                long pairs = change.pairs(position, group);
                if (busiest == Fabric.NONE || pairs > most || pairs == most && port < busiest) {
                    most = pairs;
                    busiest = port;
                }
            }
        }
        int longest = 0;
        long pairs = 0;
        long hops = 0;
        for (int count = 0; count <= change.maxHops(); count++) {
            long with = change.pairsWithHops(count);
            longest = with == 0 ? longest : count;
            pairs += with;
            hops += with * count;
        }
        return new FailureFigures(
                cutOff,
                addressed * (addressed - 1),
                0,
                addressed * grid.switches(),
                change.entriesChanged(ends.addressed()),
                masksChanged(plan),
                pairs == 0 ? 0 : (double) hops / pairs,
                longest,
                cables == 0 ? 0 : (double) hops / cables,
                most,
                busiest);
    }

    private long masksChanged(TorusPlan plan) {
        MulticastTables now = plan.tree()
                .map(tree -> TorusMulticast.of(plan.fabric(), plan.placement(), tree, options.groups()))
                .orElse(MulticastTables.NONE);
        long changed = 0;
        for (MulticastGroup group : options.groups()) {
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                boolean isLeft = plan.placement().positionOf(sw) != Placement.NONE;
                changed += isLeft && !mask(multicast, group, sw).equals(mask(now, group, sw)) ? 1 : 0;
            }
        }
        return changed;
    }

    private static PortMask mask(MulticastTables tables, MulticastGroup group, int sw) {
        MulticastTables.Tree tree = tables.tree(group.mlid());
        return tree == null ? PortMask.EMPTY : tree.ports(sw);
    }
}
