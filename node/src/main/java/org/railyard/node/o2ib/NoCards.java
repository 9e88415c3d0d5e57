package org.railyard.node.o2ib;

import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.NetType;

/** The InfiniBand transport of a daemon that was started without cards: it tells so. */
public final class NoCards implements LndProvider, Lnd {
    private final String reason;

    /**
     * Makes it.
     *
     * @param reason why there are none, and what to do
     */
    public NoCards(String reason) {
        this.reason = reason;
    }

    @Override
    public NetType type() {
        return NetType.O2IB;
    }

    @Override
    public Lnd create(LndUpcalls stack, Host host) {
        return this;
    }

    @Override
    public NiBinding resolve(NiRequest request) {
        throw new ErrnoException(Errno.ENODEV, "no NI on " + request.net() + ": " + reason);
    }

    @Override
    public void startup(LndNi ni) {
        throw new ErrnoException(Errno.ENODEV, "no NI on " + ni.net() + ": " + reason);
    }

    @Override
    public void shutdown(LndNi ni) {
        // There is none.
    }

    @Override
    public int send(LndNi ni, LndMessage message) {
        return Errno.ENODEV.status();
    }

    @Override
    public int timeoutSeconds() {
        return 0;
    }

    @Override
    public void close() {
        // There is nothing to give back.
    }
}
