package org.railyard.node.metrics;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.GatewayInfo;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerInfo.PeerNiInfo;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.RouterBufferInfo;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Statistics;
import org.railyard.node.metrics.Family.Member;
import org.railyard.node.o2ib.O2ibFigures;

/** The figures of a node at one moment. Names stay as they are once they are published. */
final class NodeMetrics {
    /** Most peer NIs that are shown; each has some forty figures. A watcher of more wants sums. */
    static final int MAX_PEER_NIS = 2_000;

    /** Most routes that are shown. */
    static final int MAX_ROUTES = 2_000;

    /** Statistics that go up and down. */
    private static final Set<Statistic> GAUGES = Set.of(Statistic.MSGS_ALLOC, Statistic.MSGS_MAX, Statistic.RST_ALLOC);

    private static final String NID = "nid";
    private static final String NET = "net";
    private static final String GATEWAY = "gateway";

    private final MetricSnapshots.Builder out = MetricSnapshots.builder();

    private NodeMetrics() {}

    /** Returns the figures of the process and of LNet; of LNet that is not configured, only that. */
    static MetricSnapshots of(@Nullable LNet lnet, O2ibFigures o2ib) {
        NodeMetrics metrics = new NodeMetrics();
        Family.of(metrics.out, lnet != null).gauge("lnet_configured", "Whether LNet is configured.", NodeMetrics::flag);
        if (lnet != null) {
            metrics.node(lnet);
            metrics.nis(lnet.nis());
            metrics.peers(lnet.peers());
            metrics.routes(lnet);
            O2ibMetrics.addTo(metrics.out, o2ib);
        }
        ProcessMetrics.addTo(metrics.out);
        return metrics.out.build();
    }

    /** Returns the figures of a probe. */
    static MetricSnapshots probe(boolean success, double seconds) {
        MetricSnapshots.Builder out = MetricSnapshots.builder();
        Family.of(out, success).gauge("probe_success", "Whether the target answered a ping.", NodeMetrics::flag);
        Family.of(out, seconds).gauge("probe_duration_seconds", "How long that took.", Double::doubleValue);
        return out.build();
    }

    private static double flag(boolean value) {
        return value ? 1 : 0;
    }

    private void node(LNet lnet) {
        Family<Statistics> statistics = Family.of(out, lnet.statistics());
        for (Statistic each : Statistic.values()) {
            String help = "Statistic " + each.key() + " of the node as a whole.";
            String name = "lnet_" + each.key();
            if (GAUGES.contains(each)) {
                statistics.gauge(name, help, all -> all.get(each));
            } else {
                statistics.counter(name, help, all -> all.get(each));
            }
        }
        Map<String, Integer> queues = Map.of(
                "local",
                lnet.localRecovery().size(),
                "peer",
                lnet.peerRecovery().size());
        GaugeSnapshot.Builder recovery =
                GaugeSnapshot.builder().name("lnet_recovery_queue").help("NIs in recovery.");
        queues.forEach((side, size) -> recovery.dataPoint(GaugeDataPointSnapshot.builder()
                .labels(Labels.of("side", side))
                .value(size)
                .build()));
        out.metricSnapshot(recovery.build());
        Family.of(out, lnet)
                .gauge(
                        "lnet_udsp_rules",
                        "Selection rules.",
                        of -> of.selection().udsp().size())
                .gauge(
                        "lnet_routing_state",
                        "Whether messages of others are forwarded: 0 no, 1 yes, 2 ending, 3 beginning.",
                        of -> of.routing().state().number());
    }

