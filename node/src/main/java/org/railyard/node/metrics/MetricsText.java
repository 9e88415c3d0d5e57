package org.railyard.node.metrics;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.LNet;
import org.railyard.lnet.NiInfo;
import org.railyard.lnet.PeerInfo;
import org.railyard.lnet.PeerInfo.PeerNiInfo;
import org.railyard.lnet.Statistic;
import org.railyard.lnet.Statistics;
import org.railyard.lnet.Traffic;

/** Writes the figures of a node in the text format of Prometheus. Names stay as they are once they are published. */
final class MetricsText {
    /** Most peer NIs that are shown; a watcher of more wants sums. */
    static final int MAX_PEER_NIS = 10_000;

    /** Statistics that go up and down. */
    private static final Set<Statistic> GAUGES = Set.of(Statistic.MSGS_ALLOC, Statistic.MSGS_MAX, Statistic.RST_ALLOC);

    private static final double NANOS = 1e9;

    private final StringBuilder text = new StringBuilder();

    private MetricsText() {}

    /** Returns the figures; of LNet that is not configured, only that. */
    static String of(@Nullable LNet lnet) {
        MetricsText out = new MetricsText();
        out.head("lnet_configured", "gauge", "Whether LNet is configured.");
        out.line("lnet_configured", "", lnet == null ? 0 : 1);
        if (lnet != null) {
            out.node(lnet.statistics());
            out.nis(lnet.nis());
            out.peers(lnet.peers());
            out.head("lnet_recovery_queue", "gauge", "NIs in recovery.");
            out.line(
                    "lnet_recovery_queue",
                    "{side=\"local\"}",
                    lnet.localRecovery().size());
            out.line(
                    "lnet_recovery_queue",
                    "{side=\"peer\"}",
                    lnet.peerRecovery().size());
        }
        return out.text.toString();
    }

    /** Returns the figures of a probe. */
    static String probe(boolean success, double seconds) {
        MetricsText out = new MetricsText();
        out.head("probe_success", "gauge", "Whether the target answered a ping.");
        out.line("probe_success", "", success ? 1 : 0);
        out.head("probe_duration_seconds", "gauge", "How long that took.");
        out.seconds("probe_duration_seconds", "", seconds);
        return out.text.toString();
    }

    private void head(String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private void line(String name, String labels, long value) {
        text.append(name).append(labels).append(' ').append(value).append('\n');
    }

    private void seconds(String name, String labels, double value) {
        text.append(name).append(labels).append(String.format(Locale.ROOT, " %.9f\n", value));
    }

    private void node(Statistics statistics) {
        for (Statistic each : Statistic.values()) {
            boolean gauge = GAUGES.contains(each);
            String name = "lnet_" + each.key() + (gauge ? "" : "_total");
            head(name, gauge ? "gauge" : "counter", "Statistic " + each.key() + " of the node as a whole.");
            line(name, "", statistics.get(each));
        }
    }

    private void nis(List<NiInfo> nis) {
        each("lnet_ni_up", "gauge", "Whether the NI is announced as up.", nis, ni -> ni.up() ? 1 : 0);
        each("lnet_ni_health", "gauge", "Health of the NI, 0 to 1000.", nis, NiInfo::health);
        each("lnet_ni_tx_credits", "gauge", "Send credits of the NI; below 0 messages wait.", nis, NiInfo::credits);
        each("lnet_ni_tx_credits_max", "gauge", "Send credits of the NI at rest.", nis, NiInfo::maxCredits);
        each("lnet_ni_tx_credits_min", "gauge", "Fewest send credits of the NI ever.", nis, NiInfo::minCredits);
        each(
                "lnet_ni_timeouts_total",
                "counter",
                "Messages that waited too long to be posted.",
                nis,
                ni -> ni.failures().timeouts());
        each(
                "lnet_ni_errors_total",
                "counter",
                "Other failures at the NI.",
                nis,
                ni -> ni.failures().error());
        each(
                "lnet_ni_down_events_total",
                "counter",
                "Times that the device failed.",
                nis,
                ni -> ni.failures().downEvents());
        counts(
                "lnet_ni",
                nis.stream().map(ni -> new Labelled(labels(ni), ni.traffic())).toList());
    }

    private void each(String name, String type, String help, List<NiInfo> nis, ToLongFunction<NiInfo> value) {
        head(name, type, help);
        nis.forEach(ni -> line(name, "{" + labels(ni) + "}", value.applyAsLong(ni)));
    }

    private static String labels(NiInfo ni) {
        return "nid=\"" + ni.nid() + "\",interface=\"" + ni.interfaceName() + "\"";
    }

    private void peers(List<PeerInfo> peers) {
        record Each(String labels, PeerNiInfo ni) {}
        List<Each> all = peers.stream()
                .flatMap(peer -> peer.nis().stream()
                        .map(ni -> new Each("nid=\"" + ni.nid() + "\",peer=\"" + peer.primaryNid() + "\"", ni)))
                .limit(MAX_PEER_NIS)
                .toList();
        head("lnet_peers", "gauge", "Peers that are known.");
        line("lnet_peers", "", peers.size());
        head("lnet_peer_ni_health", "gauge", "Health of the peer NI, 0 to 1000.");
        all.forEach(each ->
                line("lnet_peer_ni_health", "{" + each.labels() + "}", each.ni().health()));
        head("lnet_peer_ni_tx_credits", "gauge", "Send credits of the peer NI; below 0 messages wait.");
        all.forEach(each -> line(
                "lnet_peer_ni_tx_credits", "{" + each.labels() + "}", each.ni().credits()));
        head("lnet_peer_ni_queued_bytes", "gauge", "Bytes charged to the peer NI.");
        all.forEach(each -> line(
                "lnet_peer_ni_queued_bytes",
                "{" + each.labels() + "}",
                each.ni().queuedBytes()));
        counts(
                "lnet_peer_ni",
                all.stream()
                        .map(each -> new Labelled(each.labels(), each.ni().traffic()))
                        .toList());
    }

    private record Labelled(String labels, Traffic traffic) {}

    private void counts(String prefix, List<Labelled> all) {
        types(prefix + "_sent_total", "Messages sent, by type.", all, Traffic::sent);
        types(prefix + "_received_total", "Messages received, by type.", all, Traffic::received);
        types(prefix + "_dropped_total", "Messages dropped, by type.", all, Traffic::dropped);
        String name = prefix + "_transaction_seconds";
        head(name, "summary", "Time of a GET until its REPLY, or a PUT until its ACK.");
        for (Labelled each : all) {
            seconds(
                    name + "_sum",
                    "{" + each.labels() + "}",
                    each.traffic().transaction().total() / NANOS);
            line(
                    name + "_count",
                    "{" + each.labels() + "}",
                    each.traffic().transaction().samples());
        }
    }

    private void types(String name, String help, List<Labelled> all, Function<Traffic, Traffic.Counts> which) {
        head(name, "counter", help);
        for (Labelled each : all) {
            Traffic.Counts counts = which.apply(each.traffic());
            String open = "{" + each.labels() + ",type=\"";
            line(name, open + "put\"}", counts.put());
            line(name, open + "get\"}", counts.get());
            line(name, open + "reply\"}", counts.reply());
            line(name, open + "ack\"}", counts.ack());
        }
    }
}
