package org.railyard.node.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.railyard.node.metrics.Family.Member;
import org.railyard.node.o2ib.O2ibFigures;
import org.railyard.o2iblnd.bond.InterfaceGroupView;
import org.railyard.o2iblnd.bond.MemberState;
import org.railyard.o2iblnd.bond.MemberView;
import org.railyard.o2iblnd.bond.RouteSetView;
import org.railyard.o2iblnd.bond.RouteState;
import org.railyard.o2iblnd.bond.RouteView;

/**
 * Figures of the InfiniBand transport and its devices: of ports, and sums over the routes of an NI. None of single
 * peers, so that there are few.
 */
final class O2ibMetrics {
    /** Most ports that are shown, over all NIs. */
    static final int MAX_PORTS = 1_000;

    private static final String NID = "nid";
    private static final String NET = "net";

    /** The rates of links are told in units of 0.1 Mb/s; Prometheus counts in bytes. */
    private static final double BYTES = 1e5 / 8;

    private O2ibMetrics() {}

    /** The connections of an NI over one of its interfaces. */
    private static final class Sums {
        private long connections;
        private long reduced;
    }

    /** Adds the figures; the families are there even if nothing is in them. */
    static void addTo(MetricSnapshots.Builder out, O2ibFigures figures) {
        ports(out, figures.groups());
        routes(out, figures);
        rejects(out, figures);
        events(out, figures.deviceKind(), figures.deviceEvents());
        state(out, figures.deviceKind(), figures.deviceState());
    }

    private static Labels labels(InterfaceGroupView group) {
        return Labels.of(NID, group.nid().toString(), NET, group.nid().net().toString());
    }

    private static Labels labels(InterfaceGroupView group, MemberView member) {
        return labels(group).add("interface", member.interfaceName());
    }

    private static void ports(MetricSnapshots.Builder out, List<InterfaceGroupView> groups) {
        List<Member<MemberView>> ports = groups.stream()
                .flatMap(group -> group.members().stream()
                        .map(member -> new Member<>(labels(group, member).add("device", member.device()), member)))
                .limit(MAX_PORTS)
                .toList();
        new Family<>(out, ports)
                .gauge(
                        "lnet_o2ib_port_up",
                        "Whether the port carries traffic; of the first " + MAX_PORTS + ".",
                        port -> flag(port.state().isUsable()))
                .gauge(
                        "lnet_o2ib_port_degraded",
                        "Whether its link is slower than it should be.",
                        port -> flag(port.state() == MemberState.PORT_DEGRADE))
                .gauge(
                        "lnet_o2ib_port_rate_bytes_per_second",
                        "Rate of the link.",
                        port -> port.port().linkRate() * BYTES)
                .gauge(
                        "lnet_o2ib_port_expected_rate_bytes_per_second",
                        "Rate that the link should have.",
                        port -> port.expectedRate() * BYTES);
    }

    private static double flag(boolean value) {
        return value ? 1 : 0;
    }

    private static void routes(MetricSnapshots.Builder out, O2ibFigures figures) {
        List<Member<Long>> states = new ArrayList<>();
        List<Member<Integer>> peers = new ArrayList<>();
        List<Member<Sums>> sums = new ArrayList<>();
        for (InterfaceGroupView group : figures.groups()) {
            Map<RouteState, Long> byState = new EnumMap<>(RouteState.class);
            Map<String, Sums> byInterface = new LinkedHashMap<>();
            group.members().forEach(member -> byInterface.put(member.interfaceName(), new Sums()));
            int known = 0;
            for (RouteSetView set : figures.routes()) {
                if (set.ni().equals(group.nid())) {
                    known++;
                    set.routes().forEach(route -> count(group, route, byState, byInterface));
                }
            }
            peers.add(new Member<>(labels(group), known));
            for (RouteState state : RouteState.values()) {
                states.add(new Member<>(
                        labels(group).add("state", state.name().toLowerCase(Locale.ROOT)),
                        byState.getOrDefault(state, 0L)));
            }
            for (MemberView member : group.members()) {
                if (sums.size() < MAX_PORTS) {
                    Sums sum = byInterface.get(member.interfaceName());
                    sums.add(new Member<>(labels(group, member), sum == null ? new Sums() : sum));
                }
            }
        }
        new Family<>(out, peers).gauge("lnet_o2ib_peers", "Peers that the NI has had to do with.", n -> n);
        new Family<>(out, states).gauge("lnet_o2ib_routes", "Routes of the NI to all its peers, by state.", n -> n);
        new Family<>(out, sums)
                .gauge("lnet_o2ib_connections", "Connections that are up over an interface.", sum -> sum.connections)
                .gauge(
                        "lnet_o2ib_connections_reduced",
                        "Connections whose queue depth or fragments are fewer than this node asks for.",
                        sum -> sum.reduced);
    }

    private static void count(
            InterfaceGroupView group, RouteView route, Map<RouteState, Long> byState, Map<String, Sums> byInterface) {
        if (!route.extra()) {
            byState.merge(route.state(), 1L, Long::sum);
        }
        Sums sums = byInterface.get(route.interfaceName());
        if (sums == null || route.agreed() == null) {
            return;
        }
        sums.connections += route.connections();
        boolean reduced = route.agreed().queueDepth() < group.tunables().offeredQueueDepth()
                || route.agreed().maxFragments() < group.tunables().offeredFragments();
        sums.reduced += reduced ? route.connections() : 0;
    }

    private static void rejects(MetricSnapshots.Builder out, O2ibFigures figures) {
        CounterSnapshot.Builder all = CounterSnapshot.builder()
                .name("lnet_o2ib_rejects")
                .help("Requests for connections that were rejected, by this node (sent) or by others (received).");
        addRejects(all, "sent", figures.rejectsSent());
        addRejects(all, "received", figures.rejectsReceived());
        out.metricSnapshot(all.build());
    }

    private static void addRejects(CounterSnapshot.Builder all, String direction, Map<String, Long> byReason) {
        byReason.forEach((reason, count) -> all.dataPoint(CounterDataPointSnapshot.builder()
                .labels(Labels.of("direction", direction, "reason", reason))
                .value((double) count)
                .build()));
    }

    private static void state(MetricSnapshots.Builder out, String kind, Map<String, Long> state) {
        List<Member<Long>> values = new ArrayList<>();
        state.forEach((what, value) -> values.add(new Member<>(Labels.of("kind", kind, "what", what), value)));
        new Family<>(out, values)
                .gauge("lnet_verbs_state", "What RDMA cards have now: bytes of memory that are registered.", n -> n);
    }

    private static void events(MetricSnapshots.Builder out, String kind, Map<String, Long> events) {
        CounterSnapshot.Builder all = CounterSnapshot.builder()
                .name("lnet_verbs_events")
                .help("What devices made of software have counted: packets sent, received, sent again, refused …");
        events.forEach((event, count) -> all.dataPoint(CounterDataPointSnapshot.builder()
                .labels(Labels.of("kind", kind, "event", event))
                .value((double) count)
                .build()));
        out.metricSnapshot(all.build());
    }
}
