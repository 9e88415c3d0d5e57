package org.railyard.lnet.sim;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.EventRing;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;

/**
 * A transport that delivers on the calling thread, before send returns, and allocates nothing. For as many threads as
 * like.
 */
public final class DirectLnd implements Lnd {
    private record Endpoint(LndNi ni, LndUpcalls stack) {}

    /** Nodes that are connected by these transports. */
    public static final class Wire implements LndProvider {
        private final Map<Nid, Endpoint> endpoints = new ConcurrentHashMap<>();
        private @Nullable HealthStatus failure;
        private boolean odd;
        private int together;

        /** Fails every other message from now on. */
        public void failEveryOther(HealthStatus health) {
            failure = health;
        }

        /**
         * Takes so many messages at a time from now on, of those that it is handed together; with a negative number it
         * fails to take any.
         */
        public void takeTogether(int most) {
            together = most;
        }

        @Override
        public NetType type() {
            return NetType.TCP;
        }

        @Override
        public Lnd create(LndUpcalls stack, Host host) {
            return new DirectLnd(this, stack);
        }

        /** Starts a node. */
        public LNet node(Host host, String... nids) {
            return node(host, Settings.of(CompatProfile.DOCUMENTS), nids);
        }

        /** Starts a node. */
        public LNet node(Host host, Settings settings, String... nids) {
            LNetConfig.Builder config = LNetConfig.builder()
                    .host(host)
                    .listener(new EventRing())
                    .lnd(this)
                    .settings(settings);
            for (String nid : nids) {
                config.ni(NiRequest.ofNid(Nid.parse(nid)));
            }
            return LNet.start(config.build());
        }
    }

    /** One message on its way from memory to memory. */
    private static final class Transfer implements LndReceiver {
        private @Nullable LndMessage from;
        private @Nullable LndUpcalls stack;

        @Override
        public void receive(@Nullable LndMessage to, int mlen, int rlen) {
            if (to == null) {
                return;
            }
            if (from == null || stack == null) {
                throw new AssertionError("nothing to receive");
            }
            int source = 0;
            for (int i = 0; i < to.fragmentCount(); i++) {
                ByteBuffer target = to.fragments()[i];
                while (target.hasRemaining()) {
                    ByteBuffer bytes = from.fragments()[source];
                    int take = Math.min(target.remaining(), bytes.remaining());
                    target.put(target.position(), bytes, bytes.position(), take);
                    target.position(target.position() + take);
                    bytes.position(bytes.position() + take);
                    source += bytes.hasRemaining() ? 0 : 1;
                }
            }
            stack.complete(to, 0, HealthStatus.OK);
        }
    }

    private final Wire wire;
    private final Map<Nid, Endpoint> endpoints;
    private final LndUpcalls stack;
    // One per thread and node is enough: while a node hands out a message, it hands out no other one on the same
    // thread.
    private final ThreadLocal<Transfer> transfers = ThreadLocal.withInitial(Transfer::new);

    private DirectLnd(Wire wire, LndUpcalls stack) {
        this.wire = wire;
        this.endpoints = wire.endpoints;
        this.stack = stack;
    }

    @Override
    public NetType type() {
        return NetType.TCP;
    }

    @Override
    public NiBinding resolve(NiRequest request) {
        Nid nid = request.nid();
        if (nid == null) {
            throw new ErrnoException(Errno.ENETDOWN, "no interface " + request.interfaceName());
        }
        return new NiBinding(nid, "direct0", -1);
    }

    @Override
    public void startup(LndNi ni) {
        endpoints.put(ni.nid(), new Endpoint(ni, stack));
    }

    @Override
    public void shutdown(LndNi ni) {
        endpoints.remove(ni.nid());
    }

    @Override
    public int send(LndNi ni, LndMessage message) {
        Endpoint to = endpoints.get(message.nextHop());
        if (to == null || !endpoints.containsKey(ni.nid())) {
            return Errno.EHOSTUNREACH.status();
        }
        HealthStatus failure = wire.failure;
        if (failure != null) {
            wire.odd = !wire.odd;
            if (wire.odd) {
                stack.complete(message, Errno.EIO.status(), failure);
                return 0;
            }
        }
        Transfer transfer = transfers.get();
        transfer.from = message;
        transfer.stack = to.stack;
        int status = to.stack.parse(
                to.ni, message.header(), ni.nid(), message.header().srcPid(), transfer);
        transfer.from = null;
        transfer.stack = null;
        stack.complete(message, status, status < 0 ? HealthStatus.REMOTE_ERROR : HealthStatus.OK);
        return 0;
    }

    @Override
    public int sendSome(LndNi ni, @Nullable LndMessage[] messages, int count) {
        if (wire.together < 0) {
            throw new IllegalStateException("wanted by the test");
        }
        int taken = 0;
        while (taken < Math.min(count, wire.together)) {
            LndMessage next = messages[taken];
            if (next == null || send(ni, next) != 0) {
                return taken;
            }
            taken++;
        }
        return taken;
    }

    @Override
    public int timeoutSeconds() {
        return 0;
    }

    @Override
    public void close() {}
}
