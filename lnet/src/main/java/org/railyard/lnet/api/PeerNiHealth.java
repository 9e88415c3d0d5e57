package org.railyard.lnet.api;

/**
 * What went wrong with an NI of a peer (spec 10 §11.1, §13, §17.3): failures of messages by their status, and its
 * recovery.
 *
 * @param dropped messages that the peer or the path dropped
 * @param timeout messages that the peer's transport did not acknowledge
 * @param error messages that the peer refused
 * @param networkTimeout messages that were posted and never completed
 * @param resendsRemoteTimeout messages sent again because they were not acknowledged
 * @param resendsNetworkTimeout messages sent again because they were posted and never completed
 * @param pingCount recovery pings since anything was last received from it
 * @param nextPing when the next recovery ping is due, in seconds of the node's monotonic clock; 0 for never
 */
public record PeerNiHealth(
        long dropped,
        long timeout,
        long error,
        long networkTimeout,
        long resendsRemoteTimeout,
        long resendsNetworkTimeout,
        int pingCount,
        long nextPing) {
    /** Nothing ever went wrong. */
    public static final PeerNiHealth WELL = new PeerNiHealth(0, 0, 0, 0, 0, 0, 0, 0);
}
