package org.railyard.fabric.torus.failure;

import org.railyard.fabric.analysis.LinkLoad;
import org.railyard.fabric.analysis.RoutingDiff;

/**
 * What a failure changed, and the load after it.
 *
 * @param cutOff hosts that no longer have a cable, or that most switches with routes have no route to
 * @param slPairs ordered pairs of end ports that are left
 * @param slPairsChanged those of them with another SL
 * @param entries entries of the forwarding tables, by switch and end port, that both sides have
 * @param entriesChanged those of them with another port
 * @param masksChanged multicast masks that changed
 * @param meanHops mean number of hops between switches
 * @param longest most hops between switches
 * @param meanLoad mean number of pairs of end ports that a cable carries in one direction
 * @param mostLoad most pairs of end ports that a cable carries in one direction
 * @param busiest the sending port of that cable, the first of equals; {@link org.railyard.fabric.model.Fabric#NONE} if
 *     there is no cable
 */
public record FailureFigures(
        int cutOff,
        long slPairs,
        long slPairsChanged,
        long entries,
        long entriesChanged,
        long masksChanged,
        double meanHops,
        int longest,
        double meanLoad,
        long mostLoad,
        int busiest) {
    /** Returns the figures of a comparison of whole tables. */
    public static FailureFigures of(int cutOff, RoutingDiff diff, LinkLoad load) {
        return new FailureFigures(
                cutOff,
                diff.sls().compared(),
                diff.sls().changed(),
                diff.forwarding().compared(),
                diff.forwarding().changed(),
                diff.multicast().changed(),
                load.meanHops(),
                load.longest(),
                load.mean(),
                load.most(),
                load.busiest());
    }
}
