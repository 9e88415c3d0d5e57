package org.railyard.host;

import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.railyard.base.host.CpuLayout;
import org.railyard.base.host.Duty;
import org.railyard.base.host.Host;
import org.railyard.base.host.NodeClock;
import org.railyard.base.host.Tracer;
import org.railyard.base.host.Worker;
import org.railyard.host.jfr.JfrTracer;

/** The machine as it is: its clock, its chance, its CPUs, a daemon thread per worker. Thread-safe. */
public final class RealHost implements Host {
    private static final NodeClock CLOCK = new NodeClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long wallNanos() {
            Instant now = Instant.now();
            return Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000_000L), now.getNano());
        }
    };

    private static final Tracer TRACER = new JfrTracer();

    private static final RandomGenerator RANDOM =
            () -> ThreadLocalRandom.current().nextLong();

    /** Read when it is first asked for. */
    private static final class Layout {
        static final CpuLayout READ = SysfsLayout.read(Path.of("/sys/devices/system"));
    }

    /** Makes a host. */
    public RealHost() {}

    @Override
    public NodeClock clock() {
        return CLOCK;
    }

    @Override
    public RandomGenerator random() {
        return RANDOM;
    }

    @Override
    public CpuLayout cpuLayout() {
        return Layout.READ;
    }

    @Override
    public Tracer tracer() {
        return TRACER;
    }

    @Override
    public int currentCpu() {
        return CurrentCpu.get();
    }

    @Override
    public Worker startWorker(String name, Duty duty) {
        ThreadWorker worker = new ThreadWorker(name, duty, CLOCK);
        worker.start();
        return worker;
    }
}
