package org.railyard.softverbs;

/** Where an end of a connection stands. */
enum CmState {
    IDLE,
    LISTENING,
    RESOLVING_ADDRESS,
    ADDRESS_KNOWN,
    RESOLVING_ROUTE,
    ROUTE_KNOWN,
    CONNECTING,
    REQUESTED,
    ACCEPTED,
    ESTABLISHED,
    DISCONNECTING,
    OVER
}
