package org.railyard.socklnd;

import org.railyard.base.host.Host;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.NetType;
import org.railyard.socklnd.tune.SockLndConfig;

/** Makes {@link SockLnd}s. Found through {@code ServiceLoader} with default tunables. */
public final class SockLndProvider implements LndProvider {
    private final SockLndConfig config;

    /** For {@code ServiceLoader}: the defaults. */
    public SockLndProvider() {
        this(SockLndConfig.defaults());
    }

    /** Makes a provider with the given tunables. */
    public SockLndProvider(SockLndConfig config) {
        this.config = config;
    }

    @Override
    public NetType type() {
        return NetType.TCP;
    }

    @Override
    public Lnd create(LndUpcalls stack, Host host) {
        return new SockLnd(config, stack, host);
    }
}