    private void nis(List<NiInfo> nis) {
        List<Member<NiInfo>> members = nis.stream()
                .map(ni -> new Member<>(
                        Labels.of(
                                NID,
                                ni.nid().toString(),
                                NET,
                                ni.nid().net().toString(),
                                "interface",
                                ni.interfaceName()),
                        ni))
                .toList();
        new Family<>(out, members)
                .gauge("lnet_ni_up", "Whether the NI is announced as up.", ni -> flag(ni.up()))
                .gauge(
                        "lnet_ni_fatal",
                        "Whether its device can not carry traffic.",
                        ni -> flag(ni.failures().fatal()))
                .gauge("lnet_ni_health", "Health of the NI, 0 to 1000.", NiInfo::health)
                .gauge("lnet_ni_tx_credits", "Send credits of the NI; below 0 messages wait.", NiInfo::credits)
                .gauge("lnet_ni_tx_credits_max", "Send credits of the NI at rest.", NiInfo::maxCredits)
                .gauge("lnet_ni_tx_credits_min", "Fewest send credits of the NI ever.", NiInfo::minCredits)
                .gauge(
                        "lnet_ni_heat",
                        "How much the NI is used of late.",
                        ni -> ni.usage().heat())
                .gauge(
                        "lnet_ni_recovery_pings",
                        "Recovery pings since anything was received on the NI.",
                        ni -> ni.failures().pingCount())
                .counters(
                        "lnet_ni_failures",
                        "Failures of messages at the NI, by health status.",
                        "reason",
                        Map.of(
                                "interrupt", ni -> ni.failures().interrupts(),
                                "dropped", ni -> ni.failures().dropped(),
                                "aborted", ni -> ni.failures().aborted(),
                                "no_route", ni -> ni.failures().noRoute(),
                                "timeout", ni -> ni.failures().timeouts(),
                                "error", ni -> ni.failures().error(),
                                "network_timeout", ni -> ni.failures().networkTimeouts()))
                .counters(
                        "lnet_ni_resends",
                        "Messages of the NI that were sent again, by why.",
                        "reason",
                        Map.of(
                                "local_timeout", ni -> ni.failures().resendsLocalTimeout(),
                                "network_timeout", ni -> ni.failures().resendsNetworkTimeout()))
                .counters(
                        "lnet_ni_device_events",
                        "Times that the device of the NI failed, and worked again.",
                        "event",
                        Map.of(
                                "down", ni -> ni.failures().downEvents(),
                                "up", ni -> ni.failures().upEvents()))
                .traffic("lnet_ni", NiInfo::traffic);
    }

    private void peers(List<PeerInfo> peers) {
        peerNis(new Family<>(out, peerNis(peers)));
    }

    private List<Member<PeerNiInfo>> peerNis(List<PeerInfo> peers) {
        List<Member<PeerNiInfo>> all = new ArrayList<>();
        int known = 0;
        for (PeerInfo peer : peers) {
            for (PeerNiInfo ni : peer.nis()) {
                if (known < MAX_PEER_NIS) {
                    all.add(new Member<>(
                            Labels.of(
                                    NID,
                                    ni.nid().toString(),
                                    NET,
                                    ni.nid().net().toString(),
                                    "peer",
                                    peer.primaryNid().toString()),
                            ni));
                }
                known++;
            }
        }
        Family.of(out, known)
                .gauge(
                        "lnet_peer_nis",
                        "Peer NIs that are known; of the first " + MAX_PEER_NIS + " there are figures.",
                        n -> n);
        Family.of(out, peers.size()).gauge("lnet_peers", "Peers that are known.", n -> n);
        return all;
    }

