package org.railyard.base.host;

import java.util.random.RandomGenerator;

/** What a node needs from the machine it runs on. Thread-safe. */
public interface Host {
    /** Returns the node's clock. */
    NodeClock clock();

    /** Returns the node's source of chance; seeded in a simulation. Thread-safe. */
    RandomGenerator random();

    /**
     * Starts a worker for a duty; the duty runs once at once.
     *
     * @param name shown in logs and thread dumps
     */
    Worker startWorker(String name, Duty duty);

    /** Returns CPUs and NUMA distances; {@link CpuLayout#UNKNOWN} if they are not known. The same at each call. */
    default CpuLayout cpuLayout() {
        return CpuLayout.UNKNOWN;
    }

    /**
     * Returns the number of the CPU that the calling thread is on, −1 if that is not known. Takes some nanoseconds,
     * allocates nothing.
     */
    default int currentCpu() {
        return -1;
    }

    /** Returns who records what happens. The same at each call. */
    default Tracer tracer() {
        return Tracer.NONE;
    }
}
