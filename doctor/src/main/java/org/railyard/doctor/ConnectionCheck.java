package org.railyard.doctor;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.lnd.PeerConnections;
import org.railyard.lnet.lnd.PeerConnections.State;
import org.railyard.lnet.nid.Nid;

/** Connections that could not be made, or not all of them, as transports remember it: nobody has to be asked. */
final class ConnectionCheck implements Check {
    private static final long SECOND = 1_000_000_000L;

    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        Setup.Running running = setup.running();
        if (running == null) {
            return;
        }
        Set<Nid> up = running.nis().stream().filter(NiInfo::up).map(NiInfo::nid).collect(Collectors.toSet());
        Set<Nid> told = silent(running);
        for (Setup.Connected each : running.connections()) {
            PeerConnections with = each.with();
            boolean known = told.contains(with.peer())
                    || running.probes().rails().stream()
                            .anyMatch(rail ->
                                    rail.from().equals(each.ni()) && rail.to().equals(with.peer()));
            if (known || !up.contains(each.ni())) {
                // What is wrong there is told already, with more reasons.
                continue;
            }
            if (with.state() == State.FAILED) {
                down(each, hasOther(each, running), notes);
            } else if (with.state() == State.INCOMPLETE) {
                incomplete(each, notes);
            }
        }
    }

    /** Returns all NIDs of the peers that do not answer a ping. */
    private static Set<Nid> silent(Setup.Running running) {
        Set<Nid> nids = new HashSet<>(running.probes().silent().keySet());
        for (PeerInfo peer : running.peers()) {
            if (nids.contains(peer.primaryNid())) {
                peer.nis().forEach(ni -> nids.add(ni.nid()));
            }
        }
        return nids;
    }

    /** Tells whether the peer can be reached in another way: connected, or with nobody having tried in vain. */
    private static boolean hasOther(Setup.Connected bad, Setup.Running running) {
        Set<Nid> nids = running.peers().stream()
                .filter(peer -> peer.nis().stream()
                        .anyMatch(ni -> ni.nid().equals(bad.with().peer())))
                .flatMap(peer -> peer.nis().stream())
                .map(PeerInfo.PeerNiInfo::nid)
                .collect(Collectors.toSet());
        return running.connections().stream()
                .anyMatch(each -> (nids.contains(each.with().peer())
                                || each.with().peer().equals(bad.with().peer()))
                        && (each.with().state() == State.CONNECTED
                                || each.with().state() == State.INCOMPLETE));
    }

    private static void down(Setup.Connected bad, boolean other, Notes notes) {
        PeerConnections with = bad.with();
        notes.add(
                "connection-down",
                Severity.WARNING,
                "peer NI " + with.peer(),
                "no connection from " + bad.ni() + " for " + with.stateNanos() / SECOND
                        + " s; the last attempt failed: " + why(with) + again(with),
                other
                        ? "messages take the other ways to the peer; this one is lost for speed and for the day that"
                                + " another fails"
                        : "nothing gets to the peer at the moment",
                "lnetctl ping --source " + bad.ni() + " " + with.peer() + "   # tries it again",
                "lnetctl doctor --probe   # tells more of why it does not answer");
    }

    private static void incomplete(Setup.Connected bad, Notes notes) {
        PeerConnections with = bad.with();
        notes.add(
                "connection-incomplete",
                Severity.WARNING,
                "peer NI " + with.peer(),
                "from " + bad.ni() + " there are connections: " + counts(with.open()) + ", of 1 control and "
                        + with.wanted() + " bulk each way; the last attempt to make the others failed: " + why(with)
                        + again(with),
                "what the missing ones are for goes over the others: bulk data and small messages wait for each other",
                "lnetctl debug conn --nid " + with.peer() + "   # tells how it goes on",
                "# there: a packet filter, or a limit of files or connections, that lets in some and no more");
    }

    private static String counts(Map<String, Integer> open) {
        List<String> counts = open.entrySet().stream()
                .map(each -> each.getValue() + " " + each.getKey())
                .toList();
        return String.join(", ", counts);
    }

    private static String why(PeerConnections with) {
        return with.failure() == null ? "unknown" : with.failure().text() + " (" + with.failure() + ")";
    }

    private static String again(PeerConnections with) {
        long seconds = (with.retryNanos() + SECOND - 1) / SECOND;
        return seconds == 0 ? "; the next message tries again" : "; messages try again after " + seconds + " s";
    }
}
