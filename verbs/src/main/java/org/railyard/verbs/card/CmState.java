package org.railyard.verbs.card;

/** Where an end of a connection stands, for connection managers made of software. */
public enum CmState {
    /** Nothing was asked of it yet. */
    IDLE,
    /** It takes requests. */
    LISTENING,
    /** It looks for the port behind an address. */
    RESOLVING_ADDRESS,
    /** The port is known. */
    ADDRESS_KNOWN,
    /** It asks for the path. */
    RESOLVING_ROUTE,
    /** The path is known. */
    ROUTE_KNOWN,
    /** It has asked, and waits for the answer. */
    CONNECTING,
    /** It was asked, and has not answered. */
    REQUESTED,
    /** It has accepted, and does not know whether the other side knows. */
    ACCEPTED,
    /** Both sides know that it is up. */
    ESTABLISHED,
    /** It has said that it is over, and waits for the answer. */
    DISCONNECTING,
    /** Nothing more can be done with it. */
    OVER
}
