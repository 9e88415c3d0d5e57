package org.railyard.doctor;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.railyard.doctor.HostFacts.Address;
import org.railyard.doctor.HostFacts.Link;
import org.railyard.doctor.HostFacts.Way;

/**
 * Packets of an NI have to leave by its device, and those that come in by it have to be taken. The kernel is asked
 * which way they go.
 */
final class RailCheck implements Check {
    /** Most ways that the kernel is asked for. */
    static final int MAX_WAYS = 64;

    private static final int TABLES_FROM = 1000;

    /** An NI with its device and its address there. */
    record Rail(Setup.Ni ni, Link link, Address address) {
        private boolean sharesSubnetWith(Rail other) {
            return !link.name().equals(other.link.name()) && Links.isIn(address, other.address.ip());
        }
    }

    /** Returns the NIs whose device is up and has their address, without loopback. */
    static List<Rail> rails(Setup setup, Links links) {
        List<Rail> rails = new ArrayList<>();
        for (Setup.Ni ni : setup.nis()) {
            Optional<Link> link = links.named(ni.device()).filter(each -> each.up() && !each.loopback());
            Optional<Address> address = link.flatMap(each -> ni.address().flatMap(ip -> Links.address(each, ip)));
            if (link.isPresent() && address.isPresent()) {
                rails.add(new Rail(ni, link.get(), address.get()));
            }
        }
        return rails;
    }

    /** Returns those that share their subnet with a rail on another device. */
    static List<Rail> sharing(List<Rail> rails) {
        return rails.stream()
                .filter(rail -> rails.stream().anyMatch(rail::sharesSubnetWith))
                .toList();
    }

    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        Links links = new Links(facts);
        List<Rail> rails = rails(setup, links);
        sharing(rails).forEach(rail -> neighbours(rail, rails, links, setup, facts, notes));
        new CrossedRails(setup, rails, facts, notes).look();
    }

    private static void neighbours(
            Rail rail, List<Rail> rails, Links links, Setup setup, HostFacts facts, Notes notes) {
        Optional<InetAddress> to = setup.peerNids().stream()
                .flatMap(nid -> Setup.addressOf(nid).stream())
                .filter(ip -> Links.isIn(rail.address(), ip))
                .findFirst()
                .or(() -> links.neighbour(rail.address()));
        if (to.isEmpty()) {
            return;
        }
        Way way = facts.way(rail.address().ip(), to.get());
        if (way.kind() == Way.Kind.UNKNOWN) {
            notes.notChecked("source routing of rails in one subnet: " + way.text());
        }
        if (way.kind() == Way.Kind.DEVICE && !way.text().equals(rail.link().name())) {
            astray(rail, rails, way.text(), notes);
            if (isStrict(rail, facts)) {
                strict(rail, way.text(), notes);
            }
        }
    }

    private static void astray(Rail rail, List<Rail> rails, String device, Notes notes) {
        String ip = rail.address().ip().getHostAddress();
        String subnet = Links.subnet(rail.address());
        String tool = rail.address().ip() instanceof Inet4Address ? "ip " : "ip -6 ";
        int table = TABLES_FROM + rails.indexOf(rail);
        notes.add(
                "source-routing",
                Severity.WARNING,
                rail.ni().subject(),
                "its subnet " + subnet + " is on " + device + " too, and packets from " + ip + " leave by " + device,
                "both NIs send over one link, which limits their speed; when it fails, both fail",
                tool + "route replace " + subnet + " dev " + rail.link().name() + " src " + ip + " table " + table,
                tool + "rule add from " + ip + " lookup " + table);
    }

    private static boolean isStrict(Rail rail, HostFacts facts) {
        return rail.address().ip() instanceof Inet4Address
                && Sysctl.largest(facts, rail.link().name(), "rp_filter") == 1;
    }

    private static void strict(Rail rail, String device, Notes notes) {
        String name = rail.link().name();
        notes.add(
                "rp-filter",
                Severity.ERROR,
                rail.ni().subject(),
                "rp_filter of " + name + " is 1 (strict), and the way back to its neighbours leads by " + device,
                "the kernel drops what comes in by " + name + ": peers do not reach this NI",
                Sysctl.set(name, "rp_filter", 2));
    }
}
