package org.railyard.conformance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.railyard.base.host.Host;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/** Three nodes in real time whose NIDs are IPv4 addresses: rail r of node n is {@code first + 256 r + n}. */
public abstract class RealTimeFixture implements LndFixture {
    /** How many nodes there are. */
    protected static final int NODES = 3;

    /** How many rails each node has. */
    protected static final int RAILS = 2;

    /** Limit of everything that takes time at node 0; passed quickly by {@link #elapse}. */
    private static final int TIMEOUT_SECONDS = 10;

    /** Limit at other nodes: node 0 gives up first when a path between them stalls. */
    private static final int OTHERS_TIMEOUT_SECONDS = 40;

    private static final long LOOK_NANOS = 200_000;

    /** So fast does time go by in {@link #elapse}: slow enough for a handshake that is answered. */
    private static final Duration STEP = Duration.ofMillis(250);

    private static final long STEP_LOOK_NANOS = 10_000_000;

    private final Net net;
    private final int firstIp;
    private final SteeredHost host;
    private final long awaitNanos;
    private final List<Lnd> lnds = new ArrayList<>();

    /**
     * Makes the world, without its transports.
     *
     * @param net net of all NIDs
     * @param firstIp IPv4 address of node 0 on rail 0
     * @param real the machine below
     * @param awaitNanos limit of {@link #await} and {@link #elapse}, ns
     */
    protected RealTimeFixture(Net net, int firstIp, Host real, long awaitNanos) {
        this.net = net;
        this.firstIp = firstIp;
        this.host = new SteeredHost(real);
        this.awaitNanos = awaitNanos;
    }

    /** Makes the transport of a node, whose own limit for a message is so long, s. */
    protected abstract Lnd transport(int node, LndUpcalls stack, int timeoutSeconds);

    /** Gives back what the transports, which are closed by now, worked with. */
    protected abstract void closeWorld();

    /** Returns the machine of all nodes. */
    protected final SteeredHost host() {
        return host;
    }

    /** Returns the IPv4 address of a node on a rail. */
    protected final int ip(int node, int rail) {
        return firstIp + (rail << Byte.SIZE) + node;
    }

    @Override
    public final Lnd start(int node, LndUpcalls stack) {
        Lnd lnd = transport(node, stack, node == 0 ? TIMEOUT_SECONDS : OTHERS_TIMEOUT_SECONDS);
        lnds.add(lnd);
        return lnd;
    }

    @Override
    public final Nid nid(int node, int rail) {
        return Nid.of(net, ip(node, rail));
    }

    /** Returns a documentation address: nobody has it, and no route leads there from loopback. */
    @Override
    public Nid nobody() {
        return Nid.parse("192.0.2.1@" + net);
    }

    @Override
    public final NiRequest withoutDevice() {
        return NiRequest.ofInterface(net, "nosuchdevice0");
    }

    @Override
    public final long timeoutNanos() {
        return TIMEOUT_SECONDS * 1_000_000_000L;
    }

    @Override
    public final long nanoTime() {
        return host.clock().nanoTime();
    }

    @Override
    public final boolean await(BooleanSupplier condition) {
        return Polling.until(condition, awaitNanos, LOOK_NANOS);
    }

    @Override
    public boolean elapse(BooleanSupplier condition) {
        return Polling.until(condition, awaitNanos, STEP_LOOK_NANOS, () -> host.advance(STEP));
    }

    @Override
    public final void close() {
        lnds.forEach(Lnd::close);
        closeWorld();
    }
}
