package org.railyard.node.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.railyard.lnet.api.Latency;
import org.railyard.lnet.api.Traffic;

/**
 * Figures of things of one kind, such as NIs: a name for each figure, and a line for each thing. Names stay as they are
 * once they are published.
 *
 * @param out where they go
 * @param members the things
 */
record Family<T>(MetricSnapshots.Builder out, List<Member<T>> members) {
    private static final double NANOS = 1e9;

    /**
     * A thing.
     *
     * @param labels what tells it from the others
     * @param value itself
     */
    record Member<T>(Labels labels, T value) {}

    /** Makes one of a single thing, which needs no labels. */
    static <T> Family<T> of(MetricSnapshots.Builder out, T single) {
        return new Family<>(out, List.of(new Member<>(Labels.EMPTY, single)));
    }

    /** Adds a figure that goes up and down. */
    Family<T> gauge(String name, String help, ToDoubleFunction<T> figure) {
        GaugeSnapshot.Builder all = GaugeSnapshot.builder().name(name).help(help);
        for (Member<T> each : members) {
            all.dataPoint(GaugeDataPointSnapshot.builder()
                    .labels(each.labels())
                    .value(figure.applyAsDouble(each.value()))
                    .build());
        }
        out.metricSnapshot(all.build());
        return this;
    }

    /** Adds a figure that only goes up; {@code _total} is added to its name. */
    Family<T> counter(String name, String help, ToDoubleFunction<T> figure) {
        CounterSnapshot.Builder all = CounterSnapshot.builder().name(name).help(help);
        for (Member<T> each : members) {
            all.dataPoint(CounterDataPointSnapshot.builder()
                    .labels(each.labels())
                    .value(figure.applyAsDouble(each.value()))
                    .build());
        }
        out.metricSnapshot(all.build());
        return this;
    }

    /** Adds figures that only go up, told apart by one more label; {@code _total} is added to their name. */
    Family<T> counters(String name, String help, String label, Map<String, ToLongFunction<T>> figures) {
        CounterSnapshot.Builder all = CounterSnapshot.builder().name(name).help(help);
        for (Member<T> each : members) {
            figures.forEach((key, figure) -> all.dataPoint(CounterDataPointSnapshot.builder()
                    .labels(each.labels().add(label, key))
                    .value((double) figure.applyAsLong(each.value()))
                    .build()));
        }
        out.metricSnapshot(all.build());
        return this;
    }

    /** Adds what messages come to: counts by type, bytes, and durations by kind. */
    Family<T> traffic(String prefix, Function<T, Traffic> traffic) {
        counts(prefix + "_sent", "Messages sent, by type.", traffic.andThen(Traffic::sent));
        counts(prefix + "_received", "Messages received, by type.", traffic.andThen(Traffic::received));
        counts(prefix + "_dropped", "Messages dropped, by type.", traffic.andThen(Traffic::dropped));
        counter(
                prefix + "_sent_bytes",
                "Payload of the messages sent.",
                of -> traffic.apply(of).sentBytes());
        counter(
                prefix + "_received_bytes",
                "Payload of the messages received.",
                of -> traffic.apply(of).receivedBytes());
        SummarySnapshot.Builder all = SummarySnapshot.builder()
                .name(prefix + "_latency_seconds")
                .help("put_egress: until the transport has sent a PUT; send: the same of all types;"
                        + " get_rtt: from a GET until its REPLY; put_ack: from a PUT until its ACK.");
        for (Member<T> each : members) {
            Traffic of = traffic.apply(each.value());
            Map<String, Latency> kinds = Map.of(
                    "put_egress", of.putEgress(), "send", of.send(), "get_rtt", of.getRtt(), "put_ack", of.putAck());
            kinds.forEach((kind, latency) -> all.dataPoint(SummaryDataPointSnapshot.builder()
                    .labels(each.labels().add("kind", kind))
                    .count(latency.samples())
                    .sum(latency.total() / NANOS)
                    .build()));
        }
        out.metricSnapshot(all.build());
        return this;
    }

    private void counts(String name, String help, Function<T, Traffic.Counts> counts) {
        counters(
                name,
                help,
                "type",
                Map.of(
                        "put", of -> counts.apply(of).put(),
                        "get", of -> counts.apply(of).get(),
                        "reply", of -> counts.apply(of).reply(),
                        "ack", of -> counts.apply(of).ack()));
    }
}
