package org.railyard.sm.sa;

/**
 * Who asks.
 *
 * @param port port index of the end port that the request came from
 * @param isTrusted the request has the key of the SA
 */
record Requester(int port, boolean isTrusted) {}
