package org.railyard.fabric.torus.acceptance;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.torus.grid.DimensionOrder;
import org.railyard.fabric.torus.grid.LostGroups;
import org.railyard.fabric.torus.grid.SlToVlRule;
import org.railyard.fabric.torus.grid.TorusDependencies;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.torus.grid.UnicastDependencies;
import org.railyard.fabric.torus.grid.WholeTorus;
import org.railyard.fabric.torus.multicast.LoopFreeTree;
import org.railyard.fabric.torus.multicast.MasterTree;
import org.railyard.fabric.torus.qos.QosMode;

/**
 * Whether a torus can be routed: every switch reaches every other, no credit loop, and a multicast tree that closes
 * none (spec 30 §9.5). Decided by the dependencies themselves, not by a rule about which failures are bearable.
 *
 * @param refusals why unicast cannot be routed; empty if it can
 * @param tree the multicast tree; empty if there is none, or unicast is refused
 */
public record GridVerdict(List<Refusal.Reason> refusals, Optional<MasterTree> tree) {
    /** Copies the list. */
    public GridVerdict {
        refusals = List.copyOf(refusals);
    }

    /** Tells whether unicast can be routed. */
    public boolean routes() {
        return refusals.isEmpty();
    }

    /**
     * Looks at what {@code routing} would do: where that is enough, at the whole torus and what goes another way than
     * there; otherwise at all paths, O(switches²).
     */
    public static GridVerdict of(DimensionOrder routing, SlToVlRule slToVl, QosMode mode) {
        DimensionOrder whole = WholeTorus.order(routing.grid().shape(), routing.rule());
        return LostGroups.of(WholeTorus.dependencies(whole, slToVl), whole, routing, slToVl)
                .flatMap(unicast -> ofAtLeast(unicast, routing.grid(), slToVl, mode))
                .orElseGet(() -> ofAllPaths(routing, slToVl, mode));
    }

    /** Looks at all paths. O(switches²). */
    static GridVerdict ofAllPaths(DimensionOrder routing, SlToVlRule slToVl, QosMode mode) {
        UnicastDependencies.Result result = UnicastDependencies.of(routing, slToVl);
        return result.broken()
                .map(text -> refused(new Refusal.Reason("unreachable", text)))
                .orElseGet(() -> of(result.dependencies(), routing.grid(), slToVl, mode));
    }

    /**
     * Looks at what depends on what.
     *
     * @param unicast the dependencies of the paths between all switches, of which none is without path
     */
    public static GridVerdict of(TorusDependencies unicast, TorusGrid grid, SlToVlRule slToVl, QosMode mode) {
        return unicast.loop()
                .map(loop -> refused(loop(loop, grid.shape())))
                .orElseGet(() -> new GridVerdict(List.of(), LoopFreeTree.choose(unicast, grid, slToVl, isApart(mode))));
    }

    /** Decides if dependencies that there may not be close no loop, neither alone nor with the first tree. */
    private static Optional<GridVerdict> ofAtLeast(
            TorusDependencies unicast, TorusGrid grid, SlToVlRule slToVl, QosMode mode) {
        return Optional.of(unicast)
                .filter(all -> all.loop().isEmpty())
                .flatMap(all -> LoopFreeTree.first(all, grid, slToVl, isApart(mode)))
                .map(tree -> new GridVerdict(List.of(), Optional.of(tree)));
    }

    /** Multicast with VLs of its own waits for no packet to one end port. */
    private static boolean isApart(QosMode mode) {
        return mode == QosMode.SEPARATE_MULTICAST;
    }

    private static GridVerdict refused(Refusal.Reason reason) {
        return new GridVerdict(List.of(reason), Optional.empty());
    }

    private static Refusal.Reason loop(List<TorusDependencies.Channel> loop, TorusShape shape) {
        String channels = loop.stream().map(channel -> channel.name(shape)).collect(Collectors.joining(" -> "));
        return new Refusal.Reason(
                "credit-loop", "credit loop of " + loop.size() + " channels: " + channels + " -> back");
    }
}
