package org.railyard.lnet.runtime;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.Net;

/** The transports of a node, one per type of net, made when first needed. */
final class Transports {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");

    private final List<LndProvider> configured;
    private final LndUpcalls stack;
    private final Host host;
    private final Object configuration;
    private final Map<Integer, Lnd> byType = new LinkedHashMap<>();

    /**
     * Makes none yet.
     *
     * @param configuration the monitor that is held while the configuration of the node changes; it guards this
     */
    Transports(List<LndProvider> configured, LndUpcalls stack, Host host, Object configuration) {
        this.configuration = configuration;
        this.configured = configured;
        this.stack = stack;
        this.host = host;
    }

    /**
     * Returns the transport for a net.
     *
     * @throws ErrnoException EINVAL if there is none
     */
    Lnd get(Net net) {
        assert Thread.holdsLock(configuration);
        Lnd known = byType.get(net.typeNumber());
        if (known != null) {
            return known;
        }
        LndProvider provider = provider(net)
                .orElseThrow(() -> new ErrnoException(
                        Errno.EINVAL,
                        "no transport for net " + net + "; is the module of its LND on the module path?"));
        Lnd made = provider.create(stack, host);
        byType.put(net.typeNumber(), made);
        return made;
    }

    private Optional<LndProvider> provider(Net net) {
        for (LndProvider provider : configured) {
            if (provider.type().number() == net.typeNumber()) {
                return Optional.of(provider);
            }
        }
        return ServiceLoader.load(LndProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.type().number() == net.typeNumber())
                .findFirst();
    }

    /** Closes all; one that fails does not keep the others from being closed. */
    void close() {
        assert Thread.holdsLock(configuration);
        for (Lnd lnd : byType.values()) {
            try {
                lnd.close();
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.ERROR, "the transport for " + lnd.type() + " was not closed properly", e);
            }
        }
    }
}