    private static void peerNis(Family<PeerNiInfo> family) {
        family.gauge("lnet_peer_ni_up", "Whether the peer last said that this NI is up.", ni -> flag(ni.up()))
                .gauge("lnet_peer_ni_health", "Health of the peer NI, 0 to 1000.", PeerNiInfo::health)
                .gauge(
                        "lnet_peer_ni_tx_credits",
                        "Send credits of the peer NI; below 0 messages wait.",
                        PeerNiInfo::credits)
                .gauge(
                        "lnet_peer_ni_tx_credits_max",
                        "Send credits of the peer NI at rest; 0 without a local NI of its net.",
                        PeerNiInfo::maxCredits)
                .gauge(
                        "lnet_peer_ni_tx_credits_min",
                        "Fewest send credits of the peer NI ever.",
                        PeerNiInfo::minCredits)
                .gauge(
                        "lnet_peer_ni_rtr_credits",
                        "Messages of the peer NI that are taken in to be passed on; below 0 some wait.",
                        PeerNiInfo::routerCredits)
                .gauge(
                        "lnet_peer_ni_rtr_credits_max",
                        "Router credits of the peer NI at rest.",
                        PeerNiInfo::maxRouterCredits)
                .gauge(
                        "lnet_peer_ni_rtr_credits_min",
                        "Fewest router credits of the peer NI ever.",
                        PeerNiInfo::minRouterCredits)
                .gauge("lnet_peer_ni_queued_bytes", "Bytes charged to the peer NI.", PeerNiInfo::queuedBytes)
                .gauge(
                        "lnet_peer_ni_heat",
                        "How much the peer NI is used of late.",
                        ni -> ni.usage().heat())
                .gauge(
                        "lnet_peer_ni_recovery_pings",
                        "Recovery pings since anything was received from the peer NI.",
                        ni -> ni.failures().pingCount())
                .counters(
                        "lnet_peer_ni_failures",
                        "Failures of messages to the peer NI, by health status.",
                        "reason",
                        Map.of(
                                "dropped", ni -> ni.failures().dropped(),
                                "timeout", ni -> ni.failures().timeout(),
                                "error", ni -> ni.failures().error(),
                                "network_timeout", ni -> ni.failures().networkTimeout()))
                .counters(
                        "lnet_peer_ni_resends",
                        "Messages to the peer NI that were sent again, by why.",
                        "reason",
                        Map.of(
                                "remote_timeout", ni -> ni.failures().resendsRemoteTimeout(),
                                "network_timeout", ni -> ni.failures().resendsNetworkTimeout()))
                .traffic("lnet_peer_ni", PeerNiInfo::traffic);
    }

    private void routes(LNet lnet) {
        List<Member<RouteInfo>> routes = lnet.routes().list().stream()
                .limit(MAX_ROUTES)
                .map(each -> new Member<>(
                        Labels.of(
                                NET,
                                each.net().toString(),
                                GATEWAY,
                                each.gateway().toString()),
                        each))
                .toList();
        new Family<>(out, routes)
                .gauge("lnet_route_up", "Whether the route can be used.", route -> flag(route.isUp()))
                .gauge("lnet_route_priority", "Priority of the route, 0 is best.", RouteInfo::priority)
                .counter("lnet_route_messages", "Messages sent over the route.", RouteInfo::messages)
                .counter("lnet_route_bytes", "Payload sent over the route.", RouteInfo::bytes);
        List<Member<RouteInfo>> down = routes.stream()
                .flatMap(each -> each.value().down().stream()
                        .map(why -> new Member<>(
                                each.labels().add("reason", why.name().toLowerCase(java.util.Locale.ROOT)),
                                each.value())))
                .toList();
        new Family<>(out, down)
                .gauge(
                        "lnet_route_down_seconds",
                        "For how long the route can not be used, and why.",
                        route -> route.since().toSeconds());
        List<Member<GatewayInfo>> gateways = lnet.routes().gateways().stream()
                .limit(MAX_ROUTES)
                .map(each -> new Member<>(Labels.of(GATEWAY, each.primaryNid().toString()), each))
                .toList();
        new Family<>(out, gateways)
                .gauge("lnet_gateway_alive", "Whether the last check found the gateway.", each -> flag(each.alive()))
                .gauge(
                        "lnet_gateway_forwards",
                        "Whether the gateway says that it forwards.",
                        each -> flag(each.forwards()))
                .gauge("lnet_gateway_routes", "Routes that lead through the gateway.", GatewayInfo::routes);
        List<Member<RouterBufferInfo>> buffers = lnet.routing().buffers().stream()
                .map(each -> new Member<>(
                        Labels.of(
                                "cpt",
                                Integer.toString(each.cpt()),
                                "size",
                                each.size().text()),
                        each))
                .toList();
        new Family<>(out, buffers)
                .gauge("lnet_router_buffers", "Router buffers.", RouterBufferInfo::buffers)
                .gauge(
                        "lnet_router_buffers_free",
                        "Router buffers that are free; below 0 messages wait.",
                        RouterBufferInfo::credits)
                .gauge(
                        "lnet_router_buffers_free_min",
                        "Fewest router buffers that ever were free.",
                        RouterBufferInfo::minCredits);
    }
}
