package org.railyard.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.base.yaml.Fields;
import org.railyard.base.yaml.Findings;
import org.railyard.base.yaml.Item;
import org.railyard.base.yaml.Place;
import org.railyard.lnet.api.Bond;
import org.railyard.lnet.api.BondPolicy;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidFormatException;
import org.railyard.lnet.nid.NidList;

/** The section {@code bond} (spec 21 §10.1): bonds of this node and of peers, written alike. */
final class BondSection {
    private static final Set<String> NID_SHOWN = Set.of("status");

    private final List<BondSpec> bonds = new ArrayList<>();
    private final Map<String, Place> names = new LinkedHashMap<>();

    /** Which bond of its kind lists a NID. */
    private final Map<String, BondSpec> owners = new LinkedHashMap<>();

    List<BondSpec> bonds() {
        return bonds;
    }

    void read(Item section) {
        section.items().forEach(this::bond);
    }

    private void bond(Item item) {
        Fields fields = Fields.of(item, "name", "type", "policy", "nids", "seq_no");
        Item name = fields.require("name");
        Item type = fields.require("type");
        if (name == null || type == null || name.text().equals(Bond.DEFAULT_NAME)) {
            // What is in no other bond is in the default one: shown, but not made.
            return;
        }
        Optional<Bond.Kind> kind = Bond.Kind.find(type.text());
        if (kind.isEmpty()) {
            type.expected("local or remote");
        }
        Item policyItem = fields.get("policy");
        BondPolicy policy = policyItem == null ? BondPolicy.DEFAULT : policy(policyItem);
        List<Nid> nids = nids(fields.get("nids"));
        if (kind.isEmpty() || policy == null || nids == null) {
            return;
        }
        Place before = names.putIfAbsent(name.text(), item.place());
        if (before != null) {
            name.found("the bond " + name.shown() + " again", "each bond once; it is at " + before.at());
            return;
        }
        try {
            add(item, new BondSpec(new Bond(name.text(), kind.get(), policy, nids), policyItem != null, item.place()));
        } catch (ErrnoException e) {
            item.found(Findings.text(e), "another bond");
        }
    }

    private void add(Item item, BondSpec spec) {
        for (Nid nid : spec.bond().nids()) {
            BondSpec other = owners.putIfAbsent(spec.bond().kind() + " " + nid, spec);
            if (other != null) {
                item.found(
                        nid + " in bond " + spec.bond().name(),
                        "each NID in one bond; it is in " + other.bond().name() + " at "
                                + other.place().at());
            }
        }
        bonds.add(spec);
    }

    private static @Nullable BondPolicy policy(Item item) {
        Optional<BondPolicy> policy = BondPolicy.find(item.text());
        if (policy.isEmpty()) {
            item.expected("one of "
                    + String.join(
                            ", ",
                            Arrays.stream(BondPolicy.values())
                                    .map(BondPolicy::text)
                                    .toList()));
        }
        return policy.orElse(null);
    }

    /** Returns the NIDs; null, noted, if they can not be read. */
    private static @Nullable List<Nid> nids(@Nullable Item list) {
        List<Nid> nids = new ArrayList<>();
        boolean good = true;
        for (Item each : list == null ? List.<Item>of() : list.items()) {
            Item nid = each.isMapping()
                    ? Fields.of(each, List.of("nid"), NID_SHOWN).require("nid")
                    : each;
            try {
                if (nid != null) {
                    nids.addAll(NidList.parse(nid.text()).nids());
                }
            } catch (NidFormatException e) {
                nid.expected("NIDs, such as 10.0.0.[5-6]@tcp (" + e.getMessage() + ")");
                good = false;
            }
        }
        return good ? nids : null;
    }
}
