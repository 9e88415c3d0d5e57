package org.railyard.control;

import org.jspecify.annotations.Nullable;

/** Routes to nets that are not local (spec 12 §2.3). */
public sealed interface RouteOperation extends Operation {
    /**
     * Adds routes, one per gateway.
     *
     * @param net where to
     * @param gateway a list of NIDs of routers, with ranges
     * @param hop 1…255, −1 or absent for not told
     * @param priority 0 is best; absent for 0
     */
    record Add(
            @Nullable String net,
            @Nullable String gateway,
            @Nullable Integer hop,
            @Nullable Integer priority) implements RouteOperation, Edit {}

    /**
     * Deletes routes; gateways that the net is not reached through change nothing.
     *
     * @param net where to
     * @param gateway a list of NIDs of routers, with ranges
     */
    record Delete(@Nullable String net, @Nullable String gateway) implements RouteOperation, Edit {}

    /**
     * Shows routes that fit all that is given.
     *
     * @param net where to
     * @param gateway NID of the router
     * @param hop hops
     * @param priority priority
     * @param level how much, 0 or more (spec 12 §3)
     */
    record Show(
            @Nullable String net,
            @Nullable String gateway,
            @Nullable Integer hop,
            @Nullable Integer priority,
            int level)
            implements RouteOperation, Query {}
}
