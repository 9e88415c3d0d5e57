package org.railyard.doctor;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.doctor.HostFacts.Holder;
import org.railyard.lnet.nid.Nid;

/** Addresses and NIDs that two machines have. Asks others, so only with a probe. */
final class DuplicateCheck implements Check {
    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        if (setup.running() == null || !setup.running().probes().asked()) {
            return;
        }
        Links links = new Links(facts);
        for (Setup.Ni ni : setup.nis()) {
            InetAddress ip = ni.address().orElse(null);
            if (ip instanceof Inet4Address
                    && links.named(ni.device()).filter(DuplicateCheck::canAsk).isPresent()) {
                ask(ni, ip, facts, notes);
            }
        }
        reported(setup, setup.running().probes().reports(), notes);
    }

    private static boolean canAsk(HostFacts.Link link) {
        return link.up() && link.carrier() && !link.loopback();
    }

    private static void ask(Setup.Ni ni, InetAddress ip, HostFacts facts, Notes notes) {
        Holder other = facts.otherHolder(ni.device(), ip);
        switch (other.kind()) {
            case NONE -> {
                // As it should be.
            }
            case UNKNOWN ->
                notes.notChecked("whether other machines have addresses of this one, " + other.text(), ni.device());
            case DEVICE ->
                notes.add(
                        "duplicate-address",
                        Severity.ERROR,
                        ip.getHostAddress(),
                        "another machine answers ARP for the address: its hardware address is " + other.text(),
                        "packets of peers go to one machine or the other, and change over: connections break at random",
                        "arping -D -c 2 -I " + ni.device() + " " + ip.getHostAddress()
                                + "   # as root: asks again; a switch tells which port " + other.text() + " is at",
                        "# give one of the two machines another address");
        }
    }

    /** Peers that call themselves by different first NIDs are different nodes; of one first NID, see below. */
    private static void reported(Setup setup, List<Setup.Reported> reports, Notes notes) {
        Map<Nid, Setup.Reported> first = new LinkedHashMap<>();
        Set<Nid> told = new LinkedHashSet<>();
        for (Setup.Reported report : reports) {
            if (report.nids().stream().allMatch(nid -> isOurs(setup, nid))) {
                // This node itself.
                continue;
            }
            for (Nid nid : report.nids()) {
                Setup.Reported before = first.putIfAbsent(nid, report);
                String other = null;
                if (isOurs(setup, nid)) {
                    other = "this node";
                } else if (before != null && areTwo(before, report)) {
                    other = "peer " + name(before, report);
                }
                if (other != null && told.add(nid)) {
                    twice(nid, name(report, before), other, notes);
                }
            }
        }
    }

    private static boolean isOurs(Setup setup, Nid nid) {
        return setup.nis().stream().anyMatch(ni -> !ni.further() && ni.has(nid));
    }

    /**
     * Two nodes that are set up alike may have the first NID in common: then each has answered on a NID that the other
     * does not have.
     */
    private static boolean areTwo(Setup.Reported one, Setup.Reported other) {
        boolean otherName = !one.nids().getFirst().equals(other.nids().getFirst());
        boolean apart = one.nids().contains(one.asked())
                && other.nids().contains(other.asked())
                && !one.nids().contains(other.asked())
                && !other.nids().contains(one.asked());
        return otherName || apart;
    }

    /** What a peer is called beside another: where both have one name it is the NID that answered. */
    private static Nid name(Setup.Reported report, Setup.@Nullable Reported beside) {
        return beside != null && beside.peer().equals(report.peer()) ? report.asked() : report.peer();
    }

    private static void twice(Nid nid, Nid peer, String other, Notes notes) {
        String text = nid.toString();
        notes.add(
                "duplicate-nid",
                Severity.ERROR,
                "NID " + nid,
                "peer " + peer + " says that it has it, and so does " + other,
                "messages to the NID reach one node or the other; each of both is taken for a part of the other",
                "ip neigh show to " + text.substring(0, text.indexOf('@')) + "   # which machine answers ARP for it",
                "lnetctl ping " + peer + "   # what it says of itself",
                "# take the NID from one of the two: 'lnetctl net del --nid " + nid + "' there");
    }
}
