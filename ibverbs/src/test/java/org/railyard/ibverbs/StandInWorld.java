package org.railyard.ibverbs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.railyard.conformance.verbs.RealTimeWorld;
import org.railyard.conformance.verbs.VerbsCapability;
import org.railyard.host.RealHost;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.standin.StandIn;
import org.railyard.ibverbs.standin.StandInNetwork;

/** Three machines with a card each, which stand in for real ones. */
final class StandInWorld extends RealTimeWorld {
    static final int FIRST_IP = 0x0A4F_0001;

    private static final long LIMIT_NANOS = 30_000_000_000L;
    private static final long SETTLE_NANOS = 20_000_000;
    private final StandInNetwork network = new StandInNetwork();
    private final List<StandIn> machines = new ArrayList<>();

    private final MemoryMode memoryMode;

    StandInWorld() {
        this(MemoryMode.COPY, _ -> {});
    }

    /** Makes machines whose cards reach memory somehow, and are prepared somehow. */
    StandInWorld(MemoryMode memoryMode, Consumer<StandIn> prepare) {
        super(FIRST_IP, LIMIT_NANOS, SETTLE_NANOS);
        this.memoryMode = memoryMode;
        for (int i = 0; i < NODES; i++) {
            StandIn machine = network.add("mlx5_0", FIRST_IP + i);
            machines.add(machine);
            prepare.accept(machine);
            NativeCards cards = new NativeCards(new NativeVerbs(machine.functions()));
            add(new IbvProvider(new RealHost(), cards, List.of(), memoryMode, IbvProvider::addresses));
        }
    }

    @Override
    public Optional<String> lacks(VerbsCapability capability) {
        return switch (capability) {
            case PORT_EVENTS, QP_EVENTS, LENGTH_STATUS -> Optional.empty();
            case CUT, LOSS -> Optional.of("what stands in loses nothing");
            case DMA, FAST_REGIONS -> memoryMode == MemoryMode.WINDOW ? Optional.empty() : Optional.of("not asked for");
            default -> Optional.of("not for programs");
        };
    }

    StandIn machine(int node) {
        return machines.get(node);
    }

    @Override
    public void port(int node, boolean up) {
        machines.get(node).port(up);
    }

    @Override
    public void close() {
        super.close();
        network.closeUnused();
    }
}
