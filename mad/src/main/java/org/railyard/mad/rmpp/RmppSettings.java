package org.railyard.mad.rmpp;

import org.railyard.mad.wire.Mad;

/**
 * Limits of RMPP (spec 40 §4.1).
 *
 * @param window segments that a receiver lets be sent without acknowledgement
 * @param maxBytes largest message that is received, headers included
 * @param maxTransfers most messages that are sent or received at a time, each way
 * @param maxTransfersPerPeer most of them with one LID, each way: a peer can not take the places of all others
 * @param maxSendBytes most bytes of all messages that are sent at a time, of which one LID gets no more than it leaves
 *     to others; one message may always be sent
 * @param timeoutNanos time after which segments are sent again, ns
 * @param retries how often that is done without progress
 * @param firstRetries how often the first segment is sent again while none was acknowledged; 0 where the other end may
 *     not know RMPP: then it ends without a word
 * @param totalNanos time after which a transfer is given up, ns
 */
public record RmppSettings(
        int window,
        int maxBytes,
        int maxTransfers,
        int maxTransfersPerPeer,
        long maxSendBytes,
        long timeoutNanos,
        int retries,
        int firstRetries,
        long totalNanos) {
    /** 16 segments; 16 MiB received; 256 transfers, 64 with a peer, 64 MiB sent; 200 ms, 3 retries, 60 s. */
    public static final RmppSettings DEFAULT =
            new RmppSettings(16, 16 << 20, 256, 64, 64 << 20, 200_000_000L, 3, 3, 60_000_000_000L);

    /** Largest window. */
    public static final int MAX_WINDOW = 64;

    /** Checks the ranges. */
    public RmppSettings {
        if (window < 1
                || window > MAX_WINDOW
                || maxBytes < Mad.SIZE
                || maxBytes > Mad.MAX_MESSAGE
                || maxTransfers < 1
                || maxTransfersPerPeer < 1
                || maxSendBytes < 1
                || timeoutNanos < 1
                || retries < 0
                || firstRetries < 0
                || totalNanos < timeoutNanos) {
            throw new IllegalArgumentException(
                    ("window %d (1 to %d), %d bytes (%d to %d), %d transfers, %d with a peer, %d bytes"
                                    + " sent, %d ns, %d and %d retries, %d ns")
                            .formatted(
                                    window,
                                    MAX_WINDOW,
                                    maxBytes,
                                    Mad.SIZE,
                                    Mad.MAX_MESSAGE,
                                    maxTransfers,
                                    maxTransfersPerPeer,
                                    maxSendBytes,
                                    timeoutNanos,
                                    retries,
                                    firstRetries,
                                    totalNanos));
        }
    }

    /** Returns the same for an end that receives no longer messages than these, bytes, headers included. */
    public RmppSettings withMaxBytes(int most) {
        return new RmppSettings(
                window,
                most,
                maxTransfers,
                maxTransfersPerPeer,
                maxSendBytes,
                timeoutNanos,
                retries,
                firstRetries,
                totalNanos);
    }

    /**
     * Returns the same for a network in which tools do not know RMPP, such as that of ibsim (spec 42 §5): they would
     * take a segment that is sent again for the answer to their next request.
     */
    public RmppSettings towardsTools() {
        return new RmppSettings(
                window,
                maxBytes,
                maxTransfers,
                maxTransfersPerPeer,
                maxSendBytes,
                timeoutNanos,
                retries,
                0,
                totalNanos);
    }
}
