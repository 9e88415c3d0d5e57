package org.railyard.cli.demo;

import java.net.InetAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.LinkMonitor;

/** The cables of the demo: says to the transports of both nodes that a rail has lost its link, as the system would for a pulled cable. Thread-safe. */
final class Rails implements LinkMonitor {
    private final Set<InetAddress> dead = ConcurrentHashMap.newKeySet();

    Rails() {}

    void cut(Nid... ends) {
        for (Nid end : ends) {
            dead.add(Addresses.of(end));
        }
    }

    void mend(Nid... ends) {
        for (Nid end : ends) {
            dead.remove(Addresses.of(end));
        }
    }

    @Override
    public boolean isUp(String interfaceName, InetAddress address) {
        return !dead.contains(address);
    }
}
