package org.railyard.roce.card;

import org.railyard.roce.wire.Frame;

/** Gets what comes for the connection manager. */
@FunctionalInterface
public interface DatagramListener {
    /**
     * A datagram came to queue pair 1.
     *
     * @param from the IP address it came from
     * @param packet valid during the call
     */
    void onDatagram(RocePort port, int from, Frame packet);
}
