package org.railyard.itest.guest;

import java.util.List;
import java.util.Optional;
import org.railyard.conformance.verbs.RealTimeWorld;
import org.railyard.conformance.verbs.VerbsCapability;
import org.railyard.host.RealHost;
import org.railyard.ibverbs.IbvProvider;
import org.railyard.ibverbs.MemoryMode;

/** Three providers on the one card of the guest, which has three addresses. */
final class RxeWorld extends RealTimeWorld {
    private static final int FIRST_IP = 0x0A4F_0101;

    /** The machine is interpreted, and the kernel waits for seconds before it gives up. */
    private static final long LIMIT_NANOS = 300_000_000_000L;

    private static final long SETTLE_NANOS = 200_000_000;

    private final MemoryMode memoryMode;

    RxeWorld(MemoryMode memoryMode) {
        super(FIRST_IP, LIMIT_NANOS, SETTLE_NANOS);
        this.memoryMode = memoryMode;
        for (int i = 0; i < NODES; i++) {
            add(IbvProvider.open(new RealHost(), List.of(), memoryMode));
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
}
