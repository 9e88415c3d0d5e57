package org.railyard.lnet.api;

/**
 * What went wrong with an NI of this node (spec 10 §11.1, §13, §17.3): failures of messages by their status, and its
 * recovery.
 *
 * @param fatal whether its device can not carry traffic
 * @param interrupts messages that were interrupted
 * @param dropped messages dropped before they left
 * @param aborted messages whose connection was aborted here
 * @param noRoute messages without a route in the local stack
 * @param timeouts messages that waited too long to be posted
 * @param error other failures here
 * @param networkTimeouts messages that were posted and never completed; the peer NI counts them too
 * @param resendsLocalTimeout messages sent again because they waited too long to be posted
 * @param resendsNetworkTimeout messages sent again because they were posted and never completed
 * @param downEvents times that its device failed
 * @param upEvents times that its device worked again
 * @param pingCount recovery pings since anything was last received on it
 * @param nextPing when the next recovery ping is due, in seconds of the node's monotonic clock; 0 for never
 */
public record NiHealth(
        boolean fatal,
        long interrupts,
        long dropped,
        long aborted,
        long noRoute,
        long timeouts,
        long error,
        long networkTimeouts,
        long resendsLocalTimeout,
        long resendsNetworkTimeout,
        long downEvents,
        long upEvents,
        int pingCount,
        long nextPing) {}
