package org.railyard.socklnd;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.railyard.conformance.Capability;
import org.railyard.conformance.LndFixture;
import org.railyard.conformance.SteeredHost;
import org.railyard.host.RealHost;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.link.DeviceLinkState;
import org.railyard.socklnd.link.InterfaceTable;
import org.railyard.socklnd.tune.AcceptPolicy;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.tune.SourcePorts;

/**
 * Nodes on loopback addresses over TCP. Rail r of node n is 127.0.3r.n; paths go through relays where they are to stall
 * or break.
 */
final class SockLndFixture implements LndFixture {
    /** Limit of everything that takes time at node 0; passed quickly by {@link #elapse}. */
    private static final int TIMEOUT_SECONDS = 10;

    /** Limit at other nodes: node 0 gives up first when a path between them stalls. */
    private static final int OTHERS_TIMEOUT_SECONDS = 40;

    private static final long AWAIT_NANOS = 30_000_000_000L;
    private static final long LOOK_NANOS = 500_000;

    /** So fast does time go by in {@link #elapse}: slow enough for a handshake that is answered. */
    private static final Duration STEP = Duration.ofMillis(250);

    private static final long STEP_LOOK_NANOS = 10_000_000;

    /** Control, bulk in, bulk out. */
    private static final int CONNECTIONS_PER_PEER = 3;

    private final boolean relayed;
    private final SteeredHost host = new SteeredHost(new RealHost());
    private final Node.Ports ports = new Node.Ports();
    private final Relay.Weather weather = new Relay.Weather();
    private final Map<Nid, Relay> relays = new ConcurrentHashMap<>();
    private final Set<InetAddress> down = ConcurrentHashMap.newKeySet();
    private final List<SockLnd> lnds = new ArrayList<>();

    /** Makes a world whose paths go through relays, or are direct. */
    SockLndFixture(boolean relayed) {
        this.relayed = relayed;
    }

    @Override
    public Optional<String> lacks(Capability capability) {
        return switch (capability) {
            case STALL, RESET -> relayed ? Optional.empty() : Optional.of("paths are direct here");
            default -> Optional.empty();
        };
    }

    @Override
    public Lnd start(int node, LndUpcalls stack) {
        SockLndConfig config = SockLndConfig.builder()
                .acceptPort(0)
                .accept(AcceptPolicy.ALL)
                .sourcePorts(SourcePorts.ANY)
                .set(SockTunable.NSCHEDS, 2)
                .set(SockTunable.CONNS_PER_PEER, 1)
                .set(SockTunable.SOCK_TIMEOUT, node == 0 ? TIMEOUT_SECONDS : OTHERS_TIMEOUT_SECONDS)
                .set(SockTunable.MIN_RECONNECT_MS, 10)
                .set(SockTunable.MAX_RECONNECT_MS, 100)
                .peerPorts(ports)
                .linkMonitor((device, address) -> down.contains(address) ? DeviceLinkState.GONE : DeviceLinkState.UP)
                .build();
        SockLnd lnd = new SockLnd(config, stack, host);
        lnds.add(lnd);
        return lnd;
    }

    @Override
    public Nid nid(int node, int rail) {
        return Nid.parse("127.0.3" + rail + "." + (node + 1) + "@tcp");
    }

    @Override
    public Nid largeNid(int node) {
        return Nid.parse("::1@tcp");
    }

    @Override
    public Nid nobody() {
        return Nid.parse("127.0.39.1@tcp");
    }

    @Override
    public NiRequest withoutDevice() {
        return NiRequest.ofInterface(Net.TCP, "nosuchdevice0");
    }

    @Override
    public void started(Lnd lnd, LndNi ni) {
        int port = ((SockLnd) lnd).listenPort(ni);
        if (!relayed) {
            ports.set(ni.nid(), port);
            return;
        }
        Relay relay = new Relay(weather, new InetSocketAddress(InterfaceTable.addressOf(ni.nid()), port));
        Relay before = relays.put(ni.nid(), relay);
        ports.set(ni.nid(), relay.port());
        if (before != null) {
            before.close();
        }
    }

    @Override
    public boolean isSettled(Lnd lnd, int peers) {
        return ((SockLnd) lnd).stats().connectionsOpen() == peers * CONNECTIONS_PER_PEER;
    }

    @Override
    public long timeoutNanos() {
        return TIMEOUT_SECONDS * 1_000_000_000L;
    }

    @Override
    public long nanoTime() {
        return host.clock().nanoTime();
    }

    @Override
    public boolean await(BooleanSupplier condition) {
        long end = System.nanoTime() + AWAIT_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }

    @Override
    public boolean elapse(BooleanSupplier condition) {
        long end = System.nanoTime() + AWAIT_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(STEP_LOOK_NANOS);
            host.advance(STEP);
        }
        return true;
    }

    @Override
    public void device(int node, int rail, boolean up) {
        InetAddress address = InterfaceTable.addressOf(nid(node, rail));
        if (up) {
            down.remove(address);
        } else {
            down.add(address);
        }
    }

    @Override
    public void stall(Nid from, Nid to, boolean stalled) {
        weather.stall(InterfaceTable.addressOf(from), InterfaceTable.addressOf(to), stalled);
    }

    @Override
    public void reset(Nid one, Nid other) {
        for (Relay relay : relays.values()) {
            relay.reset(InterfaceTable.addressOf(one), InterfaceTable.addressOf(other));
        }
    }

    @Override
    public void close() {
        lnds.forEach(SockLnd::close);
        relays.values().forEach(Relay::close);
    }
}
