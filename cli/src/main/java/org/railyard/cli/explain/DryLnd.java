package org.railyard.cli.explain;

import java.util.Map;
import org.jspecify.annotations.Nullable;
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
import org.railyard.lnet.nid.Nid;

/** A transport that has the interfaces of a configuration and sends nothing. */
final class DryLnd implements Lnd {
    private final NetType type;
    private final Map<String, Nid> nids;

    private DryLnd(NetType type, Map<String, Nid> nids) {
        this.type = type;
        this.nids = nids;
    }

    /** Makes such transports. */
    static final class Provider implements LndProvider {
        private final NetType type;
        private final Map<String, Nid> nids;

        /**
         * Makes a provider.
         *
         * @param nids the NIDs of interfaces, by {@link #key}
         */
        Provider(NetType type, Map<String, Nid> nids) {
            this.type = type;
            this.nids = nids;
        }

        @Override
        public NetType type() {
            return type;
        }

        @Override
        public Lnd create(LndUpcalls stack, Host host) {
            return new DryLnd(type, nids);
        }
    }

    /** Returns what the NID of an interface is found by. */
    static String key(NiRequest request) {
        return request.interfaceName() + " on " + request.net();
    }

    @Override
    public NetType type() {
        return type;
    }

    @Override
    public NiBinding resolve(NiRequest request) {
        String name = request.interfaceName();
        Nid nid = request.nid() == null ? nidOf(request, name) : request.nid();
        return new NiBinding(nid, name == null ? nid.toString() : name, -1);
    }

    private Nid nidOf(NiRequest request, @Nullable String name) {
        Nid nid = nids.get(key(request));
        if (nid == null && name != null) {
            nid = LocalAddresses.nidOf(request.net(), name);
        }
        if (nid == null) {
            throw new ErrnoException(
                    Errno.ENODEV,
                    "this machine has no usable interface " + name + ", and the file does not say which NID it has on "
                            + request.net() + "; write 'nid: …@" + request.net() + "' beside 'interfaces'");
        }
        return nid;
    }

    @Override
    public void startup(LndNi ni) {}

    @Override
    public void shutdown(LndNi ni) {}

    @Override
    public int send(LndNi ni, LndMessage message) {
        return Errno.ENETDOWN.status();
    }

    @Override
    public int timeoutSeconds() {
        return 0;
    }

    @Override
    public void close() {}
}
