package org.railyard.lnet.api;

/** Kinds of event (spec 10 §5.3). */
public enum EventKind {
    /** At the target: the REPLY to an incoming GET was handed off. */
    GET,
    /** At the target: the payload of an incoming PUT is in the MD. */
    PUT,
    /** At the initiator: the data asked for has arrived, or the transaction timed out. */
    REPLY,
    /** At the initiator: the target's ACK has arrived, or the transaction timed out. */
    ACK,
    /**
     * At the initiator: the message left (status 0; its memory is free again) or could not be sent. With ETIMEDOUT, a
     * transport that does not keep to its limit may still read the memory until it gives the message back; what arrives
     * then is of no interest to anybody here.
     */
    SEND,
    /** At the owner: an idle MD was unlinked. */
    UNLINK
}
