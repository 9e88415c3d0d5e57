package org.railyard.lnet.api;

import java.util.Locale;

/** What a node counts as a whole, in the order of output (spec 10 §17.2). Lengths are payload bytes. */
public enum Statistic {
    /** Messages on their way now. */
    MSGS_ALLOC,
    /** Most messages that ever were on their way. */
    MSGS_MAX,
    /** Responses that are timed now. */
    RST_ALLOC,
    /** Messages that were refused because they break the protocol. */
    ERRORS,
    /** Messages sent, forwarded ones excluded. */
    SEND_COUNT,
    /** Messages sent again. */
    RESEND_COUNT,
    /** Responses that did not come in time. */
    RESPONSE_TIMEOUT_COUNT,
    /** Failures with {@code LOCAL_INTERRUPT}. */
    LOCAL_INTERRUPT_COUNT,
    /** Failures with {@code LOCAL_DROPPED}. */
    LOCAL_DROPPED_COUNT,
    /** Failures with {@code LOCAL_ABORTED}. */
    LOCAL_ABORTED_COUNT,
    /** Failures with {@code LOCAL_NO_ROUTE}. */
    LOCAL_NO_ROUTE_COUNT,
    /** Failures with {@code LOCAL_TIMEOUT}. */
    LOCAL_TIMEOUT_COUNT,
    /** Failures with {@code LOCAL_ERROR}. */
    LOCAL_ERROR_COUNT,
    /** Failures with {@code REMOTE_DROPPED}. */
    REMOTE_DROPPED_COUNT,
    /** Failures with {@code REMOTE_ERROR}. */
    REMOTE_ERROR_COUNT,
    /** Failures with {@code REMOTE_TIMEOUT}. */
    REMOTE_TIMEOUT_COUNT,
    /** Failures with {@code NETWORK_TIMEOUT}. */
    NETWORK_TIMEOUT_COUNT,
    /** Messages that were sent again and failed for good. */
    FAILED_RESENDS,
    /** Messages that were sent again and got through. */
    SUCCESSFUL_RESENDS,
    /** Messages received, forwarded ones excluded. */
    RECV_COUNT,
    /** Messages forwarded. */
    ROUTE_COUNT,
    /** Messages dropped. */
    DROP_COUNT,
    /** Payload sent. */
    SEND_LENGTH,
    /** Payload received. */
    RECV_LENGTH,
    /** Payload forwarded. */
    ROUTE_LENGTH,
    /** Payload dropped. */
    DROP_LENGTH;

    private final String key = name().toLowerCase(Locale.ROOT);

    /** Returns its name in output. */
    public String key() {
        return key;
    }
}
