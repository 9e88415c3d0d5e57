package org.railyard.doctor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.Bond;
import org.railyard.lnet.api.BondPolicy;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.RoutingState;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/** Builds what is examined. Begins with two NIs and nothing that is wrong. */
final class SetupBuilder {
    private static final int LND_TIMEOUT = 50;
    private static final int PORT = 988;

    final List<Setup.Ni> nis = new ArrayList<>();
    final List<PeerInfo> peers = new ArrayList<>();
    final List<RouteInfo> routes = new ArrayList<>();
    final List<Setup.Way> ways = new ArrayList<>();
    final List<UdspRule> rules = new ArrayList<>();
    final List<Bond> bonds = new ArrayList<>();
    final List<NiInfo> infos = new ArrayList<>();
    final Map<Nid, String> silent = new LinkedHashMap<>();
    final List<Setup.Rail> rails = new ArrayList<>();
    final List<Setup.Reported> reports = new ArrayList<>();
    final List<Setup.Agreed> agreed = new ArrayList<>();
    final List<Setup.Connected> connected = new ArrayList<>();
    boolean asked;
    Settings settings = Settings.DEFAULT;
    boolean forwards;
    RoutingState routing = RoutingState.DISABLED;
    boolean running = true;
    Setup.@Nullable Start start;

    SetupBuilder() {
        ni("eth0", "10.0.0.1@tcp");
        ni("eth1", "10.0.0.2@tcp");
    }

    SetupBuilder ni(String device, String nid) {
        return ni(device, nid, NetTunables.DEFAULT, LND_TIMEOUT);
    }

    SetupBuilder ni(String device, String nid, NetTunables tunables, int lndTimeout) {
        Nid parsed = Nid.parse(nid);
        nis.removeIf(each -> each.device().equals(device));
        nis.add(new Setup.Ni(parsed.net(), device, parsed, tunables, lndTimeout));
        return this;
    }

    SetupBuilder set(Tunable tunable, int value) {
        settings = settings.with(tunable, value);
        return this;
    }

    SetupBuilder route(String net, String gateway) {
        ways.add(new Setup.Way(Net.parse(net), Nid.parse(gateway)));
        return this;
    }

    SetupBuilder peer(PeerInfo peer) {
        peers.add(peer);
        return this;
    }

    SetupBuilder bond(String name, String... nids) {
        bonds.add(new Bond(
                name,
                Bond.Kind.LOCAL,
                BondPolicy.DEFAULT,
                Arrays.stream(nids).map(Nid::parse).toList()));
        return this;
    }

    SetupBuilder rule(@Nullable String src, @Nullable String dst, @Nullable String rte) {
        rules.add(UdspRule.of(src, dst, rte));
        return this;
    }

    /** It is a file instead of a node that runs. */
    SetupBuilder file(int port, boolean anySourcePort) {
        start = new Setup.Start(port, anySourcePort);
        running = false;
        return this;
    }

    Setup build() {
        List<Nid> nids = peers.stream()
                .flatMap(peer -> peer.nis().stream())
                .map(PeerInfo.PeerNiInfo::nid)
                .toList();
        List<Setup.Way> all = new ArrayList<>(ways);
        routes.forEach(route -> all.add(new Setup.Way(route.net(), route.gateway())));
        return new Setup(
                nis,
                nids,
                all,
                rules,
                bonds,
                settings,
                forwards,
                start,
                running
                        ? new Setup.Running(
                                infos,
                                peers,
                                routes,
                                routing,
                                PORT,
                                new Setup.Probes(asked, silent, rails, reports),
                                agreed,
                                connected)
                        : null);
    }
}
