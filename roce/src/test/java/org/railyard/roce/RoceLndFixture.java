package org.railyard.roce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.railyard.conformance.Capability;
import org.railyard.conformance.LndFixture;
import org.railyard.conformance.Polling;
import org.railyard.conformance.SteeredHost;
import org.railyard.host.RealHost;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.O2ibLnd;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.roce.api.RoceSettings;
import org.railyard.roce.net.LocalInterface;
import org.railyard.roce.net.UdpDatagrams;

/** Nodes on loopback addresses, LNet over InfiniBand over real UDP sockets. Rail r of node n is 127.0.4(2+r).(n+1). */
final class RoceLndFixture implements LndFixture {
    private static final Net O2IB = Net.parse("o2ib");
    private static final int MACHINES = 3;
    private static final int RAILS = 2;
    private static final int FIRST_IP = 0x7F00_2A01;

    /** Limit of everything that takes time at node 0; passed quickly by {@link #elapse}. */
    private static final int TIMEOUT_SECONDS = 10;

    /** Limit at other nodes: node 0 gives up first when a path between them stalls. */
    private static final int OTHERS_TIMEOUT_SECONDS = 40;

    private static final long AWAIT_NANOS = 30_000_000_000L;
    private static final long LOOK_NANOS = 200_000;

    /** So fast does time go by in {@link #elapse}: slow enough for answers to arrive. */
    private static final Duration STEP = Duration.ofMillis(250);

    private static final long STEP_LOOK_NANOS = 5_000_000;

    /** Devices that wait longer than any limit: a path that stands still is noticed by the transport, not by them. */
    private static final RoceSettings SETTINGS =
            RoceSettings.DEFAULT.withUdpPort(14_792).withAckTimeout(31);

    private final SteeredHost host = new SteeredHost(new RealHost());
    private final List<PoorDatagrams> wires = new ArrayList<>();
    private final List<RoceProvider> providers = new ArrayList<>();
    private final List<O2ibLnd> lnds = new ArrayList<>();

    RoceLndFixture() {
        for (int node = 0; node < MACHINES; node++) {
            List<String> addresses = new ArrayList<>();
            for (int rail = 0; rail < RAILS; rail++) {
                addresses.add(LocalInterface.text(address(node, rail)));
            }
            PoorDatagrams wire = new PoorDatagrams(new UdpDatagrams(), node);
            wires.add(wire);
            providers.add(new RoceProvider(host, wire, LocalInterface.find(addresses), SETTINGS));
        }
    }

    private static int address(int node, int rail) {
        return FIRST_IP + (rail << Byte.SIZE) + node;
    }

    @Override
    public Optional<String> lacks(Capability capability) {
        return switch (capability) {
            case LARGE_NIDS -> Optional.of("messages on the wire hold NIDs of four bytes");
            case RESET -> Optional.of("connections break only when a path or a peer fails");
            default -> Optional.empty();
        };
    }

    @Override
    public Lnd start(int node, LndUpcalls stack) {
        Tunables tunables =
                Tunables.DEFAULT.with(O2ibTunable.TIMEOUT, node == 0 ? TIMEOUT_SECONDS : OTHERS_TIMEOUT_SECONDS);
        O2ibLnd lnd = new O2ibLnd(stack, host, providers.get(node), tunables);
        lnds.add(lnd);
        return lnd;
    }

    @Override
    public Nid nid(int node, int rail) {
        return Nid.of(O2IB, address(node, rail));
    }

    @Override
    public Nid nobody() {
        // A documentation address: no route leads there from loopback.
        return Nid.parse("192.0.2.1@o2ib");
    }

    @Override
    public NiRequest withoutDevice() {
        return NiRequest.ofInterface(O2IB, "ib9");
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
        return pass(condition, LOOK_NANOS, Duration.ZERO);
    }

    @Override
    public boolean elapse(BooleanSupplier condition) {
        return pass(condition, STEP_LOOK_NANOS, STEP);
    }

    private boolean pass(BooleanSupplier condition, long lookNanos, Duration step) {
        return Polling.until(condition, AWAIT_NANOS, lookNanos, () -> host.advance(step));
    }

    @Override
    public void device(int node, int rail, boolean up) {
        wires.get(node).setDown(address(node, rail), !up);
    }

    @Override
    public void stall(Nid from, Nid to, boolean stalled) {
        wires.forEach(wire -> wire.stall((int) from.nid4(), (int) to.nid4(), stalled));
    }

    @Override
    public void close() {
        lnds.forEach(O2ibLnd::close);
        providers.forEach(RoceProvider::close);
    }
}
