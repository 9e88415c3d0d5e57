package org.railyard.socklnd;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.railyard.conformance.Capability;
import org.railyard.conformance.RealTimeFixture;
import org.railyard.host.RealHost;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.link.DeviceLinkState;
import org.railyard.socklnd.link.InterfaceTable;
import org.railyard.socklnd.tune.AcceptPolicy;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.tune.SourcePorts;

/**
 * Nodes on loopback addresses over TCP. Rail r of node n is 127.0.3r.(n+1); paths go through relays where they are to
 * stall or break.
 */
final class SockLndFixture extends RealTimeFixture {
    private static final int FIRST_IP = 0x7F00_1E01;
    private static final long AWAIT_NANOS = 30_000_000_000L;

    /** Control, bulk in, bulk out. */
    private static final int CONNECTIONS_PER_PEER = 3;

    private final boolean relayed;
    private final Node.Ports ports = new Node.Ports();
    private final Relay.Weather weather = new Relay.Weather();
    private final Map<Nid, Relay> relays = new ConcurrentHashMap<>();
    private final Set<InetAddress> down = ConcurrentHashMap.newKeySet();

    /** Makes a world whose paths go through relays, or are direct. */
    SockLndFixture(boolean relayed) {
        super(Net.TCP, FIRST_IP, new RealHost(), AWAIT_NANOS);
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
    protected Lnd transport(int node, LndUpcalls stack, int timeoutSeconds) {
        SockLndConfig config = SockLndConfig.builder()
                .acceptPort(0)
                .accept(AcceptPolicy.ALL)
                .sourcePorts(SourcePorts.ANY)
                .set(SockTunable.NSCHEDS, 2)
                .set(SockTunable.CONNS_PER_PEER, 1)
                .set(SockTunable.SOCK_TIMEOUT, timeoutSeconds)
                .set(SockTunable.MIN_RECONNECT_MS, 10)
                .set(SockTunable.MAX_RECONNECT_MS, 100)
                .peerPorts(ports)
                .linkMonitor((device, address) -> down.contains(address) ? DeviceLinkState.GONE : DeviceLinkState.UP)
                .build();
        return new SockLnd(config, stack, host());
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
    protected void closeWorld() {
        relays.values().forEach(Relay::close);
    }
}
