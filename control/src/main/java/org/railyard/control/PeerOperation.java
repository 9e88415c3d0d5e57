package org.railyard.control;

import org.jspecify.annotations.Nullable;

/** Peers (spec 12 §2.4). */
public sealed interface PeerOperation extends Operation {
    /** Makes a peer, or gives one more NIDs. */
    @CliCommand(value = "peer add", help = "make a peer, or give one more NIDs")
    record Add(
            @CliOption(name = "prim_nid", value = "NID", help = "primary NID of the peer", required = true) @Nullable
            String primNid,

            @CliOption(
                    name = "nid",
                    alias = "ip2nets",
                    value = "LIST",
                    help = "NIDs, such as 10.0.0.[5-6]@tcp,7@gni; none for the primary NID alone")
            @Nullable
            String nids,

            @CliOption(name = "non_mr", letter = 'm', help = "the peer is not multi-rail")
            boolean nonMr,

            @CliOption(name = "lock_prim", letter = 'l', help = "the primary NID stays, whatever the peer announces")
            boolean lockPrim)
            implements PeerOperation, Edit {}

    /** Deletes a peer, or some of its NIDs. */
    @CliCommand(value = "peer del", help = "delete a peer, or some of its NIDs")
    record Delete(
            @CliOption(name = "prim_nid", value = "NID", help = "primary NID of the peer", required = true) @Nullable
            String primNid,

            @CliOption(name = "nid", alias = "ip2nets", value = "LIST", help = "NIDs; none for the whole peer")
            @Nullable
            String nids,

            @CliOption(letter = 'f', help = "also a locked primary NID")
            boolean force)
            implements PeerOperation, Edit {}

    /** Changes NIDs of peers; NIDs that nobody has change nothing. */
    @CliCommand(value = "peer set", help = "change peers")
    record Set(
            @CliOption(value = "NID", help = "the NID") @Nullable
            String nid,

            @CliOption(letter = 'a', help = "all NIDs of all peers")
            boolean all,

            @CliOption(value = "VALUE", help = "health, 0 to 1000; all else means 1000") @Nullable
            Integer health,

            @CliOption(value = "BITS", help = "state bits, for tests") @Nullable
            Integer state)
            implements PeerOperation, Edit {}

    /**
     * Shows peers, in the order in which they became known.
     *
     * @param level how much, 0…4 (spec 12 §3)
     * @param maxPeers most to show, 0 for all
     */
    @CliCommand(value = "peer show", help = "show peers")
    record Show(
            @CliOption(value = "NID", help = "the peer with this NID") @Nullable
            String nid,

            int level,

            @CliOption(name = "max", help = "at most so many peers, 1 or more; none for all")
            int maxPeers)
            implements PeerOperation, Query {}

    /** Lists the primary NIDs of all peers. */
    @CliCommand(value = "peer list", help = "list the primary NIDs of peers")
    record List() implements PeerOperation, Query {}
}
