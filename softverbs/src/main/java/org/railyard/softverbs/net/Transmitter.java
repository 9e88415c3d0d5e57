package org.railyard.softverbs.net;

import java.util.BitSet;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.route.Routing;

/** Takes from port to port what cards and connection managers send. */
interface Transmitter {
    /** Sends something; returns when it is expected to arrive, ns of virtual time. */
    long send(Transmission sent);

    /** Links went down or came up; of a cable one end is enough. */
    void linksChanged(BitSet ports, boolean up);

    /** A link carries more or less than before. */
    void rateChanged(int port, int lanes, LinkSpeed speed);

    /** Switches and cards have new tables. */
    void rerouted(Routing routing);
}
