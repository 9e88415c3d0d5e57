package org.railyard.base.host;

import org.jspecify.annotations.Nullable;

/**
 * Something that happened, for tools that record a program, such as JDK Flight Recorder. Names, types and addresses are
 * objects whose text says it all: that text is made by whoever records, if anybody does. Times in ns, lengths in bytes.
 */
public sealed interface Traced {
    /** Kinds of what happens, to ask whether one is recorded. */
    enum Kind {
        /** {@link Message}. */
        MESSAGE,
        /** {@link Resend}. */
        RESEND,
        /** {@link HealthChange}. */
        HEALTH_CHANGE,
        /** {@link Discovery}. */
        DISCOVERY,
        /** {@link Retransmission}. */
        RETRANSMISSION,
        /** {@link Sweep}. */
        SWEEP
    }

    /**
     * A transport has sent or received a message of LNet, or failed to; each attempt is told.
     *
     * @param sent whether it left, as opposed to came in
     * @param type PUT, GET, ACK or REPLY
     * @param ni the NI, null if none was chosen
     * @param peerNi the next hop, or the last; null if there is none
     * @param length payload, bytes
     * @param took of one that was sent, from the choice of its path to its end, ns; otherwise 0
     * @param attempt from 1
     * @param status 0, or a negative errno
     * @param health what the transport makes of it
     */
    record Message(
            boolean sent,
            Object type,
            @Nullable Object ni,
            @Nullable Object peerNi,
            int length,
            long took,
            int attempt,
            int status,
            Object health)
            implements Traced {}

    /**
     * A message of LNet that failed is sent again.
     *
     * @param type PUT, GET, ACK or REPLY
     * @param ni the NI that it leaves from now
     * @param peerNi where it goes now
     * @param failedNi the NI that it left from before
     * @param failedPeerNi where it went before
     * @param attempt from 2
     * @param attempts most that are made
     * @param health how it failed
     */
    record Resend(
            Object type,
            Object ni,
            Object peerNi,
            Object failedNi,
            Object failedPeerNi,
            int attempt,
            int attempts,
            Object health)
            implements Traced {}

    /**
     * The health of an NI or a peer NI of LNet changed; 0…1000.
     *
     * @param local whether it is an NI of this node
     * @param nid the NI
     */
    record HealthChange(boolean local, Object nid, int before, int now) implements Traced {}

    /**
     * A discovery of a peer of LNet ended.
     *
     * @param peer its primary NID
     * @param nids how many NIDs it has
     * @param took since it was asked for, ns
     * @param status 0, or a negative errno
     */
    record Discovery(Object peer, int nids, long took, int status) implements Traced {}

    /**
     * A software card goes back and sends packets again.
     *
     * @param device the card
     * @param queuePair number of the queue pair
     * @param peerQueuePair number of the peer's
     * @param psn packet sequence number of the first packet that is sent again
     * @param packets how many are sent again
     * @param reason why
     */
    record Retransmission(Object device, int queuePair, int peerQueuePair, int psn, int packets, Object reason)
            implements Traced {}

    /**
     * A heavy sweep of a subnet manager ended.
     *
     * @param number from 1
     * @param reason why it was made
     * @param result how it ended
     * @param took ns
     * @param requests MADs that it sent
     * @param switches that were found
     * @param ends other nodes that were found
     * @param linksDown cables that do not carry data at its end
     */
    record Sweep(
            long number, String reason, Object result, long took, long requests, int switches, int ends, int linksDown)
            implements Traced {}
}
