package org.railyard.o2iblnd;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.railyard.conformance.Capability;
import org.railyard.conformance.LndFixture;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.bond.Target;
import org.railyard.o2iblnd.bond.Targets;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.softverbs.net.FabricFaultRule;
import org.railyard.softverbs.net.Fidelity;
import org.railyard.softverbs.net.SoftSettings;
import org.railyard.softverbs.net.TrafficKind;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.card.memory.MemoryModel;

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

    private final IbWorld world;
    private final IntFunction<Tunables> tunables;
    private final int width;
    private final Map<String, List<FabricFaultRule>> stalls = new LinkedHashMap<>();

    /** Makes a world where each NI is a group of so many interfaces; an ordinary one for 1. */
    O2ibFixture(Tunables tunables, int width) {
        this(tunables, width, Fidelity.MESSAGE);
    }

    /** Makes such a world in which messages or packets travel. */
    O2ibFixture(Tunables tunables, int width, Fidelity fidelity) {
        this(_ -> tunables, width, fidelity);
    }

    /** Makes such a world in which each node has tunables of its own. */
    O2ibFixture(IntFunction<Tunables> tunables, int width, Fidelity fidelity) {
        this.tunables = tunables;
        this.width = width;
        this.world = new IbWorld(
                SoftSettings.DEFAULT.withAckTimeout(PATIENCE).withFidelity(fidelity),
                IbWorld.RAILS * width,
                DeviceAttributes.MLX5,
                MemoryModel.SCATTERED);
    }

    private List<Integer> members(int rail) {
        return IntStream.range(rail * width, (rail + 1) * width).boxed().toList();
    }

    private Targets targets() {
        Targets targets = new Targets();
        for (int node = 0; node < IbWorld.MACHINES && width > 1; node++) {
            for (int rail = 0; rail < IbWorld.RAILS; rail++) {
                int machine = node;
                targets.put(new Target(
                        nid(node, rail),
                        members(rail).stream()
                                .map(member -> IbWorld.address(machine, member))
                                .toList()));
            }
        }
        return targets;
    }

    @Override
    public Optional<String> lacks(Capability capability) {
        if (capability == Capability.ONE_LINE && width > 1) {
            return Optional.of("messages to a peer take turns on several routes");
        }
        return Optional.ofNullable(LACKS.get(capability));
    }

    @Override
    public Lnd start(int node, LndUpcalls stack) {
        return world.start(node, stack, tunables.apply(node), targets());
    }

    @Override
    public Nid nid(int node, int rail) {
        return IbWorld.nid(node, rail * width);
    }

    @Override
    public NiBinding resolve(Lnd lnd, NiRequest request) {
        Nid nid = request.nid();
        if (width == 1 || nid == null) {
            return lnd.resolve(request);
        }
        String names = members(IbWorld.rail(nid) / width).stream()
                .map(member -> "ib" + member)
                .collect(Collectors.joining(","));
        return lnd.resolve(NiRequest.ofInterface(nid.net(), names));
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
        for (int member : members(rail)) {
            world.fabric().setLink(world.port(node, member).fabricPort(), up);
        }
    }

    @Override
    public void stall(Nid from, Nid to, boolean stalled) {
        String way = from + " " + to;
        if (stalled) {
            List<FabricFaultRule> rules = new ArrayList<>();
            for (int near : members(IbWorld.rail(from) / width)) {
                for (int far : members(IbWorld.rail(to) / width)) {
                    rules.add(FabricFaultRule.drop(
                            EnumSet.allOf(TrafficKind.class),
                            world.port(IbWorld.machine(from), near),
                            world.port(IbWorld.machine(to), far)));
                }
            }
            stalls.put(way, rules);
            rules.forEach(world.fabric()::addFault);
        } else {
            stalls.getOrDefault(way, List.of()).forEach(world.fabric()::removeFault);
            stalls.remove(way);
        }
    }

    @Override
    public void close() {
        // Nothing runs when nobody runs time.
    }
}
