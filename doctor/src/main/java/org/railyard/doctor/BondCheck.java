package org.railyard.doctor;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.railyard.lnet.api.Bond;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/**
 * Routers whose sides are in different bonds: each side is told of without the other (spec 21 §10.1, cb-204; 11 §6).
 */
final class BondCheck implements Check {
    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        List<Bond> bonds = setup.bonds().stream()
                .filter(bond -> bond.kind() == Bond.Kind.LOCAL)
                .toList();
        if (!setup.forwards() || bonds.isEmpty()) {
            return;
        }
        List<Nid> nids = setup.nis().stream()
                .filter(ni -> !ni.further())
                .map(Setup.Ni::nid)
                .filter(Objects::nonNull)
                .toList();
        Set<Net> sides = nets(nids);
        Map<Bond, List<Nid>> members = new LinkedHashMap<>();
        bonds.forEach(bond -> members.put(bond, only(nids, bond.nids()::contains)));
        List<Nid> free =
                only(nids, nid -> bonds.stream().noneMatch(bond -> bond.nids().contains(nid)));
        boolean runs = setup.start() == null;
        Bond whole = null;
        for (Map.Entry<Bond, List<Nid>> each : members.entrySet()) {
            String name = each.getKey().name();
            String own = text(each.getValue());
            if (nets(each.getValue()).equals(sides)) {
                whole = each.getKey();
            } else if (!own.isEmpty()) {
                String mend = runs
                        ? "lnetctl bond del --name " + name + " --nid " + own
                        : "in the file, section 'bond': take " + own + " out of " + name;
                note(
                        "bond " + name,
                        each.getValue(),
                        sides,
                        mend + "   # into the default bond, with the other side",
                        notes);
            }
        }
        // Without a bond that has all sides, those that were told of are to blame.
        if (whole != null && !free.isEmpty() && !nets(free).equals(sides)) {
            String mend = runs
                    ? "lnetctl bond add --name " + whole.name() + " --nid " + text(free)
                    : "in the file, section 'bond': add " + text(free) + " to " + whole.name();
            note("the default bond", free, sides, mend, notes);
        }
    }

    private static List<Nid> only(List<Nid> nids, Predicate<Nid> which) {
        return nids.stream().filter(which).toList();
    }

    private static Set<Net> nets(List<Nid> nids) {
        Set<Net> nets = new LinkedHashSet<>();
        nids.forEach(nid -> nets.add(nid.net()));
        return nets;
    }

    private static void note(String subject, List<Nid> own, Set<Net> sides, String mend, Notes notes) {
        Set<Net> missing = new LinkedHashSet<>(sides);
        missing.removeAll(nets(own));
        String here = text(nets(own));
        String there = text(missing);
        notes.add(
                "router-bonds",
                Severity.WARNING,
                subject,
                "it has NIs on " + here + " and none on " + there + ", and this node routes between them",
                "nodes on " + here + " are not told of its side on " + there
                        + ": they do not notice when that fails, and do not take routes that say it is there (--hop 1)",
                mend);
    }

    private static String text(Collection<?> all) {
        return all.stream().map(Object::toString).collect(Collectors.joining(","));
    }
}
