package org.railyard.node.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;

/** Takes the figures of a program at one moment. Names stay as they are once they are published. */
public final class Figures {
    private final MetricSnapshots.Builder out;

    Figures(MetricSnapshots.Builder out) {
        this.out = out;
    }

    /** Adds a figure that goes up and down. */
    public Figures gauge(String name, String help, double value) {
        Family.of(out, value).gauge(name, help, Double::doubleValue);
        return this;
    }

    /** Adds a number of things that goes up and down. */
    public Figures gauge(String name, String help, long count) {
        return gauge(name, help, (double) count);
    }

    /** Adds figures that go up and down, told apart by a label. */
    public Figures gauges(String name, String help, String label, Map<String, Long> values) {
        GaugeSnapshot.Builder all = GaugeSnapshot.builder().name(name).help(help);
        values.forEach((key, value) -> all.dataPoint(GaugeDataPointSnapshot.builder()
                .labels(Labels.of(label, key))
                .value((double) value)
                .build()));
        out.metricSnapshot(all.build());
        return this;
    }

    /** Adds a figure that only goes up; {@code _total} is added to its name. */
    public Figures counter(String name, String help, double value) {
        Family.of(out, value).counter(name, help, Double::doubleValue);
        return this;
    }

    /** Adds a number of things that only goes up; {@code _total} is added to its name. */
    public Figures counter(String name, String help, long count) {
        return counter(name, help, (double) count);
    }

    /** Adds figures that only go up, told apart by a label; {@code _total} is added to their name. */
    public Figures counters(String name, String help, String label, Map<String, Long> values) {
        CounterSnapshot.Builder all = CounterSnapshot.builder().name(name).help(help);
        values.forEach((key, value) -> all.dataPoint(CounterDataPointSnapshot.builder()
                .labels(Labels.of(label, key))
                .value((double) value)
                .build()));
        out.metricSnapshot(all.build());
        return this;
    }
}
