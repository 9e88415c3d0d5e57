package org.railyard.control;

import java.util.List;

/** Looking closer (spec 12 §4.9–§4.11, §10; 10 §17). */
public sealed interface DebugOperation extends Operation {
    /**
     * Shows the NIs that are in recovery.
     *
     * @param peers those of peers instead of this node's
     */
    record Recovery(boolean peers) implements DebugOperation, Query {}

    /**
     * Writes what is known of a peer to the log, if only that nobody has the NID.
     *
     * @param nid any of its NIDs
     */
    record Peer(String nid) implements DebugOperation, Query {}

    /**
     * Tells the CPU partitions that messages to NIDs are counted on.
     *
     * @param nids NIDs
     */
    record CptOfNid(List<String> nids) implements DebugOperation, Query {
        /** Copies the list. */
        public CptOfNid {
            nids = List.copyOf(nids);
        }
    }

    /**
     * Shows one NI of a net, as {@code net show -v 2} does.
     *
     * @param net the net
     * @param index its place in it, from 0; past the end is ENOENT
     */
    record Ni(String net, int index) implements DebugOperation, Query {}

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
     * Tells how much an NI, ours or a peer's, is used of late: heat, messages and bytes per second.
     *
     * @param nid its NID
     */
    record Usage(String nid) implements DebugOperation, Query {}
}
