package org.railyard.doctor;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.railyard.doctor.HostFacts.Passage;
import org.railyard.doctor.HostFacts.Path;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NetType;

/**
 * Packets as large as a device sends get to the peers: where they vanish, small messages work and large ones stall.
 * Only when peers are asked.
 */
final class PathMtuCheck implements Check {
    /** Most paths that are tried. */
    static final int MAX_PATHS = 64;

    private static final int ETHERNET = 1500;

    private record Rail(Setup.Ni ni, HostFacts.Link link, Path path) {
        String subject() {
            return ni.subject() + " to " + path.to().getHostAddress();
        }
    }

    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        Setup.Running running = setup.running();
        if (running == null || !running.probes().asked()) {
            return;
        }
        List<Rail> rails = rails(setup, running, new Links(facts));
        if (rails.size() > MAX_PATHS) {
            notes.notChecked("whether large packets get through on more paths than " + MAX_PATHS);
            rails = rails.subList(0, MAX_PATHS);
        }
        List<Passage> passages = facts.passages(rails.stream().map(Rail::path).toList());
        List<Rail> lost = new ArrayList<>();
        for (int i = 0; i < rails.size(); i++) {
            Rail rail = rails.get(i);
            switch (passages.get(i)) {
                case FITS -> {
                    // As it should be.
                }
                case TOO_LONG -> tooLong(rail, notes);
                case LOST -> lost.add(rail);
                case SILENT ->
                    notes.notChecked(
                            "whether large packets get through to machines that do not tell of closed UDP ports",
                            rail.path.to().getHostAddress());
                case UNKNOWN -> notes.notChecked("whether large packets get through: this machine can not try it");
            }
        }
        lost(lost, facts, notes);
    }

    private static List<Rail> rails(Setup setup, Setup.Running running, Links links) {
        List<Rail> rails = new ArrayList<>();
        Set<Path> known = new LinkedHashSet<>();
        for (Setup.Ni ni : setup.nis()) {
            InetAddress from = ni.address().orElse(null);
            HostFacts.Link link = links.named(ni.device()).orElse(null);
            if (from == null || link == null || !link.up() || !link.carrier() || link.loopback()) {
                continue;
            }
            for (InetAddress to : addressesOn(ni.net(), running)) {
                Path path = new Path(from, to, link.mtu());
                if (leads(ni, link, to) && known.add(path)) {
                    rails.add(new Rail(ni, link, path));
                }
            }
        }
        return rails;
    }

    private static List<InetAddress> addressesOn(Net net, Setup.Running running) {
        return running.peers().stream()
                .flatMap(peer -> peer.nis().stream())
                .filter(there -> there.nid().isOn(net))
                .flatMap(there -> Setup.addressOf(there.nid()).stream())
                .toList();
    }

    /**
     * From those of a group behind the first, routes lead to other addresses than that of the NID; only a subnet says
     * that they may be the same.
     */
    private static boolean leads(Setup.Ni ni, HostFacts.Link link, InetAddress to) {
        return !ni.further() || link.addresses().stream().anyMatch(address -> Links.isIn(address, to));
    }

    /** The kernel has learned of a smaller limit on the way. TCP goes by that; devices over UDP do not. */
    private static void tooLong(Rail rail, Notes notes) {
        boolean adapts = isTcp(rail.ni.net());
        notes.add(
                "path-mtu",
                adapts ? Severity.WARNING : Severity.ERROR,
                rail.subject(),
                "packets of " + rail.path.bytes() + " bytes are too long for the way there, as a router on it says",
                adapts
                        ? "TCP sends smaller ones after the first loss, and begins each connection with a stall"
                        : "large messages stall and connections break, while pings work",
                mend(rail, ETHERNET));
    }

    private static boolean isTcp(Net net) {
        return net.typeNumber() == NetType.TCP.number();
    }

    /** They vanish without a word. */
    private static void lost(List<Rail> lost, HostFacts facts, Notes notes) {
        List<Passage> smaller = facts.passages(lost.stream()
                .map(rail -> new Path(rail.path.from(), rail.path.to(), Math.min(rail.path.bytes(), ETHERNET)))
                .toList());
        for (int i = 0; i < lost.size(); i++) {
            Rail rail = lost.get(i);
            boolean passes = rail.path.bytes() > ETHERNET && smaller.get(i) == Passage.FITS;
            notes.add(
                    "path-mtu",
                    Severity.ERROR,
                    rail.subject(),
                    "packets of " + rail.path.bytes() + " bytes vanish on the way, "
                            + (passes ? "those of " + ETHERNET + " bytes arrive" : "small ones arrive"),
                    "pings and small messages work; large ones stall until their time is over, again and again: a"
                            + " switch or the peer takes smaller packets than this device sends",
                    mend(rail, passes ? ETHERNET : 0));
        }
    }

    private static String[] mend(Rail rail, int works) {
        String raise = "ip -d link show   # on the peer, and the ports of all switches between: they should take "
                + rail.path.bytes() + " bytes";
        return works == 0 || works >= rail.path.bytes()
                ? new String[] {raise}
                : new String[] {
                    raise, "ip link set dev " + rail.link.name() + " mtu " + works + "   # or this device sends less"
                };
    }
}
