package org.railyard.lnet;

import java.util.ArrayList;
import java.util.List;
import org.railyard.lnet.api.NiHealth;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerNiHealth;
import org.railyard.lnet.health.HealthTable;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.model.Credits;
import org.railyard.lnet.model.HealthCounters;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.RecoveryState;
import org.railyard.lnet.wire.PingInfo;

/** Describes what a node has as values. Needs the stack's lock. */
final class Snapshots {
    private Snapshots() {}

    static NiInfo of(LocalNi ni, long now) {
        return new NiInfo(
                ni.nid(),
                ni.lnd().deviceName(ni),
                ni.status() == PingInfo.STATUS_UP,
                HealthTable.stateOf(ni),
                ni.health,
                healthOf(ni),
                ni.credits.value(),
                ni.credits.max(),
                ni.credits.min(),
                ni.traffic.snapshot(),
                ni.traffic.usage(now),
                ni.deviceCpt,
                listOf(ni.credits.cpts()));
    }

    /** A list that need not be copied; a stream would take as long as all the rest. */
    private static List<Integer> listOf(int[] numbers) {
        Integer[] boxed = new Integer[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            boxed[i] = numbers[i];
        }
        return List.of(boxed);
    }

    private static NiHealth healthOf(LocalNi ni) {
        HealthCounters counters = ni.healthCounters;
        return new NiHealth(
                ni.fatal,
                counters.failures(HealthStatus.LOCAL_INTERRUPT),
                counters.failures(HealthStatus.LOCAL_DROPPED),
                counters.failures(HealthStatus.LOCAL_ABORTED),
                counters.failures(HealthStatus.LOCAL_NO_ROUTE),
                counters.failures(HealthStatus.LOCAL_TIMEOUT),
                counters.failures(HealthStatus.LOCAL_ERROR),
                counters.failures(HealthStatus.NETWORK_TIMEOUT),
                counters.resends(HealthStatus.LOCAL_TIMEOUT),
                counters.resends(HealthStatus.NETWORK_TIMEOUT),
                ni.downEvents,
                ni.upEvents,
                ni.recovery.pingCount(),
                ni.recovery.nextPing());
    }

    private static PeerNiHealth healthOf(PeerNi ni) {
        if (!ni.hasFailed()) {
            return PeerNiHealth.WELL;
        }
        HealthCounters counters = ni.healthCounters();
        RecoveryState recovery = ni.recovery();
        return new PeerNiHealth(
                counters.failures(HealthStatus.REMOTE_DROPPED),
                counters.failures(HealthStatus.REMOTE_TIMEOUT),
                counters.failures(HealthStatus.REMOTE_ERROR),
                counters.failures(HealthStatus.NETWORK_TIMEOUT),
                counters.resends(HealthStatus.REMOTE_TIMEOUT),
                counters.resends(HealthStatus.NETWORK_TIMEOUT),
                recovery.pingCount(),
                recovery.nextPing());
    }

    static PeerInfo of(Peer peer, long now) {
        List<PeerInfo.PeerNiInfo> nis = new ArrayList<>();
        for (PeerNi ni : peer.nis()) {
            nis.add(of(ni, now));
        }
        return new PeerInfo(peer.primaryNid, peer.isMultiRail(), peer.state, nis);
    }

    private static PeerInfo.PeerNiInfo of(PeerNi ni, long now) {
        Credits routerCredits = ni.usedRouterCredits();
        return new PeerInfo.PeerNiInfo(
                ni.nid(),
                ni.isUp(),
                ni.health,
                healthOf(ni),
                ni.credits.value(),
                ni.credits.max(),
                ni.credits.min(),
                ni.queuedBytes,
                routerCredits == null ? ni.routerCreditsMax() : routerCredits.value(),
                ni.routerCreditsMax(),
                routerCredits == null ? ni.routerCreditsMax() : routerCredits.min(),
                ni.traffic.lastLocal(),
                ni.traffic.snapshot(),
                ni.traffic.usage(now));
    }
}
