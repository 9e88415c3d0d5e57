package org.railyard.o2iblnd;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.Errno;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.host.Host;
import org.railyard.lnet.host.LimitedLog;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.MessageType;
import org.railyard.o2iblnd.tune.EffectiveTunables;
import org.railyard.o2iblnd.tune.Era;
import org.railyard.o2iblnd.tune.Remark;
import org.railyard.o2iblnd.tune.Tunable;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsInterface;
import org.railyard.verbs.VerbsProvider;

/** LNet over InfiniBand verbs, on any provider (spec 20). Thread-safe: callers hand over, everything happens in one loop of the provider. */
public final class O2ibLnd implements Lnd {
    private static final System.Logger LOG = System.getLogger(O2ibLnd.class.getName());
    private static final long SECOND = 1_000_000_000L;

    private final LndUpcalls stack;
    private final Host host;
    private final VerbsProvider verbs;
    private final Tunables defaults;
    private final EventLoop loop;
    private final LimitedLog log;
    private final List<IbNi> nis = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    /**
     * Makes a transport.
     *
     * @param stack what it reports to
     * @param host where it takes wall-clock time from
     * @param verbs the cards; stays the caller's
     * @param defaults values of tunables for NIs that have none of their own
     */
    public O2ibLnd(LndUpcalls stack, Host host, VerbsProvider verbs, Tunables defaults) {
        this.stack = stack;
        this.host = host;
        this.verbs = verbs;
        this.defaults = defaults;
        this.loop = verbs.createEventLoop("o2iblnd");
        this.log = new LimitedLog(LOG, System.Logger.Level.WARNING, host.clock());
    }

    @Override
    public NetType type() {
        return NetType.O2IB;
    }

    LndUpcalls stack() {
        return stack;
    }

    VerbsProvider verbs() {
        return verbs;
    }

    EventLoop loop() {
        return loop;
    }

    long now() {
        return verbs.clock().nanoTime();
    }

    /** Returns the time of the stack, whose clock may be another than that of the cards. */
    long stackNanos() {
        return host.clock().nanoTime();
    }

    long wallNanos() {
        return host.clock().wallNanos();
    }

    long timeoutNanos() {
        int seconds = defaults.get(Tunable.TIMEOUT);
        return (seconds == 0 ? Tunable.TIMEOUT.defaultValue() : seconds) * SECOND;
    }

    boolean isClosed() {
        return closed;
    }

    void warn(String line) {
        log.log(line, line);
    }

    @Override
    public NiBinding resolve(NiRequest request) {
        effective(request.tunables(), request.lndTunables());
        VerbsInterface found = find(request.interfaceName(), request.nid())
                .orElseThrow(() -> new LNetException(
                        Errno.ENETDOWN,
                        "no InfiniBand interface "
                                + (request.interfaceName() != null
                                        ? request.interfaceName()
                                        : request.nid() != null ? "with the address of " + request.nid() : "at all")));
        return new NiBinding(Nid.of(request.net(), found.ip()), found.name(), -1);
    }

    private Optional<VerbsInterface> find(@Nullable String name, @Nullable Nid nid) {
        return verbs.interfaces().stream()
                .filter(each -> name == null || each.name().equals(name))
                .filter(each -> nid == null || nid.isNid4() && each.ip() == (int) nid.nid4())
                .findFirst();
    }

    /** Works out what tunables count for an NI; those of its net are the same for all transports. */
    private EffectiveTunables effective(NetTunables net, Map<String, Integer> given) {
        Tunables tunables = defaults.with(Tunable.PEER_CREDITS, net.peerCredits())
                .with(Tunable.CREDITS, net.credits())
                .with(Tunable.PEER_TIMEOUT, net.peerTimeout())
                .with(Tunable.PEER_BUFFER_CREDITS, net.peerBufferCredits());
        for (Map.Entry<String, Integer> each : given.entrySet()) {
            tunables = tunables.with(Tunable.named(each.getKey()), each.getValue());
        }
        EffectiveTunables effective = new EffectiveTunables(tunables, Era.NOW, Kib.V2, false);
        if (!effective.isUsable()) {
            Remark first = effective.remarks().stream()
                    .filter(remark -> remark.severity() == Remark.Severity.ERROR)
                    .findFirst()
                    .orElseThrow();
            throw new LNetException(Errno.EINVAL, first.subject() + ": " + first.text());
        }
        return effective;
    }

    @Override
    public void startup(LndNi ni) {
        EffectiveTunables tunables = effective(ni.tunables(), ni.lndTunables());
        VerbsInterface found = find(ni.interfaceName(), ni.nid())
                .orElseThrow(() -> new LNetException(Errno.ENETDOWN, "interface " + ni.interfaceName() + " is gone"));
        tunables.remarks().forEach(remark -> warn(ni.nid() + ": " + remark));
        if (closed) {
            throw new LNetException(Errno.ESHUTDOWN, "the transport is closed");
        }
        loop.call(() -> {
            if (ofNi(ni) != null) {
                throw new LNetException(Errno.EEXIST, "NI " + ni.nid() + " is started already");
            }
            IbNi made;
            try {
                made = new IbNi(this, ni, found, tunables);
            } catch (VerbsException e) {
                throw new LNetException(
                        Errno.ENETDOWN, "NI " + ni.nid() + " on " + found.name() + ": " + e.getMessage());
            }
            made.start();
            nis.add(made);
        });
    }

    private @Nullable IbNi ofNi(LndNi ni) {
        for (IbNi each : nis) {
            if (each.ni() == ni) {
                return each;
            }
        }
        return null;
    }

    @Override
    public void shutdown(LndNi ni) {
        IbNi found = ofNi(ni);
        if (found != null) {
            nis.remove(found);
            loop.call(found::stop);
        }
    }

    @Override
    public int send(LndNi ni, LndMessage message) {
        IbNi found = ofNi(ni);
        if (found == null || found.isStopped()) {
            return Errno.ESHUTDOWN.status();
        }
        if (!message.nextHop().isNid4() || !message.nextHop().isOn(ni.net())) {
            return Errno.EHOSTUNREACH.status();
        }
        found.take(message);
        return 0;
    }

    /** Returns the message of the transport that an LNet message begins with. */
    static KibType typeFor(LndMessage message) {
        return message.payloadLength() <= KibMessage.MAX_IMMEDIATE_PAYLOAD ? KibType.IMMEDIATE : KibType.PUT_REQ;
    }

    @Override
    public int timeoutSeconds() {
        return defaults.get(Tunable.TIMEOUT);
    }

    @Override
    public int messagesPer(MessageType type, int payload) {
        // PUT_REQ and PUT_DONE.
        return payload > KibMessage.MAX_IMMEDIATE_PAYLOAD ? 2 : 1;
    }

    @Override
    public void close() {
        if (!closed) {
            List.copyOf(nis).forEach(each -> shutdown(each.ni()));
            closed = true;
            loop.close();
        }
    }
}
