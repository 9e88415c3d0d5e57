package org.railyard.lnet.model;

/**
 * What this node does with a message at the moment.
 *
 * <pre>
 * from               to                 when
 * NONE               REQUEST, PROBE,    a PUT or GET is started here
 *                    RECOVERY_PING
 * NONE               RECEIVED           a message for this node came in
 * NONE               FORWARD_IN         a message for another node came in
 * NONE               PLACED_IN          a GET leaves that says where the peer is to write
 * NONE               RESPONSE           the event of a PUT is delivered: its message, cleared, carries the ACK
 * NONE               EVENT              a descriptor has something to tell that belongs to no message
 * NONE               any that sends     the event of a message is told while a transport still has the message
 * RECEIVED           RESPONSE           a GET matched: the message carries the REPLY
 * RECEIVED           PLACED_OUT         a GET matched that says where to write: its transport writes the REPLY
 * RECEIVED           ACK_OWED           a PUT is stored, and its sender wants an ACK
 * FORWARD_IN         FORWARD_OUT        the payload is in a router buffer
 * any                NONE               the message is done with, and goes back to the pool
 * </pre>
 */
public enum Role {
    /** It is in the pool, or new. */
    NONE,
    /** A PUT or GET of ours, to be sent. */
    REQUEST,
    /** A GET of ours that only looks how things are: its outcome costs nobody health and gives nobody any. */
    PROBE,
    /** A GET of ours to its very target, which is never sent again (spec 10 §13). */
    RECOVERY_PING,
    /** An ACK or REPLY of ours, to be sent. */
    RESPONSE,
    /**
     * A REPLY of ours that no header travels for, since the GET says where to write. Like {@link #PLACED_IN} without
     * credits, deadline and health of its own (spec 10 §6).
     */
    PLACED_OUT,
    /** The REPLY to a GET of ours that says where to write. */
    PLACED_IN,
    /** It came in and is for this node. */
    RECEIVED,
    /** A PUT that is stored: when its event has been delivered, the message becomes its ACK (spec 10 §5.4). */
    ACK_OWED,
    /** It came in and is for another node. */
    FORWARD_IN,
    /** It is for another node, to be sent: its header keeps source and process ids (spec 11 §6.9). */
    FORWARD_OUT,
    /** It only carries an event. */
    EVENT;

    /** Tells whether the message is being sent, as opposed to received. */
    public boolean isSending() {
        return switch (this) {
            case REQUEST, PROBE, RECOVERY_PING, RESPONSE, PLACED_OUT, FORWARD_OUT -> true;
            case NONE, PLACED_IN, RECEIVED, ACK_OWED, FORWARD_IN, EVENT -> false;
        };
    }

    /** Tells whether the message is an ACK or a REPLY of ours. */
    public boolean isResponse() {
        return this == RESPONSE || this == PLACED_OUT;
    }

    /** Tells whether this node is a router that passes the message on. */
    public boolean isForwarding() {
        return this == FORWARD_IN || this == FORWARD_OUT;
    }

    /** Tells whether no header travels for the message. */
    public boolean isPlaced() {
        return this == PLACED_OUT || this == PLACED_IN;
    }

    /** Tells whether a message of this role can get another one, as the table says. */
    boolean mayBecome(Role next) {
        return next == NONE
                || switch (this) {
                    case NONE -> next != ACK_OWED;
                    case RECEIVED -> next == RESPONSE || next == PLACED_OUT || next == ACK_OWED;
                    case FORWARD_IN -> next == FORWARD_OUT;
                    case ACK_OWED, REQUEST, PROBE, RECOVERY_PING, RESPONSE, PLACED_OUT, PLACED_IN, FORWARD_OUT, EVENT ->
                        false;
                };
    }
}
