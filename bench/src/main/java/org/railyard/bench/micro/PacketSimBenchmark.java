package org.railyard.bench.micro;

import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.sim.DropReason;
import org.railyard.fabric.sim.FabricSim;
import org.railyard.fabric.sim.SimListener;
import org.railyard.fabric.sim.SimSettings;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfException;
import org.railyard.fabric.torus.conf.TorusConfParser;

/** One event of the packet simulator, on a cubic torus where each host has four packets to anybody on their way. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PacketSimBenchmark implements SimListener {
    private static final int EVENTS = 100_000;
    private static final int PACKETS = 4;
    private static final int BYTES = 4096;

    /** Switches in each dimension. */
    @Param({"4", "8"})
    public int radix;

    private final SplittableRandom random = new SplittableRandom(1);
    private @Nullable Fabric fabric;
    private @Nullable Routing routing;
    private @Nullable FabricSim sim;

    /**
     * Routes the torus and fills it.
     *
     * @throws TorusConfException never: the plan writes what the parser reads
     */
    @Setup
    public void prepare() throws TorusConfException {
        SampleTorus plan = SampleTorus.torus(radix, radix, radix, 1);
        Fabric torus = FreshLids.assign(plan.fabric(), Fabric.NONE);
        Routing tables = ProvenRouting.by(new TorusEngine(TorusConfParser.parse(plan.conf(1)), TorusOptions.DEFAULT))
                .tables(torus, List.of())
                .orThrow()
                .routing();
        fabric = torus;
        routing = tables;
        sim = new FabricSim(torus, tables, SimSettings.DEFAULT, this);
        for (int node = torus.switchCount(); node < torus.nodeCount(); node++) {
            for (int packet = 0; packet < PACKETS; packet++) {
                send(torus.portIndex(node, 1));
            }
        }
    }

    private void send(int from) {
        Fabric torus = Objects.requireNonNull(fabric);
        int hosts = torus.nodeCount() - torus.switchCount();
        int to = torus.portIndex(torus.switchCount() + random.nextInt(hosts), 1);
        int sl = Objects.requireNonNull(routing).sls().sl(torus.lid(from), torus.lid(to), 0);
        Objects.requireNonNull(sim).inject(from, torus.lid(to), sl, BYTES, from);
    }

    /** Lets so many events happen. */
    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long events() {
        FabricSim running = Objects.requireNonNull(sim);
        long end = running.events() + EVENTS;
        while (running.events() < end) {
            running.runUntil(running.nextEventNanos());
        }
        return running.delivered();
    }

    @Override
    public void delivered(long token, int port, long birthNanos, long sentNanos, int hops) {
        send((int) token);
    }

    @Override
    public void dropped(long token, DropReason reason) {
        throw new IllegalStateException("lost without a failure: " + reason.text());
    }
}
