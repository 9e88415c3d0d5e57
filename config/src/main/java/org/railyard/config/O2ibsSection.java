package org.railyard.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.railyard.base.yaml.Fields;
import org.railyard.base.yaml.Item;
import org.railyard.base.yaml.Place;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidFormatException;

/** The sections {@code o2ibs} and {@code net_status} (spec 21 §8). */
final class O2ibsSection {
    private static final int MAX_IPS = 16;
    private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";

    private final List<O2ibSpec> targets = new ArrayList<>();
    private final List<Net> statuses = new ArrayList<>();
    private final Map<Nid, Place> places = new LinkedHashMap<>();

    List<O2ibSpec> targets() {
        return targets;
    }

    /** Returns the nets whose state is asked for. */
    List<Net> statuses() {
        return statuses;
    }

    void readTargets(Item section) {
        section.items().forEach(this::target);
    }

    private void target(Item item) {
        Fields fields = Fields.of(item, "nid", "ips", "seq_no");
        Item nidItem = fields.require("nid");
        Item ipsItem = fields.require("ips");
        if (nidItem == null || ipsItem == null) {
            return;
        }
        Nid nid;
        try {
            nid = Nid.parse(nidItem.text());
        } catch (NidFormatException e) {
            nidItem.expected("the NID of a peer, such as 10.1.1.2@o2ib");
            return;
        }
        List<String> ips = new ArrayList<>();
        for (Item each : ipsItem.items()) {
            Item ip = each.isMapping() ? Fields.of(each, "ip").require("ip") : each;
            if (ip == null) {
                continue;
            }
            if (ip.text().matches(OCTET + "(\\." + OCTET + "){3}")) {
                ips.add(ip.text());
            } else {
                ip.expected("an IPv4 address, such as 10.1.1.2");
            }
        }
        if (ips.isEmpty() || ips.size() > MAX_IPS) {
            ipsItem.found(ips.size() + " addresses", "1 to " + MAX_IPS);
            return;
        }
        Place before = places.putIfAbsent(nid, item.place());
        if (before != null) {
            item.found("the target " + nid + " again", "each once; it is at " + before.at());
            return;
        }
        targets.add(new O2ibSpec(nid, ips, item.place()));
    }

    void readStatuses(Item section) {
        for (Item each : section.items()) {
            Item name = Fields.of(each, List.of("net", "seq_no"), Set.of()).require("net");
            Net net = name == null ? null : NetSection.netOf(name);
            if (net != null) {
                statuses.add(net);
            }
        }
    }
}
