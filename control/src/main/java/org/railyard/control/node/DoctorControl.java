package org.railyard.control.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.config.ni.NiGroups;
import org.railyard.control.DlcException;
import org.railyard.control.DoctorOperation;
import org.railyard.doctor.Doctor;
import org.railyard.doctor.HostFacts;
import org.railyard.doctor.Report;
import org.railyard.doctor.Setup;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.NiTuning;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerInfo.PeerNiInfo;
import org.railyard.lnet.api.PingReply;
import org.railyard.lnet.nid.Nid;

/** Examines the node of the service and its machine. */
final class DoctorControl {
    /** Most peers that are pinged. */
    static final int MAX_PROBES = 256;

    /** Most ways to one peer that are pinged one by one. */
    static final int MAX_WAYS = 64;

    /** Most pings; peers beyond them are asked once each. */
    static final int MAX_PINGS = 1024;

    private static final int PING_SECONDS = 5;
    private static final int MAX_PING_SECONDS = 60;
    private static final String TIMEOUT = "timeout";
    private static final String ACCEPTOR = "988";

    private final Running running;

    DoctorControl(Running running) {
        this.running = running;
    }

    static Map<String, Object> execute(DoctorOperation operation, OperationContext context) {
        return switch (operation) {
            case DoctorOperation.Examine examine ->
                new DoctorControl(context.running()).examine(examine).toDocument();
        };
    }

    private Report examine(DoctorOperation.Examine examine) {
        Integer limit = examine.timeout();
        int seconds = limit == null ? PING_SECONDS : limit;
        if (seconds < 1 || seconds > MAX_PING_SECONDS) {
            throw new DlcException(
                    examine, Errno.EINVAL, "timeout " + seconds + " s of the doctor; expected 1…" + MAX_PING_SECONDS);
        }
        LNet lnet = running.get();
        if (lnet == null) {
            return Doctor.notConfigured();
        }
        List<PeerInfo> peers = lnet.peers();
        Setup.Probes probes = examine.probe() ? probes(lnet, peers, Duration.ofSeconds(seconds)) : Setup.Probes.NONE;
        Report report =
                Doctor.examine(setup(lnet, peers, probes), running.machine().facts());
        return examine.probe() && peers.size() > MAX_PROBES
                ? with(report, "peers beyond the first " + MAX_PROBES + " were not pinged")
                : report;
    }

    private static Report with(Report report, String notChecked) {
        List<String> all = new ArrayList<>(report.notChecked());
        all.add(notChecked);
        return new Report(report.findings(), all);
    }

    private Setup setup(LNet lnet, List<PeerInfo> peers, Setup.Probes probes) {
        List<NiInfo> infos = lnet.inventory().nis();
        List<HostFacts.Link> links = running.machine().facts().links();
        List<Setup.Ni> nis = infos.stream()
                .flatMap(ni -> isGroup(lnet, ni) ? ni(lnet, ni).members(links).stream() : Stream.of(ni(lnet, ni)))
                .toList();
        List<Setup.Way> routes = lnet.routes().list().stream()
                .map(route -> new Setup.Way(route.net(), route.gateway()))
                .toList();
        return new Setup(
                nis,
                peers.stream()
                        .flatMap(peer -> peer.nis().stream())
                        .map(PeerNiInfo::nid)
                        .toList(),
                routes,
                lnet.selection().udsp(),
                lnet.bonds().list(),
                lnet.settings(),
                lnet.routing().state().forwards(),
                null,
                new Setup.Running(
                        infos,
                        peers,
                        lnet.routes().list(),
                        lnet.routing().state(),
                        acceptPort(),
                        probes,
                        agreed(),
                        connections(lnet, infos)));
    }

    /** What connections of nets of type o2ib have agreed on; none without such a transport. */
    private List<Setup.Agreed> agreed() {
        O2ibs o2ibs = running.machine().o2ibs();
        List<Setup.Agreed> agreed = new ArrayList<>();
        for (Object ni : o2ibs == null ? List.of() : o2ibs.tunables(null)) {
            Map<?, ?> item = (Map<?, ?>) ni;
            if (item.get("tunables") instanceof Map<?, ?> given && given.get("peer_credits") instanceof Number asked) {
                for (Object peer : items(item.get("peers"))) {
                    agreed((Map<?, ?>) peer, asked.intValue(), agreed);
                }
            }
        }
        return agreed;
    }

    private static void agreed(Map<?, ?> peer, int asked, List<Setup.Agreed> agreed) {
        for (Object route : items(peer.get("routes"))) {
            if (route instanceof Map<?, ?> item && item.get("queue_depth") instanceof Number depth) {
                Nid nid = Nid.parse(String.valueOf(peer.get("nid")));
                agreed.add(new Setup.Agreed(nid, Math.clamp(asked, 8, 255), depth.intValue()));
            }
        }
    }

