package org.railyard.control;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Channel bonding: at which addresses peers are reached, over which routes, and whether that is sane (spec 21 §8). */
public sealed interface O2ibsOperation extends Operation {
    /** Adds a target, or replaces the one with the same NID. */
    @CliCommand(value = "o2ibs add", help = "tell at which addresses a peer is reached")
    record Add(
            @CliOption(value = "NID", help = "NID of the peer, such as 10.1.1.5@o2ib", required = true)
            String nid,

            @CliOption(value = "IP …", help = "1 to 16 addresses of the peer, in the order in which they are used")
            List<String> ips,

            @CliOption(letter = 'f', help = "also if the peer has other addresses by now")
            boolean force)
            implements O2ibsOperation, Edit {
        /** Copies the list. */
        public Add {
            ips = List.copyOf(ips);
        }
    }

    /** Deletes a target. */
    @CliCommand(value = "o2ibs del", help = "forget the addresses of a peer")
    record Delete(
            @CliOption(value = "NID", help = "NID of the peer, such as 10.1.1.5@o2ib", required = true)
            String nid) implements O2ibsOperation, Edit {}

    /** Shows targets. */
    @CliCommand(value = "o2ibs show", help = "show the addresses of peers")
    record Show(
            @CliOption(letter = 'n', value = "NET", help = "only this net, such as o2ib or o2ib1") @Nullable
            String net,

            @CliOption(value = "NID", help = "only the peer with this NID") @Nullable
            String nid)
            implements O2ibsOperation, Query {}

    /** Shows routes, peer by peer. */
    @CliCommand(value = "o2ibs routes", help = "show the routes that messages to peers take turns on")
    record Routes(
            @CliOption(letter = 'n', value = "NET", help = "only this net, such as o2ib or o2ib1") @Nullable
            String net) implements O2ibsOperation, Query {}

    /**
     * Shows what NIs on o2ib nets have for the calculator of tunables: settings, limits of devices, what was agreed on
     * with peers (spec 22 mod-045).
     *
     * @param net only those on this net; absent for all
     * @param nid only this one; absent for all
     */
    record Tunables(@Nullable String net, @Nullable String nid) implements O2ibsOperation, Query {}

    /** Checks groups and targets (spec 21 §9). */
    @CliCommand(value = "o2ibs check", help = "look for what is wrong with groups of interfaces and addresses of peers")
    record Check(
            @CliOption(letter = 'n', value = "NET", help = "only this net, such as o2ib or o2ib1") @Nullable
            String net,

            @CliOption(help = "also connect each route") boolean probe)
            implements O2ibsOperation, Action {}
}
