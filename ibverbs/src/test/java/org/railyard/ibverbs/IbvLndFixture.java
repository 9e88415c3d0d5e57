package org.railyard.ibverbs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.railyard.conformance.Capability;
import org.railyard.conformance.LndFixture;
import org.railyard.conformance.Polling;
import org.railyard.conformance.SteeredHost;
import org.railyard.host.RealHost;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.standin.StandIn;
import org.railyard.ibverbs.standin.StandInNetwork;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.O2ibLnd;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Tunables;

/** Nodes with a card each, which stands in for a real one; its port has two addresses, the rails. */
final class IbvLndFixture implements LndFixture {
    private static final Net O2IB = Net.parse("o2ib");
    private static final int MACHINES = 3;
    private static final int TIMEOUT_SECONDS = 10;
    private static final int OTHERS_TIMEOUT_SECONDS = 40;
    private static final long AWAIT_NANOS = 30_000_000_000L;
    private static final long LOOK_NANOS = 200_000;
    private static final Duration STEP = Duration.ofMillis(250);
    private static final long STEP_LOOK_NANOS = 5_000_000;

    private final SteeredHost host = new SteeredHost(new RealHost());
    private final StandInNetwork network = new StandInNetwork();
    private final List<StandIn> machines = new ArrayList<>();
    private final List<IbvProvider> providers = new ArrayList<>();
    private final List<O2ibLnd> lnds = new ArrayList<>();

    private final MemoryMode memoryMode;

    IbvLndFixture() {
        this(MemoryMode.COPY, _ -> {});
    }

    /** Makes nodes whose cards reach memory somehow, and are prepared somehow. */
    IbvLndFixture(MemoryMode memoryMode, Consumer<StandIn> prepare) {
        this.memoryMode = memoryMode;
        for (int node = 0; node < MACHINES; node++) {
            StandIn machine = network.add("mlx5_0", address(node, 0), address(node, 1));
            machines.add(machine);
            prepare.accept(machine);
            List<InterfaceProbe.Address> addresses = List.of(
                    new InterfaceProbe.Address("ib0", address(node, 0)),
                    new InterfaceProbe.Address("ib0.8001", address(node, 1)));
            providers.add(new IbvProvider(
                    host,
                    new NativeCards(new NativeVerbs(machine.functions())),
                    List.of(),
                    memoryMode,
                    () -> addresses));
        }
    }

    private static int address(int node, int rail) {
        return StandInWorld.FIRST_IP + (rail << Byte.SIZE) + node;
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
    public void close() {
        lnds.forEach(O2ibLnd::close);
        providers.forEach(IbvProvider::close);
        List<String> left =
                machines.stream().flatMap(each -> each.leftovers().stream()).toList();
        network.close();
        if (!left.isEmpty()) {
            throw new AssertionError("not given back: " + left);
        }
    }
}
