package org.railyard.ibverbs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.railyard.conformance.Capability;
import org.railyard.conformance.RealTimeFixture;
import org.railyard.host.RealHost;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.standin.StandIn;
import org.railyard.ibverbs.standin.StandInNetwork;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.Net;
import org.railyard.o2iblnd.O2ibLnd;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Tunables;

/** Nodes with a card each, which stands in for a real one; its port has two addresses, the rails. */
final class IbvLndFixture extends RealTimeFixture {
    private static final Net O2IB = Net.parse("o2ib");
    private static final long AWAIT_NANOS = 30_000_000_000L;

    private final StandInNetwork network = new StandInNetwork();
    private final List<IbvProvider> providers = new ArrayList<>();

    private final MemoryMode memoryMode;

    IbvLndFixture() {
        this(MemoryMode.COPY, _ -> {});
    }

    /** Makes nodes whose cards reach memory somehow, and are prepared somehow. */
    IbvLndFixture(MemoryMode memoryMode, Consumer<StandIn> prepare) {
        super(O2IB, StandInWorld.FIRST_IP, new RealHost(), AWAIT_NANOS);
        this.memoryMode = memoryMode;
        for (int node = 0; node < NODES; node++) {
            StandIn machine = network.add("mlx5_0", ip(node, 0), ip(node, 1));
            prepare.accept(machine);
            List<InterfaceProbe.Address> addresses = List.of(
                    new InterfaceProbe.Address("ib0", ip(node, 0)),
                    new InterfaceProbe.Address("ib0.8001", ip(node, 1)));
            providers.add(new IbvProvider(
                    host(),
                    new NativeCards(new NativeVerbs(machine.functions())),
                    List.of(),
                    memoryMode,
                    () -> addresses));
        }
    }

    @Override
    public Optional<String> lacks(Capability capability) {
        return switch (capability) {
            case LARGE_NIDS -> Optional.of("messages on the wire hold NIDs of four bytes");
            case RESET -> Optional.of("connections break only when a path or a peer fails");
            case STALL -> Optional.of("what stands in loses nothing");
            case BULK_IN_PLACE ->
                memoryMode == MemoryMode.COPY
                        ? Optional.of("it is copied into registered memory first")
                        : Optional.empty();
            case DEVICE_EVENTS -> Optional.of("both rails are one port");
            default -> Optional.empty();
        };
    }

    @Override
    protected Lnd transport(int node, LndUpcalls stack, int timeoutSeconds) {
        Tunables tunables = Tunables.DEFAULT.with(O2ibTunable.TIMEOUT, timeoutSeconds);
        return new O2ibLnd(stack, host(), providers.get(node), tunables);
    }

    @Override
    protected void closeWorld() {
        providers.forEach(IbvProvider::close);
        network.closeUnused();
    }
}
