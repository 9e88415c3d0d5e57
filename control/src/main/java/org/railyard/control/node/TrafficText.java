package org.railyard.control.node;

import org.railyard.base.text.Doc;
import org.railyard.lnet.api.Latency;
import org.railyard.lnet.api.Traffic;

/** Counts and latencies as documents (spec 12 §4.1). */
final class TrafficText {
    private TrafficText() {}

    /** Returns the 15 keys of {@code statistics}. */
    static Doc statistics(Traffic traffic) {
        Doc doc = new Doc()
                .put("send_count", traffic.sent().sum())
                .put("recv_count", traffic.received().sum())
                .put("drop_count", traffic.dropped().sum());
        latency(doc, "put_egress", traffic.putEgress());
        latency(doc, "get_rtt", traffic.getRtt());
        latency(doc, "put_ack", traffic.putAck());
        return doc;
    }

    private static void latency(Doc doc, String name, Latency latency) {
        doc.put(name + "_samples", latency.samples())
                .put(name + "_min_nsec", latency.min())
                .put(name + "_max_nsec", latency.max())
                .put(name + "_avg_nsec", latency.average());
    }

    /** Adds {@code sent_stats}, {@code received_stats} and {@code dropped_stats}. */
    static void types(Doc doc, Traffic traffic) {
        doc.put("sent_stats", counts(traffic.sent()))
                .put("received_stats", counts(traffic.received()))
                .put("dropped_stats", counts(traffic.dropped()));
    }

    private static Doc counts(Traffic.Counts counts) {
        return new Doc()
                .put("put", counts.put())
                .put("get", counts.get())
                .put("reply", counts.reply())
                .put("ack", counts.ack())
                .put("hello", counts.hello());
    }
}
