package org.railyard.lnet.discovery;

/** What discovery has to send to a peer now. */
enum Action {
    NONE,
    PING,
    PUSH
}
