package org.railyard.cli.demo;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.link.DeviceLinkState;
import org.railyard.socklnd.link.LinkMonitor;
import org.railyard.socklnd.tune.PeerPorts;
import org.railyard.socklnd.wire.ConnectionType;

/**
 * The cables of the demo. A rail can lose its link: the transports of both nodes are told, as the system would tell of
 * a pulled cable. Or it can go silent: nobody is told, and nothing gets through. Thread-safe.
 */
final class Rails implements LinkMonitor, PeerPorts, AutoCloseable {
    private final int port;
    private final Set<InetAddress> dead = ConcurrentHashMap.newKeySet();
    private final Map<Nid, Cable> cables = new LinkedHashMap<>();

    /**
     * Lays cables.
     *
     * @param port where all nodes listen
     * @param breakable NIDs the ways to which can go silent
     */
    Rails(int port, Nid... breakable) {
        this.port = port;
        for (Nid nid : breakable) {
            cables.put(nid, new Cable(Addresses.of(nid), port));
        }
    }

    /** Takes the link of some NIDs, or gives it back. */
    void link(boolean up, Nid... ends) {
        for (Nid end : ends) {
            if (up) {
                dead.remove(Addresses.of(end));
            } else {
                dead.add(Addresses.of(end));
            }
        }
    }

    /** Makes all cables silent, or lets them go on. */
    void silence(boolean silent) {
        cables.values().forEach(cable -> cable.silence(silent));
    }

    @Override
    public DeviceLinkState look(String interfaceName, InetAddress address) {
        return dead.contains(address) ? DeviceLinkState.DOWN : DeviceLinkState.UP;
    }

    @Override
    public int portOf(Nid peer, ConnectionType type) {
        Cable cable = cables.get(peer);
        return cable == null ? port : cable.port();
    }

    @Override
    public void close() {
        cables.values().forEach(Cable::close);
    }
}
