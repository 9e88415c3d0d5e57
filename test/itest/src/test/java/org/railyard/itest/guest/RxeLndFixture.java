package org.railyard.itest.guest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.railyard.conformance.Capability;
import org.railyard.conformance.LndFixture;
import org.railyard.conformance.Polling;
import org.railyard.host.RealHost;
import org.railyard.ibverbs.IbvProvider;
import org.railyard.ibverbs.MemoryMode;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.O2ibLnd;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Tunables;

/** Three nodes on the one card of the guest. Rail r of node n is 10.79.(1+r).(1+n). */
final class RxeLndFixture implements LndFixture {
    private static final Net O2IB = Net.parse("o2ib");
    private static final int MACHINES = 3;
    private static final int FIRST_IP = 0x0A4F_0101;
    private static final int TIMEOUT_SECONDS = 10;
    private static final int OTHERS_TIMEOUT_SECONDS = 40;
    private static final long AWAIT_NANOS = 300_000_000_000L;
    private static final long LOOK_NANOS = 200_000;

    private final RealHost host = new RealHost();
    private final List<IbvProvider> providers = new ArrayList<>();
    private final List<O2ibLnd> lnds = new ArrayList<>();

    private final MemoryMode memoryMode;

    RxeLndFixture(MemoryMode memoryMode) {
        this.memoryMode = memoryMode;
        for (int node = 0; node < MACHINES; node++) {
            providers.add(IbvProvider.open(host, List.of(), memoryMode));
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
        return Polling.until(condition, AWAIT_NANOS, LOOK_NANOS);
    }

    /** In real time: the kernel's limits belong to it. */
    @Override
    public boolean elapse(BooleanSupplier condition) {
        return await(condition);
    }

    @Override
    public void close() {
        lnds.forEach(O2ibLnd::close);
        providers.forEach(IbvProvider::close);
    }
}
