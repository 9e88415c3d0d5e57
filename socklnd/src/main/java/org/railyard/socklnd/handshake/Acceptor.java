package org.railyard.socklnd.handshake;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.railyard.base.ErrnoException;
import org.railyard.socklnd.tune.AcceptPolicy;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;

/**
 * The listeners: one per address and port, shared by the NIs that have the address (spec 02 §2.1). Guarded by its
 * owner.
 */
public final class Acceptor {
    private static final class Shared {
        private final List<Listener> listeners = new ArrayList<>();
        private int users;
    }

    private final Connector connector;
    private final SockLndConfig config;
    private final Map<InetAddress, Shared> byAddress = new HashMap<>();

    /** Makes an acceptor that hands connections over to a connector. */
    public Acceptor(Connector connector, SockLndConfig config) {
        this.connector = connector;
        this.config = config;
    }

    /**
     * Listens on an address on behalf of one more NI.
     *
     * @throws ErrnoException if it can not; then nothing is left listening for this NI
     */
    public void open(InetAddress address) {
        if (!config.listen() || config.accept() == AcceptPolicy.NONE) {
            return;
        }
        Shared shared = byAddress.get(address);
        if (shared == null) {
            shared = new Shared();
            listen(shared, address);
            byAddress.put(address, shared);
        }
        shared.users++;
    }

    private void listen(Shared shared, InetAddress address) {
        int control = config.get(SockTunable.ACCEPT_PORT);
        int bulk = config.get(SockTunable.ACCEPT_PORT_BULK);
        int backlog = config.get(SockTunable.ACCEPT_BACKLOG);
        shared.listeners.add(new Listener(connector, address, control, backlog));
        if (bulk != control && control != 0) {
            try {
                shared.listeners.add(new Listener(connector, address, bulk, backlog));
            } catch (ErrnoException e) {
                shared.listeners.getFirst().close();
                throw e;
            }
        }
        shared.listeners.forEach(Listener::start);
    }

    /** Stops listening on an address, unless other NIs have it too. */
    public void close(InetAddress address) {
        Shared shared = byAddress.get(address);
        if (shared != null && --shared.users == 0) {
            byAddress.remove(address);
            shared.listeners.forEach(Listener::close);
        }
    }

    /** Returns the port for control connections on an address, or 0 if nobody listens there. */
    public int port(InetAddress address) {
        Shared shared = byAddress.get(address);
        return shared == null ? 0 : shared.listeners.getFirst().port();
    }
}
