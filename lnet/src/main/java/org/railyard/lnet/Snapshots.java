package org.railyard.lnet;

import java.util.ArrayList;
import java.util.List;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNi;

/** Describes what a node has as values. Needs the stack's lock. */
final class Snapshots {
    private Snapshots() {}

    static NiInfo of(LocalNi ni, long now) {
        return new NiInfo(
                ni.nid(),
                ni.interfaceName(),
                !ni.fatal && ni.health > 0,
                ni.health,
                ni.credits.value(),
                ni.credits.max(),
                ni.credits.min(),
                ni.traffic.snapshot(),
                ni.traffic.usage(now));
    }

    static PeerInfo of(Peer peer, long now) {
        List<PeerInfo.PeerNiInfo> nis = new ArrayList<>();
        for (PeerNi ni : peer.nis()) {
            nis.add(of(ni, now));
        }
        return new PeerInfo(peer.primaryNid, peer.isMultiRail(), peer.state, nis);
    }

    private static PeerInfo.PeerNiInfo of(PeerNi ni, long now) {
        return new PeerInfo.PeerNiInfo(
                ni.nid(),
                ni.isUp(),
                ni.health,
                ni.credits.value(),
                ni.credits.max(),
                ni.credits.min(),
                ni.queuedBytes,
                ni.traffic.lastLocal(),
                ni.traffic.snapshot(),
                ni.traffic.usage(now));
    }
}
