package org.railyard.control.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.config.BondSpec;
import org.railyard.control.BondOperation;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Bond;
import org.railyard.lnet.api.BondPolicy;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.nid.Nid;

/** LNet's bonds (spec 21 §10.1). */
final class BondControl {
    private final Edits edits;

    BondControl(Edits edits) {
        this.edits = edits;
    }

    static Map<String, Object> execute(BondOperation operation, OperationContext context) {
        return switch (operation) {
            case BondOperation.Add add -> context.edit(edits -> new BondControl(edits).add(add));
            case BondOperation.Delete delete -> context.edit(edits -> new BondControl(edits).delete(delete));
            case BondOperation.Set set -> context.edit(edits -> new BondControl(edits).set(set));
            case BondOperation.Show show -> show(context.lnet(), show.name());
        };
    }

    private LNet lnet() {
        return edits.lnet();
    }

    private static String name(@Nullable String name) {
        if (name == null) {
            throw new ErrnoException(Errno.EINVAL, "which bond is missing; say --name NAME");
        }
        return name;
    }

    private static BondPolicy policy(String text) {
        return BondPolicy.find(text)
                .orElseThrow(() -> new ErrnoException(
                        Errno.EINVAL,
                        "policy '" + text + "'; expected "
                                + oneOf(Arrays.stream(BondPolicy.values()).map(BondPolicy::text))));
    }

    private static String oneOf(Stream<String> texts) {
        return String.join(", ", texts.toList());
    }

    private boolean isThere(String name) {
        return lnet().bonds().list().stream().anyMatch(bond -> bond.name().equals(name));
    }

    private void add(BondOperation.Add add) {
        String name = name(add.name());
        List<Nid> nids = add.nids() == null ? List.of() : Nids.list(add.nids());
        Bond.Kind kind = add.type() == null ? null : kind(add.type());
        if (!isThere(name)) {
            if (kind == null) {
                throw new ErrnoException(
                        Errno.EINVAL, "there is no bond '" + name + "' yet; say --type local or --type remote");
            }
            BondPolicy policy = add.policy() == null ? BondPolicy.DEFAULT : policy(add.policy());
            edits.addBond(new Bond(name, kind, policy, nids));
            return;
        }
        Bond bond = lnet().bonds().find(name);
        if (nids.isEmpty() || (kind != null && kind != bond.kind())) {
            throw new ErrnoException(
                    Errno.EEXIST,
                    "there is a bond '" + name + "' already, which is "
                            + bond.kind().text());
        }
        edits.changeBond(
                add.policy() == null ? bond.with(nids) : bond.with(nids).with(policy(add.policy())));
    }

    private static Bond.Kind kind(String text) {
        return Bond.Kind.find(text)
                .orElseThrow(() -> new ErrnoException(Errno.EINVAL, "type '" + text + "'; expected local or remote"));
    }

    private void delete(BondOperation.Delete delete) {
        String name = name(delete.name());
        Bond bond = lnet().bonds().find(name);
        if (delete.nids() == null) {
            edits.deleteBond(name);
        } else {
            edits.changeBond(bond.without(Nids.list(delete.nids())));
        }
    }

    private void set(BondOperation.Set set) {
        Bond bond = lnet().bonds().find(name(set.name()));
        if (set.policy() == null) {
            throw new ErrnoException(Errno.EINVAL, "what to set is missing; say --policy POLICY");
        }
        edits.changeBond(bond.with(policy(set.policy())));
    }

    /** Makes a bond as a file says, or adds what it says to the one that is there. */
    void put(BondSpec spec) {
        Bond wanted = spec.bond();
        if (!isThere(wanted.name())) {
            edits.addBond(wanted);
            return;
        }
        Bond bond = lnet().bonds().find(wanted.name());
        List<Nid> more =
                wanted.nids().stream().filter(nid -> !bond.nids().contains(nid)).toList();
        Bond changed = new Bond(
                bond.name(),
                wanted.kind(),
                spec.namesPolicy() ? wanted.policy() : bond.policy(),
                bond.with(more).nids());
        if (!changed.equals(bond)) {
            edits.changeBond(changed);
        }
    }

    /** Takes the NIDs that a file lists from a bond; the bond itself if none is left, or none is listed. */
    void delete(Bond listed) {
        Bond bond = lnet().bonds().find(listed.name());
        Bond left = bond.without(listed.nids());
        if (left.nids().isEmpty() || listed.nids().isEmpty()) {
            edits.deleteBond(bond.name());
        } else {
            edits.changeBond(left);
        }
    }

    /** Returns what there is, for export. */
    static List<Object> export(LNet lnet) {
        return lnet.bonds().list().stream()
                .<Object>map(bond -> document(bond, bond.nids(), null))
                .toList();
    }

    static Map<String, Object> show(LNet lnet, @Nullable String only) {
        List<NiInfo> nis = lnet.inventory().nis();
        List<Object> shown = new ArrayList<>();
        List<Bond> bonds =
                only == null ? lnet.bonds().list() : List.of(lnet.bonds().find(only));
        for (Bond bond : bonds) {
            shown.add(document(bond, bond.nids(), bond.kind() == Bond.Kind.LOCAL ? nis : null));
        }
        List<Nid> bonded = lnet.bonds().list().stream()
                .filter(bond -> bond.kind() == Bond.Kind.LOCAL)
                .flatMap(bond -> bond.nids().stream())
                .toList();
        List<Nid> rest = nis.stream()
                .map(NiInfo::nid)
                .filter(nid -> !bonded.contains(nid))
                .toList();
        if (only == null && !bonded.isEmpty() && !rest.isEmpty()) {
            shown.add(new Doc()
                    .put("name", Bond.DEFAULT_NAME)
                    .put("type", Bond.Kind.LOCAL.text())
                    .put("nids", nids(rest, nis))
                    .map());
        }
        return shown.isEmpty() ? Map.of() : Map.of("bond", shown);
    }

    private static Map<String, Object> document(Bond bond, List<Nid> nids, @Nullable List<NiInfo> nis) {
        Doc doc = new Doc()
                .put("name", bond.name())
                .put("type", bond.kind().text())
                .put("policy", bond.policy().text());
        return (nids.isEmpty() ? doc : doc.put("nids", nids(nids, nis))).map();
    }

    /** Returns NIDs as a list, those of this node with what they are. */
    private static List<Object> nids(List<Nid> nids, @Nullable List<NiInfo> nis) {
        List<Object> list = new ArrayList<>();
        for (Nid nid : nids) {
            Doc doc = new Doc().put("nid", nid.toString());
            list.add((nis == null ? doc : doc.put("status", status(nid, nis))).map());
        }
        return list;
    }

    private static String status(Nid nid, List<NiInfo> nis) {
        return nis.stream()
                .filter(ni -> ni.nid().equals(nid))
                .findFirst()
                .map(ni -> ni.up() ? "up" : "down")
                .orElse("absent");
    }
}