    private static List<?> items(@Nullable Object list) {
        return list instanceof List<?> items ? items : List.of();
    }

    private static List<Setup.Connected> connections(LNet lnet, List<NiInfo> nis) {
        List<Setup.Connected> all = new ArrayList<>();
        for (NiInfo ni : nis) {
            lnet.inventory().connections(ni.nid()).forEach(with -> all.add(new Setup.Connected(ni.nid(), with)));
        }
        return all;
    }

    private int acceptPort() {
        try {
            return Integer.decode(running.machine().parameters().getOrDefault("accept_port", ACCEPTOR));
        } catch (NumberFormatException e) {
            // The transport has refused it.
            return Integer.parseInt(ACCEPTOR);
        }
    }

    private static boolean isGroup(LNet lnet, NiInfo ni) {
        return NiGroups.isGroup(
                ni.interfaceName(), lnet.inventory().tuning(ni.nid()).lnd());
    }

    private static Setup.Ni ni(LNet lnet, NiInfo ni) {
        NiTuning tuning = lnet.inventory().tuning(ni.nid());
        return new Setup.Ni(
                ni.nid().net(),
                ni.interfaceName(),
                ni.nid(),
                tuning.net(),
                tuning.wanted().getOrDefault(TIMEOUT, 0));
    }

    /** Asks one NID of a peer from one NI, or from the best. */
    private record Asked(Nid peer, Nid from, Nid to, CompletionStage<PingReply> answer) {}

    /** Pings all peers at once, on each way from an NI of this node to an NI of the peer on the same net. */
    private static Setup.Probes probes(LNet lnet, List<PeerInfo> peers, Duration limit) {
        List<Nid> own = lnet.inventory().nis().stream().map(NiInfo::nid).toList();
        List<Asked> asked = new ArrayList<>();
        for (PeerInfo peer : peers.subList(0, Math.min(peers.size(), MAX_PROBES))) {
            List<Asked> ways = ways(lnet, peer, own, limit);
            asked.addAll(
                    ways.size() > 1 && asked.size() + ways.size() <= MAX_PINGS
                            ? ways
                            : List.of(ask(lnet, peer, Nid.ANY, peer.primaryNid(), limit)));
        }
        Map<Nid, List<Setup.Rail>> failed = new LinkedHashMap<>();
        List<Setup.Reported> reports = new ArrayList<>();
        Map<Nid, Integer> all = new LinkedHashMap<>();
        for (Asked each : asked) {
            all.merge(each.peer, 1, Integer::sum);
            String why = why(each.answer);
            if (why == null) {
                List<Nid> nids = each.answer.toCompletableFuture().join().nids();
                if (!nids.isEmpty()) {
                    reports.add(new Setup.Reported(each.peer, each.to, nids));
                }
            } else {
                failed.computeIfAbsent(each.peer, nid -> new ArrayList<>())
                        .add(new Setup.Rail(each.peer, each.from, each.to, why));
            }
        }
        Map<Nid, String> silent = new LinkedHashMap<>();
        List<Setup.Rail> rails = new ArrayList<>();
        failed.forEach((peer, ways) -> {
            if (ways.size() == all.getOrDefault(peer, 0)) {
                silent.put(peer, ways.getFirst().why());
            } else {
                rails.addAll(ways);
            }
        });
        return new Setup.Probes(true, silent, rails, reports);
    }

    private static List<Asked> ways(LNet lnet, PeerInfo peer, List<Nid> own, Duration limit) {
        List<Asked> ways = new ArrayList<>();
        long onNets = peer.nis().stream()
                .mapToLong(there ->
                        own.stream().filter(nid -> nid.isOn(there.nid().net())).count())
                .sum();
        if (onNets < 2 || onNets > MAX_WAYS) {
            return ways;
        }
        for (PeerNiInfo there : peer.nis()) {
            for (Nid nid : own) {
                if (nid.isOn(there.nid().net())) {
                    ways.add(ask(lnet, peer, nid, there.nid(), limit));
                }
            }
        }
        return ways;
    }

    private static Asked ask(LNet lnet, PeerInfo peer, Nid from, Nid to, Duration limit) {
        CompletionStage<PingReply> answer;
        try {
            answer = lnet.inventory().probe(to, from, limit);
        } catch (ErrnoException e) {
            answer = CompletableFuture.failedStage(e);
        }
        return new Asked(peer.primaryNid(), from, to, answer);
    }

    private static @Nullable String why(CompletionStage<PingReply> answer) {
        try {
            answer.toCompletableFuture().join();
            return null;
        } catch (CompletionException | CancellationException e) {
            return e.getCause() instanceof ErrnoException why
                    ? why.errno().text() + " (" + why.errno() + ")"
                    : "the ping was given up";
        }
    }
}
