package org.railyard.roce;

/** Where an end of a connection stands. */
enum CmState {
    IDLE,
    LISTENING,
    RESOLVING_ADDRESS,
    ADDRESS_KNOWN,
    RESOLVING_ROUTE,
    ROUTE_KNOWN,
    /** It has asked, and waits for the answer. */
    CONNECTING,
    /** It was asked, and has not answered. */
    REQUESTED,
    /** It has accepted, and does not know whether the other side knows. */
    ACCEPTED,
    ESTABLISHED,
    /** It has said that it is over, and waits for the answer. */
    DISCONNECTING,
    OVER
}
