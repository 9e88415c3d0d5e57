package org.railyard.roce;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.railyard.conformance.Capability;
import org.railyard.conformance.RealTimeFixture;
import org.railyard.host.RealHost;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.O2ibLnd;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.roce.api.RoceSettings;
import org.railyard.roce.net.LocalInterface;
import org.railyard.roce.net.UdpDatagrams;

/** Nodes on loopback addresses, LNet over InfiniBand over real UDP sockets. Rail r of node n is 127.0.4(2+r).(n+1). */
final class RoceLndFixture extends RealTimeFixture {
    private static final Net O2IB = Net.parse("o2ib");
    private static final int FIRST_IP = 0x7F00_2A01;
    private static final long AWAIT_NANOS = 30_000_000_000L;

    /** Devices that wait longer than any limit: a path that stands still is noticed by the transport, not by them. */
    private static final RoceSettings SETTINGS =
            RoceSettings.DEFAULT.withUdpPort(14_792).withAckTimeout(31);

    private final List<PoorDatagrams> wires = new ArrayList<>();
    private final List<RoceProvider> providers = new ArrayList<>();

    RoceLndFixture() {
        super(O2IB, FIRST_IP, new RealHost(), AWAIT_NANOS);
        for (int node = 0; node < NODES; node++) {
            List<String> addresses = new ArrayList<>();
            for (int rail = 0; rail < RAILS; rail++) {
                addresses.add(LocalInterface.text(ip(node, rail)));
            }
            PoorDatagrams wire = new PoorDatagrams(new UdpDatagrams(), node);
            wires.add(wire);
            providers.add(new RoceProvider(host(), wire, LocalInterface.find(addresses), SETTINGS));
        }
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
    protected Lnd transport(int node, LndUpcalls stack, int timeoutSeconds) {
        Tunables tunables = Tunables.DEFAULT.with(O2ibTunable.TIMEOUT, timeoutSeconds);
        return new O2ibLnd(stack, host(), providers.get(node), tunables);
    }

    @Override
    public void device(int node, int rail, boolean up) {
        wires.get(node).setDown(ip(node, rail), !up);
    }

    @Override
    public void stall(Nid from, Nid to, boolean stalled) {
        wires.forEach(wire -> wire.stall((int) from.nid4(), (int) to.nid4(), stalled));
    }

    @Override
    protected void closeWorld() {
        providers.forEach(RoceProvider::close);
    }
}
