package org.railyard.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidPattern;

/** Selection rules that speak of nothing that there is (spec 10 §20). */
final class RuleCheck implements Check {
    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        for (int i = 0; i < setup.rules().size(); i++) {
            look(i, setup.rules().get(i), setup, notes);
        }
    }

    private static void look(int index, UdspRule rule, Setup setup, Notes notes) {
        List<Nid> own = new ArrayList<>();
        setup.nis().forEach(ni -> {
            if (ni.nid() != null) {
                own.add(ni.nid());
            }
        });
        boolean known = own.size() == setup.nis().size();
        if (known && matchesNone(rule.src(), own)) {
            tell(index, rule, "src " + rule.src() + " matches no NI of this node", Severity.WARNING, setup, notes);
        } else if (matchesNone(
                rule.rte(), setup.routes().stream().map(Setup.Way::gateway).toList())) {
            tell(index, rule, "rte " + rule.rte() + " matches no gateway", Severity.WARNING, setup, notes);
        } else if (rule.dst() != null) {
            destination(index, rule, rule.dst(), setup, notes);
        }
    }

    private static boolean matchesNone(@Nullable NidPattern pattern, List<Nid> nids) {
        return pattern != null && nids.stream().noneMatch(pattern::matches);
    }

    /** A net that can not be reached is a mistake; of peers, more may come. */
    private static void destination(int index, UdspRule rule, NidPattern dst, Setup setup, Notes notes) {
        Predicate<Net> speaksOf = dst.net()::matches;
        boolean reachable = setup.nis().stream().map(Setup.Ni::net).anyMatch(speaksOf)
                || setup.routes().stream().map(Setup.Way::net).anyMatch(speaksOf);
        if (!reachable) {
            tell(
                    index,
                    rule,
                    "dst " + dst + " is on no net that this node is on or has a route to",
                    Severity.WARNING,
                    setup,
                    notes);
        } else if (!setup.peerNids().isEmpty() && matchesNone(dst, setup.peerNids())) {
            tell(index, rule, "dst " + dst + " matches no peer that is known now", Severity.INFO, setup, notes);
        }
    }

    private static void tell(int index, UdspRule rule, String found, Severity severity, Setup setup, Notes notes) {
        notes.add(
                "rule-without-match",
                severity,
                "rule " + index + " (" + rule + ")",
                found,
                "the rule orders nothing",
                new Remedy(setup).withoutRule(index));
    }
}
