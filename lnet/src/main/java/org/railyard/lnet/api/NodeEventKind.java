package org.railyard.lnet.api;

import java.util.Locale;

/** What happens to a node; see {@link NodeEvent}. */
public enum NodeEventKind {
    /** An NI was added. */
    NI_ADDED(false),
    /** An NI was removed. */
    NI_REMOVED(false),
    /** An NI is announced as up again. */
    NI_UP(false),
    /** An NI is announced as down: its device failed, or it has no health left. */
    NI_DOWN(true),
    /** The health of an NI changed. */
    NI_HEALTH(false),
    /** The device of an NI works again. */
    DEVICE_UP(false),
    /** The device of an NI failed, or lost its link. */
    DEVICE_DOWN(true),
    /** The device of an NI works worse than it should. */
    DEVICE_DEGRADED(true),
    /** A peer is known now. */
    PEER_ADDED(false),
    /** A peer is known no more, or became part of another. */
    PEER_REMOVED(false),
    /** A peer was discovered, for the first time or after a failure. */
    PEER_DISCOVERED(false),
    /** A discovery failed. */
    DISCOVERY_FAILED(true),
    /** The health of a peer NI changed. */
    PEER_HEALTH(false),
    /** A transport has a connection to a peer NI, and had none before. */
    CONNECTION_UP(false),
    /** A transport lost its connections to a peer NI, or can not make one. */
    CONNECTION_DOWN(true),
    /** A transport could not send a message, or its payload did not arrive. */
    MESSAGE_FAILED(true),
    /** A message that failed was sent again. */
    MESSAGE_RESENT(true),
    /** A message was not sent in time. */
    MESSAGE_EXPIRED(true),
    /** A message was dropped. */
    MESSAGE_DROPPED(true),
    /** No answer came in time. */
    RESPONSE_EXPIRED(true),
    /** A gateway answers again. */
    GATEWAY_UP(false),
    /** A gateway does not answer. */
    GATEWAY_DOWN(true),
    /** A route can be used. */
    ROUTE_UP(false),
    /** A route can not be used. */
    ROUTE_DOWN(true);

    private final boolean bad;
    private final String key = name().toLowerCase(Locale.ROOT).replace('_', '-');

    NodeEventKind(boolean bad) {
        this.bad = bad;
    }

    /** Returns its name in output, such as {@code ni-down}. */
    public String key() {
        return key;
    }

    /** Tells whether it is always a failure; see {@link NodeEvent#isBad}. */
    boolean isBad() {
        return bad;
    }
}
