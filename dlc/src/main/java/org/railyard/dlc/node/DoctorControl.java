package org.railyard.dlc.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.railyard.dlc.api.DlcException;
import org.railyard.dlc.api.DoctorOperation;
import org.railyard.dlc.doctor.Doctor;
import org.railyard.dlc.doctor.Report;
import org.railyard.dlc.doctor.Setup;
import org.railyard.lnet.LNet;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.NiInfo;
import org.railyard.lnet.NiTuning;
import org.railyard.lnet.PeerInfo;
import org.railyard.lnet.PeerInfo.PeerNiInfo;
import org.railyard.lnet.PingReply;
import org.railyard.lnet.nid.Nid;

/** Examines the node of the service and its machine. */
final class DoctorControl {
    /** Most peers that are pinged. */
    static final int MAX_PROBES = 256;

    private static final Duration PING_LIMIT = Duration.ofSeconds(5);
    private static final String TIMEOUT = "timeout";

    private final Running running;

    DoctorControl(Running running) {
        this.running = running;
    }

    Report execute(DoctorOperation.Examine examine) {
        LNet lnet = running.get();
        if (lnet == null) {
            return Doctor.notConfigured();
        }
        List<PeerInfo> peers = lnet.peers();
        Map<Nid, String> silent = examine.probe() ? silent(lnet, peers) : Map.of();
        Report report =
                Doctor.examine(setup(lnet, peers, silent), running.machine().facts());
        return examine.probe() && peers.size() > MAX_PROBES
                ? with(report, "peers beyond the first " + MAX_PROBES + " were not pinged")
                : report;
    }

    private static Report with(Report report, String notChecked) {
        List<String> all = new ArrayList<>(report.notChecked());
        all.add(notChecked);
        return new Report(report.findings(), all);
    }

    private static Setup setup(LNet lnet, List<PeerInfo> peers, Map<Nid, String> silent) {
        List<NiInfo> infos = lnet.inventory().nis();
        List<Setup.Ni> nis = infos.stream().map(ni -> ni(lnet, ni)).toList();
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
                lnet.settings(),
                lnet.routing().state().forwards(),
                null,
                new Setup.Running(infos, peers, lnet.routes().list(), silent));
    }

    private static Setup.Ni ni(LNet lnet, NiInfo ni) {
        NiTuning tuning = lnet.inventory().tuning(ni.nid());
        return new Setup.Ni(
                ni.nid().net(),
                ni.interfaceName(),
                ni.nid(),
                tuning.net(),
                tuning.lnd().getOrDefault(TIMEOUT, 0));
    }

    /** Pings all peers at once; returns the primary NIDs of those that do not answer, with the reason. */
    private static Map<Nid, String> silent(LNet lnet, List<PeerInfo> peers) {
        Map<Nid, CompletionStage<PingReply>> asked = new LinkedHashMap<>();
        Map<Nid, String> silent = new LinkedHashMap<>();
        for (PeerInfo peer : peers.subList(0, Math.min(peers.size(), MAX_PROBES))) {
            try {
                asked.put(peer.primaryNid(), lnet.ping(peer.primaryNid(), Nid.ANY, PING_LIMIT));
            } catch (LNetException e) {
                silent.put(peer.primaryNid(), DlcException.textOf(e));
            }
        }
        asked.forEach((nid, answer) -> {
            try {
                answer.toCompletableFuture().join();
            } catch (CompletionException | CancellationException e) {
                silent.put(
                        nid,
                        e.getCause() instanceof LNetException why
                                ? why.errno().text() + " (" + why.errno() + ")"
                                : "the ping was given up");
            }
        });
        return silent;
    }
}
