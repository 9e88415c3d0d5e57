package org.railyard.itest.guest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.railyard.conformance.Capability;
import org.railyard.conformance.RealTimeFixture;
import org.railyard.host.RealHost;
import org.railyard.ibverbs.IbvProvider;
import org.railyard.ibverbs.MemoryMode;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.Net;
import org.railyard.o2iblnd.O2ibLnd;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Tunables;

/** Three nodes on the one card of the guest. Rail r of node n is 10.79.(1+r).(1+n). */
final class RxeLndFixture extends RealTimeFixture {
    private static final Net O2IB = Net.parse("o2ib");
    private static final int FIRST_IP = 0x0A4F_0101;
    private static final long AWAIT_NANOS = 300_000_000_000L;

    private final List<IbvProvider> providers = new ArrayList<>();

    private final MemoryMode memoryMode;

    RxeLndFixture(MemoryMode memoryMode) {
        super(O2IB, FIRST_IP, new RealHost(), AWAIT_NANOS);
        this.memoryMode = memoryMode;
        for (int node = 0; node < NODES; node++) {
            providers.add(IbvProvider.open(host(), List.of(), memoryMode));
        }
    }

    @Override
    public Optional<String> lacks(Capability capability) {
        return switch (capability) {
            case LARGE_NIDS -> Optional.of("messages on the wire hold NIDs of four bytes");
            case RESET -> Optional.of("connections break only when a path or a peer fails");
            case STALL -> Optional.of("the card is its own peer");
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

    /** In real time: the kernel's limits belong to it. */
    @Override
    public boolean elapse(BooleanSupplier condition) {
        return await(condition);
    }

    @Override
    protected void closeWorld() {
        providers.forEach(IbvProvider::close);
    }
}
