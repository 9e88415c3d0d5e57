package org.railyard.softverbs.net;

/** How closely a simulated fabric looks at what travels on it. */
public enum Fidelity {
    /** A message is one event: it occupies the port that sends it, and does not meet others on its way. */
    MESSAGE,
    /**
     * A message is as many packets as it takes: they wait in buffers for credits, block each other, and can come to
     * stand still.
     */
    PACKET
}
