package org.railyard.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerInfo.PeerNiInfo;
import org.railyard.lnet.nid.Nid;

/** Peers that do not answer, do badly, or can not be reached at all. */
final class PeerCheck implements Check {
    private static final int FULL = 1000;

    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        Setup.Running running = setup.running();
        if (running == null) {
            return;
        }
        List<Nid> silent = new ArrayList<>();
        for (PeerInfo peer : running.peers()) {
            if (!isReachable(peer, setup)) {
                unreachable(peer, notes);
            } else if (running.probes().silent().containsKey(peer.primaryNid())) {
                silent.add(peer.primaryNid());
            } else {
                peer.nis().forEach(ni -> look(ni, notes));
            }
        }
        SilentPeers.look(silent, setup, running, facts, notes);
        running.probes().rails().forEach(rail -> rail(rail, notes));
    }

    /** One way of several does not work: LNet takes the others, and nobody notices until they fail. */
    private static void rail(Setup.Rail rail, Notes notes) {
        notes.add(
                "rail-silent",
                Severity.ERROR,
                "peer NI " + rail.to(),
                "peer " + rail.peer() + " does not answer from " + rail.from() + ": " + rail.why()
                        + "; on other ways it does",
                "messages take the other ways; this one is lost for speed and for the day that another fails",
                "lnetctl ping --source " + rail.from() + " " + rail.to() + "   # tries it again",
                "lnetctl doctor   # there: its device and routes for " + rail.to(),
                "lnetctl explain health " + rail.to() + "   # tells what failed");
    }

    private static boolean isReachable(PeerInfo peer, Setup setup) {
        return peer.nis().stream()
                .anyMatch(ni -> setup.isOn(ni.nid().net())
                        || setup.routes().stream()
                                .anyMatch(route -> route.net().equals(ni.nid().net())));
    }

    private static void unreachable(PeerInfo peer, Notes notes) {
        String net = peer.primaryNid().net().toString();
        notes.add(
                "no-route",
                Severity.ERROR,
                "peer " + peer.primaryNid(),
                "this node is on none of its nets ("
                        + peer.nis().stream()
                                .map(ni -> ni.nid().net().toString())
                                .distinct()
                                .collect(Collectors.joining(", "))
                        + "), and no route leads there",
                "nothing can be sent to it",
                "lnetctl route add --net " + net + " --gateway NID   # of a router that is on a net of this node");
    }

    private static void look(PeerNiInfo ni, Notes notes) {
        if (ni.health() >= FULL && ni.up()) {
            return;
        }
        notes.add(
                "peer-health",
                Severity.WARNING,
                "peer NI " + ni.nid(),
                "health is " + ni.health() + " of " + FULL + (ni.up() ? "" : ", and the peer says that it is down"),
                "messages to the peer take its other NIDs, if it has any that are better",
                "lnetctl explain health " + ni.nid() + "   # tells what failed",
                ni.up()
                        ? "lnetctl peer set --nid " + ni.nid() + " --health " + FULL
                                + "   # when the cause is gone: well at once instead of ping by ping"
                        : "lnetctl doctor   # there");
    }
}
