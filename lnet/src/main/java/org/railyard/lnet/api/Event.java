package org.railyard.lnet.api;

import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.MessageType;

/**
 * What happened to a memory descriptor; the fields and when they are set are those of spec 10 §5.3. Valid during the
 * handler's call only.
 */
public interface Event {
    /** Returns what happened. */
    EventKind kind();

    /** Returns the memory descriptor it happened to. */
    Md md();

    /** Returns 0, or a negative errno. */
    int status();

    /** Tells whether this is the last event of the MD, which is gone now. */
    boolean unlinked();

    /** Returns the number of this event among all events of the node; later events have larger numbers. */
    long sequence();

    /** Returns the type of message that caused the event; PUT or GET for SEND. */
    MessageType messageType();

    /** Returns the destination in the message header. */
    Nid targetNid();

    /** Returns the destination's process id in the message header. */
    int targetPid();

    /** Returns the primary NID of the node that sent the message; {@link Nid#ANY} for SEND. */
    Nid initiatorNid();

    /** Returns the process id of the sender. */
    int initiatorPid();

    /** Returns the source NID on the wire, to answer to; {@link Nid#ANY} for SEND. */
    Nid sourceNid();

    /** Returns the NID of the last hop; {@link Nid#ANY} for SEND. */
    Nid senderNid();

    /** PUT, GET, SEND: portal index. */
    int portal();

    /** PUT, GET, SEND, ACK: match bits. */
    long matchBits();

    /** Returns the length asked for, bytes; 0 for ACK. */
    int rlength();

    /** Returns the length accepted or stored, bytes; for ACK what the target accepted. */
    int mlength();

    /** PUT, GET: where in the MD; SEND: the offset in the header; bytes. */
    int offset();

    /** PUT and SEND of a PUT: the sender's 64 out-of-band bits. */
    long hdrData();

    /** Returns a copy that stays valid. */
    Event snapshot();
}
