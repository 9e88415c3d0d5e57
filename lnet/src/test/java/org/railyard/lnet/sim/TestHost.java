package org.railyard.lnet.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.railyard.base.host.CpuLayout;
import org.railyard.base.host.Duty;
import org.railyard.base.host.Host;
import org.railyard.base.host.NodeClock;
import org.railyard.base.host.Tracer;
import org.railyard.base.host.Worker;

/** Virtual time, seeded chance, workers that run when told. */
public final class TestHost implements Host, NodeClock {
    private final List<TestWorker> workers = new ArrayList<>();
    private final Random random = new Random(7);
    private final long wallStart;
    private final CpuLayout layout;
    private int currentCpu = -1;
    private Tracer tracer = Tracer.NONE;
    private long now = 1_000_000_000_000L;

    public TestHost(long wallStart) {
        this(wallStart, CpuLayout.UNKNOWN);
    }

    public TestHost(long wallStart, CpuLayout layout) {
        this.wallStart = wallStart;
        this.layout = layout;
    }

    @Override
    public CpuLayout cpuLayout() {
        return layout;
    }

    @Override
    public int currentCpu() {
        return currentCpu;
    }

    @Override
    public Tracer tracer() {
        return tracer;
    }

    /** What happens is recorded; before a node is started. */
    void setTracer(Tracer other) {
        tracer = other;
    }

    /** The calling threads are on a CPU from now on. */
    public void runOn(int cpu) {
        currentCpu = cpu;
    }

    private static final class TestWorker implements Worker {
        private final Duty duty;
        private boolean woken = true;
        private boolean closed;
        private long next;

        TestWorker(Duty duty) {
            this.duty = duty;
        }

        @Override
        public void wake() {
            woken = true;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Override
    public NodeClock clock() {
        return this;
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public Worker startWorker(String name, Duty duty) {
        TestWorker worker = new TestWorker(duty);
        workers.add(worker);
        return worker;
    }

    /** Runs the workers that are woken or due; returns whether there were any. */
    public boolean runWorkers() {
        boolean any = false;
        for (int i = 0; i < workers.size(); i++) {
            TestWorker worker = workers.get(i);
            if (!worker.closed && (worker.woken || worker.next - now <= 0)) {
                worker.woken = false;
                worker.next = worker.duty.run(now);
                any = true;
            }
        }
        return any;
    }

    /** Runs the workers of hosts until nothing is left to do. */
    public static void settle(TestHost... hosts) {
        boolean busy = true;
        while (busy) {
            busy = false;
            for (TestHost host : hosts) {
                busy |= host.runWorkers();
            }
        }
    }

    /** Returns how many workers are not closed. */
    public long openWorkers() {
        return workers.stream().filter(worker -> !worker.closed).count();
    }

    /** Lets time pass. */
    public void advance(long nanos) {
        now += nanos;
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public long wallNanos() {
        return wallStart + now;
    }
}
