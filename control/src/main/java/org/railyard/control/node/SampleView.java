package org.railyard.control.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.railyard.base.text.Doc;
import org.railyard.control.StatsOperation;
import org.railyard.lnet.Inventory;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.NiHealth;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerInfo.PeerNiInfo;
import org.railyard.lnet.api.PeerNiHealth;
import org.railyard.lnet.api.Traffic;

/** Counters, credits and health of all NIs and peer NIs, for whoever makes rates of two of them. */
final class SampleView {
    private SampleView() {}

    static Map<String, Object> of(LNet lnet) {
        Inventory inventory = lnet.inventory();
        long time = inventory.monotonicNanos();
        List<Object> nis = new ArrayList<>();
        inventory.nis().forEach(ni -> nis.add(ni(ni)));
        List<Object> peerNis = new ArrayList<>();
        int more = 0;
        for (PeerInfo peer : lnet.peers()) {
            for (PeerNiInfo ni : peer.nis()) {
                if (peerNis.size() < StatsOperation.Sample.MAX_PEER_NIS) {
                    peerNis.add(peerNi(peer, ni));
                } else {
                    more++;
                }
            }
        }
        return Map.of(
                "sample",
                new Doc()
                        .put("time", time)
                        .put("nis", nis)
                        .put("peer nis", peerNis)
                        .put("more peer nis", more)
                        .map());
    }

    private static Map<String, Object> ni(NiInfo ni) {
        NiHealth failures = ni.failures();
        Doc doc = new Doc()
                .put("nid", ni.nid().toString())
                .put("of", ni.interfaceName())
                .put("state", ni.state().name())
                .put("health", ni.health())
                .put("credits", ni.credits())
                .put("max_credits", ni.maxCredits())
                .put("min_credits", ni.minCredits());
        traffic(doc, ni.traffic());
        return doc.put("resends", failures.resendsLocalTimeout() + failures.resendsNetworkTimeout())
                .put("timeouts", failures.timeouts())
                .map();
    }

    private static Map<String, Object> peerNi(PeerInfo peer, PeerNiInfo ni) {
        PeerNiHealth failures = ni.failures();
        Doc doc = new Doc()
                .put("nid", ni.nid().toString())
                .put("of", peer.primaryNid().toString())
                .put("state", ni.up() ? "up" : "down")
                .put("health", ni.health())
                .put("credits", ni.credits())
                .put("max_credits", ni.maxCredits())
                .put("min_credits", ni.minCredits())
                .put("queued", ni.queuedBytes());
        traffic(doc, ni.traffic());
        return doc.put("resends", failures.resendsRemoteTimeout() + failures.resendsNetworkTimeout())
                .put("timeouts", failures.timeout() + failures.networkTimeout())
                .map();
    }

    private static void traffic(Doc doc, Traffic traffic) {
        doc.put("sent", traffic.sent().sum())
                .put("received", traffic.received().sum())
                .put("dropped", traffic.dropped().sum())
                .put("sent_bytes", traffic.sentBytes())
                .put("received_bytes", traffic.receivedBytes());
    }
}
