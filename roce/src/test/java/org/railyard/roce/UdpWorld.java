package org.railyard.roce;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.railyard.conformance.verbs.RealTimeWorld;
import org.railyard.conformance.verbs.VerbsCapability;
import org.railyard.host.RealHost;
import org.railyard.roce.api.RoceSettings;
import org.railyard.roce.net.Datagrams;
import org.railyard.roce.net.LocalInterface;

/** Three providers on 127.0.41.1 … 127.0.41.3 over real sockets and in real time. */
final class UdpWorld extends RealTimeWorld {
    private static final int FIRST_IP = 0x7F00_2901;
    private static final long LIMIT_NANOS = 30_000_000_000L;
    private static final long SETTLE_NANOS = 20_000_000;
    /**
     * A real port, but not that of RoCE: another provider may run on this machine. Answers are waited for 17 ms, so
     * that giving up does not take long; those of the connection manager for 1.3 s in all, as a busy machine needs.
     */
    private static final RoceSettings SETTINGS = new RoceSettings(14_791, 12, 5_000_000, 64, 20_000_000, 5, true, 0);

    private final List<PoorDatagrams> wires = new ArrayList<>();

    /** Makes them over networks of this machine. */
    UdpWorld(Supplier<Datagrams> networks) {
        super(FIRST_IP, LIMIT_NANOS, SETTLE_NANOS);
        for (int i = 0; i < NODES; i++) {
            PoorDatagrams wire = new PoorDatagrams(networks.get(), i);
            wires.add(wire);
            add(new RoceProvider(
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
    public void disturb(double loss, double repetition) {
        wires.forEach(wire -> wire.disturb(loss, repetition, 0.1));
    }
}
