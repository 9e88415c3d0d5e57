package org.railyard.doctor;

import java.util.LinkedHashMap;
import java.util.Map;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Nid;

/** Peers that are set up in another way than this node, as far as the wire tells: credits of InfiniBand, discovery. */
final class PeersDifferCheck implements Check {
    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        Setup.Running running = setup.running();
        if (running == null) {
            return;
        }
        Map<Nid, Setup.Agreed> least = new LinkedHashMap<>();
        for (Setup.Agreed each : running.agreed()) {
            least.merge(each.peer(), each, (one, other) -> one.depth() <= other.depth() ? one : other);
        }
        least.values().stream().filter(each -> each.depth() < each.asked()).forEach(each -> credits(each, notes));
        for (PeerInfo peer : running.peers()) {
            boolean off = (peer.state() & PeerState.NO_DISCOVERY) != 0 && (peer.state() & PeerState.DISCOVERED) != 0;
            if (off && setup.settings().is(Tunable.DISCOVERY) && setup.nis().size() > 1) {
                discovery(peer, notes);
            }
        }
    }

    private static void credits(Setup.Agreed agreed, Notes notes) {
        notes.add(
                "peer-credits-differ",
                Severity.INFO,
                "peer " + agreed.peer(),
                "connections have a queue depth of " + agreed.depth() + "; this node asks for " + agreed.asked(),
                "peer_credits of the peer are less than here, or a device bounds them: fewer messages are under way"
                        + " between both than this node is set up for",
                "railyard o2ib tunables --node   # tells for each peer who bounds what",
                "# there, for a kernel node, in /etc/modprobe.d: options ko2iblnd peer_credits=" + agreed.asked());
    }

    private static void discovery(PeerInfo peer, Notes notes) {
        notes.add(
                "peer-discovery-off",
                Severity.INFO,
                "peer " + peer.primaryNid(),
                "it has discovery off; this node has it on",
                "it knows only the NID of this node that was there first, and is not told of changes",
                "# there: lnetctl set discovery 1");
    }
}
