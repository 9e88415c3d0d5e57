package org.railyard.node.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.railyard.node.metrics.Family.Member;

/** Figures of the process that the node runs in, under the names that processes and JVMs usually have them. */
final class ProcessMetrics {
    private static final double MILLIS = 1e3;
    private static final double NANOS = 1e9;

    private ProcessMetrics() {}

    static void addTo(MetricSnapshots.Builder out) {
        ProcessHandle.Info process = ProcessHandle.current().info();
        Family.of(out, process.startInstant().orElse(Instant.EPOCH))
                .gauge(
                        "process_start_time_seconds",
                        "When the process started, since 1970.",
                        at -> at.toEpochMilli() / MILLIS);
        Family.of(out, process.totalCpuDuration().orElse(Duration.ZERO))
                .counter("process_cpu_seconds", "Processor time of the process.", used -> used.toNanos() / NANOS);
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        List<Member<MemoryUsage>> areas = List.of(
                new Member<>(Labels.of("area", "heap"), memory.getHeapMemoryUsage()),
                new Member<>(Labels.of("area", "nonheap"), memory.getNonHeapMemoryUsage()));
        new Family<>(out, areas)
                .gauge("jvm_memory_used_bytes", "Memory in use.", MemoryUsage::getUsed)
                .gauge("jvm_memory_committed_bytes", "Memory taken from the system.", MemoryUsage::getCommitted)
                .gauge("jvm_memory_max_bytes", "Most memory; -1 for no limit.", MemoryUsage::getMax);
        List<Member<GarbageCollectorMXBean>> collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(each -> new Member<>(Labels.of("gc", each.getName()), each))
                .toList();
        new Family<>(out, collectors)
                .counter("jvm_gc_collections", "Garbage collections.", GarbageCollectorMXBean::getCollectionCount)
                .counter(
                        "jvm_gc_collection_seconds",
                        "Time of garbage collections.",
                        each -> each.getCollectionTime() / MILLIS);
        Family.of(out, ManagementFactory.getThreadMXBean())
                .gauge("jvm_threads_current", "Threads.", threads -> threads.getThreadCount());
    }
}
