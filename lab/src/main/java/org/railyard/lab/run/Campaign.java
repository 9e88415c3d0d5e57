package org.railyard.lab.run;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.railyard.lab.observe.Outcome;
import org.railyard.lab.scenario.Scenario;

/** One scenario with many seeds, several at a time; each run stays on one thread. */
public final class Campaign {
    private final Scenario scenario;
    private final int jobs;

    /**
     * Makes a campaign.
     *
     * @param scenario what is run
     * @param jobs runs at a time, at least 1
     */
    public Campaign(Scenario scenario, int jobs) {
        if (jobs < 1) {
            throw new IllegalArgumentException(jobs + " jobs, expected at least 1");
        }
        this.scenario = scenario;
        this.jobs = jobs;
    }

    /**
     * What a campaign did.
     *
     * @param runs how many seeds were run
     * @param dirty how many of them had a violation
     * @param outcomes calls of applications, and of tests of selftest, by outcome
     * @param messages LNet messages on the wire
     * @param events events of the simulations
     * @param virtualNanos virtual time, ns
     * @param cpuNanos processor time, ns
     */
    public record Summary(
            long runs,
            long dirty,
            Map<Outcome, Long> outcomes,
            long messages,
            long events,
            long virtualNanos,
            long cpuNanos) {
        /** Copies the map. */
        public Summary {
            outcomes = Map.copyOf(outcomes);
        }

        /** Returns messages per second of processor time. */
        public double messagesPerCpuSecond() {
            return cpuNanos == 0 ? 0 : messages * 1e9 / cpuNanos;
        }
    }

    /**
     * Runs the seeds.
     *
     * @param first the first seed
     * @param last the last seed
     * @param maxDirty after so many runs with a violation, no more are started
     * @param listener gets each result, one at a time, as they come
     * @throws InterruptedException if interrupted; runs under way end first
     */
    public Summary run(long first, long last, long maxDirty, Consumer<RunResult> listener) throws InterruptedException {
        AtomicLong next = new AtomicLong(first);
        Collector collector = new Collector(maxDirty, listener);
        CountDownLatch done = new CountDownLatch(jobs);
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < jobs; i++) {
            Thread.ofPlatform().name("lab-" + i).daemon().start(() -> {
                try {
                    work(next, last, collector);
                } catch (RuntimeException | Error e) {
                    failures.add(e);
                    collector.stop();
                } finally {
                    done.countDown();
                }
            });
        }
        try {
            done.await();
        } catch (InterruptedException e) {
            collector.stop();
            done.await();
            throw e;
        }
        Throwable failure = failures.peek();
        if (failure != null) {
            throw new IllegalStateException("the campaign broke off", failure);
        }
        return collector.summary();
    }

    private void work(AtomicLong next, long last, Collector collector) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        while (collector.goesOn()) {
            long seed = next.getAndIncrement();
            if (seed > last) {
                return;
            }
            long before = threads.getCurrentThreadCpuTime();
            RunResult result = LabRun.run(scenario, seed);
            collector.add(result, threads.getCurrentThreadCpuTime() - before);
        }
    }

    /** Adds results up. Thread-safe. */
    private static final class Collector {
        private final long maxDirty;
        private final Consumer<RunResult> listener;

        @GuardedBy("this")
        private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);

        @GuardedBy("this")
        private long runs;

        @GuardedBy("this")
        private long dirty;

        @GuardedBy("this")
        private long messages;

        @GuardedBy("this")
        private long events;

        @GuardedBy("this")
        private long virtualNanos;

        @GuardedBy("this")
        private long cpuNanos;

        @GuardedBy("this")
        private boolean stopped;

        Collector(long maxDirty, Consumer<RunResult> listener) {
            this.maxDirty = maxDirty;
            this.listener = listener;
        }

        synchronized boolean goesOn() {
            return !stopped && dirty < maxDirty;
        }

        synchronized void stop() {
            stopped = true;
        }

        synchronized void add(RunResult result, long cpu) {
            runs++;
            dirty += result.isClean() ? 0 : 1;
            result.outcomes().forEach((outcome, count) -> outcomes.merge(outcome, count, Long::sum));
            messages += result.messages();
            events += result.events();
            virtualNanos += result.virtualNanos();
            cpuNanos += cpu;
            listener.accept(result);
        }

        synchronized Summary summary() {
            return new Summary(runs, dirty, outcomes, messages, events, virtualNanos, cpuNanos);
        }
    }
}
