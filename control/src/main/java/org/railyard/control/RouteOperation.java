package org.railyard.control;

import org.jspecify.annotations.Nullable;

/** Routes to nets that are not local (spec 12 §2.3). */
public sealed interface RouteOperation extends Operation {
    /** Adds routes, one per gateway. */
    @CliCommand(value = "route add", help = "add a route")
    record Add(
            @CliOption(letter = 'n', value = "NET", help = "net that is reached, such as o2ib1", required = true)
            @Nullable
            String net,

            @CliOption(letter = 'g', value = "NID", help = "NID of the router, or a list of some", required = true)
            @Nullable
            String gateway,

            @CliOption(alias = "hop-count", letter = 'c', help = "hops, 1 to 255; -1 for not told") @Nullable
            Integer hop,

            @CliOption(letter = 'p', help = "0 is best; 0") @Nullable
            Integer priority)
            implements RouteOperation, Edit {}

    /** Deletes routes; gateways that the net is not reached through change nothing. */
    @CliCommand(value = "route del", help = "delete a route")
    record Delete(
            @CliOption(letter = 'n', value = "NET", help = "net that is reached, such as o2ib1", required = true)
            @Nullable
            String net,

            @CliOption(letter = 'g', value = "NID", help = "NID of the router, or a list of some", required = true)
            @Nullable
            String gateway)
            implements RouteOperation, Edit {}

    /**
     * Shows routes that fit all that is given.
     *
     * @param level how much, 0 or more (spec 12 §3)
     */
    @CliCommand(value = "route show", help = "show routes")
    record Show(
            @CliOption(letter = 'n', value = "NET", help = "net that is reached, such as o2ib1") @Nullable
            String net,

            @CliOption(letter = 'g', value = "NID", help = "NID of the router") @Nullable
            String gateway,

            @CliOption(alias = "hop-count", letter = 'c', help = "hops, 1 to 255") @Nullable
            Integer hop,

            @CliOption(letter = 'p', help = "priority; 0 is best") @Nullable
            Integer priority,

            int level)
            implements RouteOperation, Query {}
}
