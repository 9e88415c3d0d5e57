package org.railyard.control.node;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerInfo.PeerNiInfo;
import org.railyard.lnet.api.PeerNiHealth;
import org.railyard.lnet.nid.Nid;

/** Peers as documents (spec 12 §3, §4.3). */
final class PeerView {
    /** Up or down only where anybody looks after it: at routers, and on routers. */
    private static final String NOT_WATCHED = "NA";

    private static final int STATISTICS = 1;
    private static final int HEALTH = 2;
    private static final int STATE = 3;
    private static final int UDSP = 4;

    private final LNet lnet;
    private final boolean own;
    private final Map<Nid, Boolean> gateways = new LinkedHashMap<>();

    /**
     * Makes a view.
     *
     * @param own whether it shows what only this node has
     */
    PeerView(LNet lnet, boolean own) {
        this.lnet = lnet;
        this.own = own;
        lnet.routes().gateways().forEach(each -> gateways.put(each.primaryNid(), each.alive()));
    }

    /** Shows a peer, all its NIDs. */
    Map<String, Object> peer(PeerInfo peer, int level) {
        Doc doc = new Doc().put("primary nid", peer.primaryNid().toString()).put("Multi-Rail", peer.multiRail());
        if (level >= STATE) {
            doc.put("peer state", peer.state());
            lock(doc, peer);
        }
        List<Object> nis = new ArrayList<>();
        peer.nis().forEach(ni -> nis.add(ni(peer, ni, level)));
        return doc.put("peer ni", nis).map();
    }

    /** Only this node tells, and only of peers that are locked: nobody else's documents have it. */
    static void lock(Doc doc, PeerInfo peer) {
        if (peer.isLocked()) {
            doc.put("lock_prim", true);
        }
    }

    private Map<String, Object> ni(PeerInfo peer, PeerNiInfo ni, int level) {
        Doc doc = new Doc().put("nid", ni.nid().toString());
        if (level >= UDSP) {
            udsp(doc, ni);
        }
        doc.put("state", stateOf(peer, ni));
        if (level >= STATISTICS) {
            credits(doc, ni);
            doc.put("statistics", TrafficText.statistics(ni.traffic()));
        }
        if (level >= HEALTH) {
            TrafficText.types(doc, ni.traffic());
            doc.put("health stats", health(ni));
            if (own) {
                own(doc, ni);
            }
        }
        return doc.map();
    }

    private String stateOf(PeerInfo peer, PeerNiInfo ni) {
        Boolean alive = gateways.get(peer.primaryNid());
        if (alive != null) {
            return alive && ni.up() ? "up" : "down";
        }
        return lnet.routing().state().forwards() ? ni.up() ? "up" : "down" : NOT_WATCHED;
    }

    private void udsp(Doc doc, PeerNiInfo ni) {
        try {
            doc.put("udsp info", UdspText.info(lnet.selection().udspInfo(ni.nid())));
        } catch (ErrnoException e) {
            // It went away while we looked.
            doc.put("udsp info", new Doc());
        }
    }

    private static void credits(Doc doc, PeerNiInfo ni) {
        // One for the table, and one for each message that holds or waits for a credit.
        int holders = 1 + Math.max(0, ni.maxCredits() - ni.credits());
        doc.put("max_ni_tx_credits", ni.maxCredits())
                .put("available_tx_credits", ni.credits())
                .put("min_tx_credits", ni.minCredits())
                .put("tx_q_num_of_buf", ni.queuedBytes())
                .put("available_rtr_credits", ni.routerCredits())
                .put("min_rtr_credits", ni.minRouterCredits())
                .put("refcount", holders);
    }

    private static Doc health(PeerNiInfo ni) {
        PeerNiHealth health = ni.failures();
        return new Doc()
                .put("health value", ni.health())
                .put("dropped", health.dropped())
                .put("timeout", health.timeout())
                .put("error", health.error())
                .put("network timeout", health.networkTimeout())
                .put("ping_count", health.pingCount())
                .put("next_ping", health.nextPing());
    }

    /** What only this node shows (spec 10 §17.3; dbg-060). */
    private static void own(Doc doc, PeerNiInfo ni) {
        PeerNiHealth health = ni.failures();
        doc.put(
                "resiliency stats",
                new Doc()
                        .put("resends_remote_timeout", health.resendsRemoteTimeout())
                        .put("resends_network_timeout", health.resendsNetworkTimeout())
                        .put("avg_send_nsec", ni.traffic().send().average())
                        .put("avg_transaction_nsec", ni.traffic().transaction().average()));
        if (ni.lastLocal() != null) {
            doc.put("local ni", ni.lastLocal().toString());
        }
    }
}
