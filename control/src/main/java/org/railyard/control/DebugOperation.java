package org.railyard.control;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looking closer (spec 12 §4.9–§4.11, §10; 10 §17). */
public sealed interface DebugOperation extends Operation {
    /**
     * Shows the NIs that are in recovery.
     *
     * @param peers those of peers instead of this node's
     */
    @CliCommand(value = "debug recovery", help = "show the NIs that are in recovery")
    record Recovery(
            @CliOption(name = "peer", letter = 'p', help = "of peers")
            boolean peers) implements DebugOperation, Query {}

    /** Writes what is known of a peer to the log, if only that nobody has the NID. */
    @CliCommand(value = "debug peer", help = "write what is known of a peer to the log, or show one by its index")
    record Peer(
            @CliOption(letter = 'k', value = "NID", help = "any of its NIDs")
            String nid) implements DebugOperation, Query {}

    /** Tells the CPU partitions that messages to NIDs are counted on. */
    @CliCommand(value = "cpt-of-nid", help = "tell the CPU partitions that messages to NIDs are counted on")
    record CptOfNid(
            @CliOption(value = "NID …", help = "NIDs", words = true, required = true)
            List<String> nids) implements DebugOperation, Query {
        /** Copies the list. */
        public CptOfNid {
            nids = List.copyOf(nids);
        }
    }

    /** Shows one NI of a net, as {@code net show -v 2} does; past the end is ENOENT. */
    @CliCommand(value = "debug ni", help = "show one NI of a net by its index")
    record Ni(
            @CliOption(letter = 'n', value = "NET", help = "the net", required = true)
            String net,

            @CliOption(help = "its place in the net, from 0; 0")
            int index)
            implements DebugOperation, Query {}

    /**
     * Shows one peer, as {@code peer show -v 3} does.
     *
     * @param index its place in the order in which peers became known, from 0; past the end is ENOENT
     */
    record PeerAt(int index) implements DebugOperation, Query {}

    /**
     * Sums up the traffic of a net.
     *
     * @param net the net
     */
    record SumNet(String net) implements DebugOperation, Query {}

    /**
     * Sums up the traffic of a peer.
     *
     * @param nid any of its NIDs
     */
    record SumPeer(String nid) implements DebugOperation, Query {}

    /**
     * Shows the connections of transports with peers, as far as they tell; nobody is dialled or asked.
     *
     * @param nid of the NI of this node, or of the peer; null for all
     */
    @CliCommand(value = "debug conn", help = "show connections over TCP with peers: how many, since when, what failed")
    record Conn(
            @CliOption(letter = 'k', value = "NID", help = "only those of this NI, of this node or of a peer") @Nullable
            String nid,

            @CliOption(letter = 'f', help = "only where the last attempt to connect failed")
            boolean failed)
            implements DebugOperation, Query {}

    /** Tells how much an NI, ours or a peer's, is used of late: heat, messages and bytes per second. */
    @CliCommand(
            value = "debug usage",
            help = "show how much an NI is used of late: heat, messages and bytes per second")
    record Usage(
            @CliOption(letter = 'k', value = "NID", help = "a NID of this node or of a peer", required = true)
            String nid)
            implements DebugOperation, Query {}
}
