package org.railyard.roce;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.railyard.conformance.Polling;
import org.railyard.conformance.verbs.VerbsCapability;
import org.railyard.conformance.verbs.VerbsFixture;
import org.railyard.host.RealHost;
import org.railyard.roce.api.RoceSettings;
import org.railyard.roce.net.Datagrams;
import org.railyard.roce.net.LocalInterface;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.VerbsProvider;

/** Three providers on 127.0.41.1 … 127.0.41.3 over real sockets and in real time. */
final class UdpWorld implements VerbsFixture {
    private static final int MACHINES = 3;
    private static final int FIRST_IP = 0x7F00_2901;
    private static final long LIMIT_NANOS = 30_000_000_000L;
    private static final long LOOK_NANOS = 200_000;

    /**
     * A real port, but not that of RoCE: another provider may run on this machine. Answers are waited for 17 ms, so
     * that giving up does not take long.
     */
    private static final RoceSettings SETTINGS = new RoceSettings(14_791, 12, 5_000_000, 64, 20_000_000, 3, true, 0);

    private final List<PoorDatagrams> wires = new ArrayList<>();
    private final List<RoceProvider> providers = new ArrayList<>();

    /** Makes them over networks of this machine. */
    UdpWorld(Supplier<Datagrams> networks) {
        for (int i = 0; i < MACHINES; i++) {
            PoorDatagrams wire = new PoorDatagrams(networks.get(), i);
            wires.add(wire);
            providers.add(new RoceProvider(
                    new RealHost(), wire, LocalInterface.find(List.of(LocalInterface.text(FIRST_IP + i))), SETTINGS));
        }
    }

    @Override
    public Optional<String> lacks(VerbsCapability capability) {
        return switch (capability) {
            case FMR, GLOBAL_REGION -> Optional.of("not offered");
            case CUT, PORT_EVENTS -> Optional.of("loopback is always there");
            default -> Optional.empty();
        };
    }

    @Override
    public VerbsProvider provider(int node) {
        return providers.get(node);
    }

    @Override
    public CmAddress address(int node, int port) {
        return new CmAddress(FIRST_IP + node, port);
    }

    @Override
    public CmAddress nobody() {
        return new CmAddress(FIRST_IP + 99, 987);
    }

    @Override
    public boolean await(BooleanSupplier condition) {
        return Polling.until(condition, LIMIT_NANOS, LOOK_NANOS);
    }

    @Override
    public boolean elapse(BooleanSupplier condition) {
        return await(condition);
    }

    @Override
    public void settle() {
        // What is on its way over loopback arrives long before.
        long end = System.nanoTime() + 20_000_000;
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public void disturb(double loss, double repetition) {
        wires.forEach(wire -> wire.disturb(loss, repetition, 0.1));
    }

    @Override
    public void close() {
        providers.forEach(RoceProvider::close);
    }
}
