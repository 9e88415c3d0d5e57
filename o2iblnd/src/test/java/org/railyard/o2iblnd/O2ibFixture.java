package org.railyard.o2iblnd;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.railyard.conformance.Capability;
import org.railyard.conformance.LndFixture;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.softverbs.FaultRule;
import org.railyard.softverbs.Kind;

/** The transport over InfiniBand, on a simulated fabric. */
final class O2ibFixture implements LndFixture {
    private static final long SECOND = 1_000_000_000L;
    private static final long AWAIT_NANOS = 10 * SECOND;
    private static final long ELAPSE_NANOS = 3600 * SECOND;

    /** Cards that wait longer than any limit: a path that stands still is noticed by the transport, not by them. */
    private static final long PATIENCE = 7200 * SECOND;

    private static final Map<Capability, String> LACKS = new EnumMap<>(Map.of(
            Capability.SEVERAL_THREADS, "a run in virtual time has one thread",
            Capability.LARGE_NIDS, "messages on the wire hold NIDs of four bytes",
            Capability.RESET, "connections break only when a card, a path or a peer fails"));

    private final IbWorld world = new IbWorld(PATIENCE);
    private final Tunables tunables;
    private final Map<String, FaultRule> stalls = new LinkedHashMap<>();

    O2ibFixture(Tunables tunables) {
        this.tunables = tunables;
    }

    @Override
    public Optional<String> lacks(Capability capability) {
        return Optional.ofNullable(LACKS.get(capability));
    }

    @Override
    public Lnd start(int node, LndUpcalls stack) {
        return world.start(node, stack, tunables);
    }

    @Override
    public Nid nid(int node, int rail) {
        return IbWorld.nid(node, rail);
    }

    @Override
    public Nid nobody() {
        return IbWorld.nid(IbWorld.MACHINES, 0);
    }

    @Override
    public NiRequest withoutDevice() {
        return NiRequest.ofInterface(Net.parse("o2ib"), "ib9");
    }

    @Override
    public long timeoutNanos() {
        return 50 * SECOND;
    }

    @Override
    public long nanoTime() {
        return world.time().now();
    }

    @Override
    public boolean await(BooleanSupplier condition) {
        return run(condition, AWAIT_NANOS, 20_000);
    }

    @Override
    public boolean elapse(BooleanSupplier condition) {
        return run(condition, ELAPSE_NANOS, 1_000_000);
    }

    /** Conditions take longer to look at than most events: they are looked at now and then. */
    private boolean run(BooleanSupplier condition, long limit, long step) {
        long end = world.time().now() + limit;
        while (!condition.getAsBoolean()) {
            if (world.time().now() >= end) {
                return false;
            }
            world.time().run(step);
        }
        return true;
    }

    @Override
    public void device(int node, int rail, boolean up) {
        world.fabric().setLink(world.port(node, rail).fabricPort(), up);
    }

    @Override
    public void stall(Nid from, Nid to, boolean stalled) {
        String way = from + " " + to;
        if (stalled) {
            FaultRule rule = FaultRule.drop(EnumSet.allOf(Kind.class), world.port(from), world.port(to));
            stalls.put(way, rule);
            world.fabric().addFault(rule);
        } else {
            FaultRule rule = stalls.remove(way);
            if (rule != null) {
                world.fabric().removeFault(rule);
            }
        }
    }

    @Override
    public void close() {
        // Nothing runs when nobody runs time.
    }
}
