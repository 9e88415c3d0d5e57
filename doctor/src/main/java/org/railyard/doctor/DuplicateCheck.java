package org.railyard.doctor;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    /** Peers that call themselves by different first NIDs are different nodes. */
    private static void reported(Setup setup, List<Setup.Reported> reports, Notes notes) {
        Map<Nid, Setup.Reported> first = new LinkedHashMap<>();
        Set<Nid> told = new LinkedHashSet<>();
        for (Setup.Reported report : reports) {
            if (setup.nis().stream().anyMatch(ni -> ni.has(report.peer()))) {
                continue;
            }
            for (Nid nid : report.nids()) {
                Setup.Reported before = first.putIfAbsent(nid, report);
                String other = null;
                if (setup.nis().stream().anyMatch(ni -> !ni.further() && ni.has(nid))) {
                    other = "this node";
                } else if (before != null
                        && !before.nids().getFirst().equals(report.nids().getFirst())) {
                    other = "peer " + before.peer();
                }
                if (other != null && told.add(nid)) {
                    twice(nid, report, other, notes);
                }
            }
        }
    }

    private static void twice(Nid nid, Setup.Reported report, String other, Notes notes) {
        String text = nid.toString();
        notes.add(
                "duplicate-nid",
                Severity.ERROR,
                "NID " + nid,
                "peer " + report.peer() + " says that it has it, and so does " + other,
                "messages to the NID reach one node or the other; each of both is taken for a part of the other",
                "ip neigh show to " + text.substring(0, text.indexOf('@')) + "   # which machine answers ARP for it",
                "lnetctl ping " + report.peer() + "   # what it says of itself",
                "# take the NID from one of the two: 'lnetctl net del --nid " + nid + "' there");
    }
}
