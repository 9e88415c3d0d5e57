package org.railyard.doctor;

import java.util.Comparator;
import java.util.List;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerInfo.PeerNiInfo;
import org.railyard.lnet.api.RouterBufferSize;
import org.railyard.lnet.lnd.NetTunables;

/** Credits that do not fit each other or run out, and routers with too few buffers. */
final class CreditCheck implements Check {
    private static final int FACTOR = 2;

    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        Remedy mend = new Remedy(setup);
        for (Setup.Ni ni : setup.nis()) {
            NetTunables now = ni.tunables();
            if (now.peerCredits() > now.credits() / FACTOR) {
                notes.add(
                        "peer-credits",
                        Severity.WARNING,
                        ni.subject(),
                        "peer_credits is " + now.peerCredits() + " and credits only " + now.credits(),
                        "one slow peer can take all sends of the NI, and all others wait for it",
                        mend.tunables(ni, withCredits(now, now.peerCredits(), now.peerCredits() * FACTOR * FACTOR)));
            }
        }
        if (setup.running() != null) {
            setup.running().nis().forEach(ni -> ranOut(ni, setup, notes));
            peersRanOut(setup, setup.running(), notes);
        }
        if (setup.forwards()) {
            buffers(setup, notes);
        }
    }

    private static NetTunables withCredits(NetTunables of, int peerCredits, int credits) {
        return new NetTunables(of.peerTimeout(), peerCredits, of.peerBufferCredits(), credits);
    }

    private static void ranOut(NiInfo info, Setup setup, Notes notes) {
        setup.nis().stream()
                .filter(ni -> ni.has(info.nid()) && info.minCredits() < 0)
                .findFirst()
                .ifPresent(ni -> notes.add(
                        "credits-ran-out",
                        Severity.INFO,
                        ni.subject(),
                        "up to " + -info.minCredits() + " messages waited for one of its "
                                + ni.tunables().credits() + " credits at a time",
                        "under load the NI sends less than it could, or the network is the limit",
                        new Remedy(setup)
                                .tunables(
                                        ni,
                                        withCredits(
                                                ni.tunables(),
                                                ni.tunables().peerCredits(),
                                                ni.tunables().credits() * FACTOR))));
    }

    /** Told once for a net, with the peer NI that it was worst for. */
    private static void peersRanOut(Setup setup, Setup.Running running, Notes notes) {
        setup.nis().stream()
                .filter(ni -> firstOfNet(setup, ni))
                .forEach(ni -> running.peers().stream()
                        .map(PeerInfo::nis)
                        .flatMap(List::stream)
                        .filter(peer -> peer.nid().isOn(ni.net()) && peer.minCredits() < 0)
                        .min(Comparator.comparingInt(PeerNiInfo::minCredits))
                        .ifPresent(peer -> notes.add(
                                "peer-credits-ran-out",
                                Severity.INFO,
                                "net " + ni.net(),
                                "up to " + -peer.minCredits() + " messages waited for one of the "
                                        + ni.tunables().peerCredits() + " credits of " + peer.nid() + " at a time",
                                "under load less is sent to it than could be, or it is the limit",
                                new Remedy(setup)
                                        .tunables(
                                                ni,
                                                withCredits(
                                                        ni.tunables(),
                                                        ni.tunables().peerCredits() * FACTOR,
                                                        ni.tunables().credits() * FACTOR)))));
    }

    private static boolean firstOfNet(Setup setup, Setup.Ni ni) {
        return setup.nis().stream()
                        .filter(each -> each.net().equals(ni.net()))
                        .findFirst()
                        .orElse(ni)
                == ni;
    }

    private static void buffers(Setup setup, Notes notes) {
        for (RouterBufferSize size : RouterBufferSize.values()) {
            int total = size.total(setup.settings());
            if (total < size.recommendedTotal()) {
                notes.add(
                        "few-buffers",
                        Severity.WARNING,
                        size.tunable().text(),
                        total + " router buffers of the size " + size.text() + "; recommended are at least "
                                + size.recommendedTotal(),
                        "messages wait at this router while its links are idle",
                        new Remedy(setup).set(size.tunable(), size.recommendedTotal()));
            }
        }
    }
}
