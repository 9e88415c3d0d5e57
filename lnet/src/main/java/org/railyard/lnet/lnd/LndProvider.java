package org.railyard.lnet.lnd;

import org.railyard.base.host.Host;
import org.railyard.lnet.nid.NetType;

/** Makes a transport for a node. The default one of each type is found through {@code ServiceLoader}. */
public interface LndProvider {
    /** Returns the type of nets that its transports serve. */
    NetType type();

    /** Returns a new transport that reports to the given stack and takes time and chance from the given host. */
    Lnd create(LndUpcalls stack, Host host);
}
