package org.railyard.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.base.yaml.Fields;
import org.railyard.base.yaml.Findings;
import org.railyard.base.yaml.Item;
import org.railyard.base.yaml.Place;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidFormatException;
import org.railyard.lnet.nid.NidList;

/** The section {@code peer} (spec 12 §5.2). */
final class PeerSection {
    private static final String EXPECTED_NID = "a NID of a peer, such as 10.0.0.5@tcp";
    private static final String PRIMARY = "primary nid";
    private static final String LOCK = "lock_prim";
    private static final List<String> KEYS = List.of(PRIMARY, "Multi-Rail", LOCK, "peer ni", "seq_no");
    private static final Set<String> SHOWN = Set.of("peer state");
    private static final List<String> NI_KEYS = List.of("nid", "health stats");

    /** What {@code show} and {@code export} print of a NID of a peer and nobody sets. */
    private static final Set<String> NI_SHOWN = Set.of(
            "udsp info",
            "state",
            "max_ni_tx_credits",
            "available_tx_credits",
            "min_tx_credits",
            "tx_q_num_of_buf",
            "available_rtr_credits",
            "min_rtr_credits",
            "refcount",
            "statistics",
            "sent_stats",
            "received_stats",
            "dropped_stats",
            "resiliency stats",
            "local ni");

    private static final Set<String> HEALTH_SHOWN =
            Set.of("dropped", "timeout", "error", "network timeout", "ping_count", "next_ping");

    private final Findings findings;
    private final List<PeerSpec> peers = new ArrayList<>();

    /** Where each NID was listed first, and whose it is. */
    private final Map<Nid, PeerPlace> owners = new LinkedHashMap<>();

    private final Map<Nid, Place> primaries = new LinkedHashMap<>();

    private record PeerPlace(Nid primary, Place place) {}

    PeerSection(Findings findings) {
        this.findings = findings;
    }

    List<PeerSpec> peers() {
        return peers;
    }

    void read(Item section) {
        section.items().forEach(this::peer);
    }

    private void peer(Item item) {
        Fields fields = Fields.of(item, KEYS, SHOWN);
        Item primaryItem = fields.require(PRIMARY);
        Nid primary = primaryItem == null ? null : nid(primaryItem);
        Item multiRailItem = fields.get("Multi-Rail");
        boolean multiRail = multiRailItem == null || multiRailItem.bool(true);
        Item lock = fields.get(LOCK);
        boolean locked = lock != null && lock.bool(false);
        if (primaryItem == null || primary == null) {
            return;
        }
        Place before = primaries.putIfAbsent(primary, primaryItem.place());
        if (before != null) {
            primaryItem.found("the peer " + primary + " again", "each peer once; it is at " + before.at());
            return;
        }
        own(primary, primary, primaryItem.place());
        Map<Nid, Integer> health = new LinkedHashMap<>();
        List<Nid> nids = new ArrayList<>();
        Item list = fields.get("peer ni");
        if (list != null) {
            list.items().forEach(each -> nids.addAll(nis(each, primary, health)));
        }
        if (!multiRail) {
            requireOneOfANet(primary, nids, primaryItem);
        }
        peers.add(new PeerSpec(primary, nids, multiRail, locked, health, primaryItem.place()));
    }

    private static @Nullable Nid nid(Item item) {
        try {
            Nid nid = Nid.parse(item.text());
            String why = nid.whyNotCalled();
            if (why == null) {
                return nid;
            }
            item.expected(EXPECTED_NID + " (" + nid + " " + why + ")");
        } catch (NidFormatException e) {
            item.expected(EXPECTED_NID);
        }
        return null;
    }

    private List<Nid> nis(Item item, Nid primary, Map<Nid, Integer> health) {
        Fields fields = Fields.of(item, NI_KEYS, NI_SHOWN);
        Item list = fields.require("nid");
        if (list == null) {
            return List.of();
        }
        List<Nid> nids;
        try {
            nids = NidList.parse(list.text()).nids();
        } catch (NidFormatException e) {
            list.expected("NIDs of a peer, such as 10.0.0.[5-6]@tcp (" + e.getMessage() + ")");
            return List.of();
        }
        for (Nid nid : nids) {
            String why = nid.whyNotCalled();
            if (why != null) {
                list.expected("NIDs of a peer (" + nid + " " + why + ")");
            }
            own(nid, primary, list.place());
        }
        Item stats = fields.get("health stats");
        Item value = stats == null
                ? null
                : Fields.of(stats, List.of("health value"), HEALTH_SHOWN).get("health value");
        if (value != null) {
            // Outside of 0…1000 means full health.
            value.number(Integer.MIN_VALUE, Integer.MAX_VALUE)
                    .ifPresent(number -> nids.forEach(nid -> health.put(nid, (int) number)));
        }
        return nids;
    }

    private void own(Nid nid, Nid primary, Place place) {
        PeerPlace before = owners.putIfAbsent(nid, new PeerPlace(primary, place));
        if (before != null && !before.primary().equals(primary)) {
            findings.error(
                    place,
                    nid + " as a NID of " + primary,
                    "each NID at one peer; it belongs to " + before.primary() + " at "
                            + before.place().at());
        }
    }

    private static void requireOneOfANet(Nid primary, List<Nid> nids, Item item) {
        Map<Net, Nid> byNet = new LinkedHashMap<>();
        byNet.put(primary.net(), primary);
        for (Nid nid : nids) {
            Nid other = byNet.putIfAbsent(nid.net(), nid);
            if (other != null && !other.equals(nid)) {
                item.found(
                        "a peer that is not multi-rail with " + other + " and " + nid,
                        "one NID on each net, or 'Multi-Rail: true'");
                return;
            }
        }
    }
}
