package org.railyard.doctor;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.railyard.lnet.api.Explanation.Reason;
import org.railyard.lnet.api.NiHealth;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.NiState;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerInfo.PeerNiInfo;
import org.railyard.lnet.api.PeerNiHealth;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.Traffic;
import org.railyard.lnet.api.Usage;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/** What a node would say of its NIs, peers and routes. */
final class Snapshots {
    static final int WELL = 1000;

    private Snapshots() {}

    static NiInfo ni(String device, String nid, int health, int minCredits) {
        return new NiInfo(
                Nid.parse(nid),
                device,
                true,
                NiState.ACTIVE,
                health,
                new NiHealth(false, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                256,
                256,
                minCredits,
                Traffic.NONE,
                Usage.NONE,
                -1,
                List.of(0));
    }

    static PeerInfo peer(String... nids) {
        return new PeerInfo(
                Nid.parse(nids[0]),
                true,
                0,
                Arrays.stream(nids).map(nid -> peerNi(nid, true, WELL, 8)).toList());
    }

    static PeerInfo peer(PeerNiInfo... nis) {
        return new PeerInfo(nis[0].nid(), true, 0, List.of(nis));
    }

    static PeerNiInfo peerNi(String nid, boolean up, int health, int minCredits) {
        return new PeerNiInfo(
                Nid.parse(nid),
                up,
                health,
                PeerNiHealth.WELL,
                8,
                8,
                minCredits,
                0,
                8,
                8,
                8,
                null,
                Traffic.NONE,
                Usage.NONE);
    }

    static RouteInfo route(String net, String gateway, Optional<Reason> down) {
        return new RouteInfo(
                Net.parse(net), Nid.parse(gateway), Nid.parse(gateway), 1, 0, down, Duration.ZERO, true, 0, 0, 0);
    }
}
