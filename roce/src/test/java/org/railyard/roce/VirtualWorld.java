package org.railyard.roce;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.railyard.base.host.Duty;
import org.railyard.base.host.Host;
import org.railyard.base.host.NodeClock;
import org.railyard.base.host.Traced;
import org.railyard.base.host.Tracer;
import org.railyard.base.host.Worker;
import org.railyard.conformance.verbs.VerbsCapability;
import org.railyard.conformance.verbs.VerbsFixture;
import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.api.RoceSettings;
import org.railyard.roce.net.LocalInterface;
import org.railyard.softverbs.time.VirtualHost;
import org.railyard.softverbs.time.VirtualTime;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.VerbsProvider;

/** Three machines 10.0.0.1 … 10.0.0.3 on a network in memory, in virtual time: a run is a function of its seed. */
final class VirtualWorld implements VerbsFixture {
    static final int MACHINES = 3;
    private static final long SECOND = 1_000_000_000L;
    private static final int FIRST_IP = 0x0A00_0001;

    private final VirtualTime time = new VirtualTime();
    private final MemoryNet net = new MemoryNet(time);
    private final List<PoorDatagrams> wires = new ArrayList<>();
    private final List<RoceProvider> providers = new ArrayList<>();
    private final boolean poor;
    private final List<Traced> traced = new ArrayList<>();
    private final Tracer tracer = new Tracer() {
        @Override
        public boolean wants(Traced.Kind kind) {
            return true;
        }

        @Override
        public void trace(Traced happened) {
            traced.add(happened);
        }
    };

    /** Makes a world whose network is good until it is disturbed, or poor from the beginning. */
    VirtualWorld(long seed, int mtu, boolean poor) {
        this(seed, mtu, poor, RoceSettings.DEFAULT);
    }

    VirtualWorld(long seed, int mtu, boolean poor, RoceSettings settings) {
        this.poor = poor;
        for (int i = 0; i < MACHINES; i++) {
            PoorDatagrams wire = new PoorDatagrams(net.machine(), seed + i);
            wires.add(wire);
            LocalInterface at = new LocalInterface("eth0", "eth0", ip(i), 24, mtu);
            Host host = new VirtualHost(time, new SplittableRandom(seed * MACHINES + i), 0);
            providers.add(new RoceProvider(new RecordedHost(host, tracer), wire, List.of(at), settings));
        }
        if (poor) {
            wires.forEach(wire -> wire.disturb(0.03, 0.03, 0.1));
        }
    }

    /** A machine where all that happens is recorded. */
    private record RecordedHost(Host real, Tracer tracer) implements Host {
        @Override
        public NodeClock clock() {
            return real.clock();
        }

        @Override
        public RandomGenerator random() {
            return real.random();
        }

        @Override
        public Worker startWorker(String name, Duty duty) {
            return real.startWorker(name, duty);
        }
    }

    /** Returns what was recorded on all machines. */
    List<Traced> traced() {
        return traced;
    }

    static int ip(int node) {
        return FIRST_IP + node;
    }

    VirtualTime time() {
        return time;
    }

    MemoryNet net() {
        return net;
    }

    @Override
    public Optional<String> lacks(VerbsCapability capability) {
        return switch (capability) {
            case FMR -> Optional.of("memory is registered by work requests");
            case GLOBAL_REGION -> Optional.of("no key opens all memory");
            default -> Optional.empty();
        };
    }

    @Override
    public VerbsProvider provider(int node) {
        return providers.get(node);
    }

    RoceCounters counters(int node) {
        return providers.get(node).counters();
    }

    @Override
    public CmAddress address(int node, int port) {
        return new CmAddress(ip(node), port);
    }

    @Override
    public CmAddress nobody() {
        return new CmAddress(ip(99), 987);
    }

    @Override
    public boolean await(BooleanSupplier condition) {
        return time.runUntil(condition, (poor ? 60 : 1) * SECOND);
    }

    @Override
    public boolean elapse(BooleanSupplier condition) {
        return time.runUntil(condition, 600 * SECOND);
    }

    @Override
    public void settle() {
        time.run(SECOND / 2);
    }

    @Override
    public void pass(long nanos) {
        time.run(nanos);
    }

    @Override
    public void cut(int one, int other, boolean isCut) {
        net.cut(ip(one), ip(other), isCut);
    }

    @Override
    public void disturb(double loss, double repetition) {
        wires.forEach(wire -> wire.disturb(loss, repetition, 0.1));
    }

    @Override
    public void port(int node, boolean up) {
        net.setDown(ip(node), !up);
    }

    @Override
    public void close() {
        providers.forEach(RoceProvider::close);
    }
}
