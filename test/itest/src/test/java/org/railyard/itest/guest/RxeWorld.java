package org.railyard.itest.guest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.railyard.conformance.Polling;
import org.railyard.conformance.verbs.VerbsCapability;
import org.railyard.conformance.verbs.VerbsFixture;
import org.railyard.host.RealHost;
import org.railyard.ibverbs.IbvProvider;
import org.railyard.ibverbs.MemoryMode;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.VerbsProvider;

/** Three providers on the one card of the guest, which has three addresses. */
final class RxeWorld implements VerbsFixture {
    private static final int NODES = 3;
    private static final int FIRST_IP = 0x0A4F_0101;

    /** The machine is interpreted, and the kernel waits for seconds before it gives up. */
    private static final long LIMIT_NANOS = 300_000_000_000L;

    private static final long LOOK_NANOS = 1_000_000;

    private final List<IbvProvider> providers = new ArrayList<>();

    private final MemoryMode memoryMode;

    RxeWorld(MemoryMode memoryMode) {
        this.memoryMode = memoryMode;
        for (int i = 0; i < NODES; i++) {
            providers.add(IbvProvider.open(new RealHost(), List.of(), memoryMode));
        }
    }

    @Override
    public Optional<String> lacks(VerbsCapability capability) {
        return switch (capability) {
            case CUT, LOSS, PORT_EVENTS -> Optional.of("the card is its own peer");
            case QP_EVENTS, LENGTH_STATUS -> Optional.of("the driver does not tell");
            case DMA, FAST_REGIONS -> memoryMode == MemoryMode.WINDOW ? Optional.empty() : Optional.of("not asked for");
            default -> Optional.of("not for programs");
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
        return new CmAddress(FIRST_IP + 98, 987);
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
        long end = System.nanoTime() + 200_000_000;
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public void close() {
        providers.forEach(IbvProvider::close);
    }
}
