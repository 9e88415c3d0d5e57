package org.railyard.lnet.stack;

import org.railyard.lnet.model.Peer;

/** What the sending path asks of discovery. Called with the lock held. */
public interface DiscoveryGate {
    /** Tells whether messages to a peer may go without discovery. */
    boolean mayPass(Peer peer);

    /** Wants a peer discovered; what waits for it is in {@link Peer#parked}. */
    void request(Peer peer);
}
