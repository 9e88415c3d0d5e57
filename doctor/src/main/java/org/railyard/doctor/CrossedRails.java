package org.railyard.doctor;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.railyard.doctor.HostFacts.Way;
import org.railyard.doctor.RailCheck.Rail;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.nid.Nid;

/**
 * A net with rails in several subnets: LNet sends from any of its NIs to any NID of a peer, and the kernel then takes
 * the rail of the peer's subnet.
 */
final class CrossedRails {
    private static final int MAX_COMMANDS = 8;

    private final Setup setup;
    private final List<Rail> rails;
    private final HostFacts facts;
    private final Notes notes;
    private int asked;

    CrossedRails(Setup setup, List<Rail> rails, HostFacts facts, Notes notes) {
        this.setup = setup;
        this.rails = rails;
        this.facts = facts;
        this.notes = notes;
    }

    void look() {
        for (Rail rail : rails) {
            if (rail.ni().further()) {
                // The routes of a group lead to addresses of their own, not to those of NIDs.
                continue;
            }
            List<String> commands = new ArrayList<>();
            String example = "";
            for (Nid peer : setup.peerNids()) {
                Optional<Rail> other = crossing(rail, peer);
                if (other.isPresent()) {
                    commands.add("lnetctl udsp add --src " + other.get().ni().nid() + " --dst " + peer);
                    example = "packets from " + rail.ni().nid() + " to " + peer + " leave by "
                            + other.get().link().name();
                }
            }
            if (!commands.isEmpty()) {
                tell(rail, example, commands);
            }
        }
    }

    /** Returns the rail by which packets of another one go to a peer. */
    private Optional<Rail> crossing(Rail rail, Nid peer) {
        Nid own = rail.ni().nid();
        Optional<InetAddress> to = Setup.addressOf(peer);
        if (own == null
                || to.isEmpty()
                || !peer.isOnNetOf(own)
                // What goes to the other family leaves from another address of the device.
                || peer.isNid4() != own.isNid4()
                || Links.isIn(rail.address(), to.get())
                || !mayMeet(own, peer)) {
            return Optional.empty();
        }
        if (asked++ >= RailCheck.MAX_WAYS) {
            notes.notChecked("ways to more than " + RailCheck.MAX_WAYS + " NIDs of peers");
            return Optional.empty();
        }
        Way way = facts.way(rail.address().ip(), to.get());
        if (way.kind() == Way.Kind.UNKNOWN) {
            notes.notChecked("ways to peers in other subnets: " + way.text());
        }
        return way.kind() == Way.Kind.DEVICE
                ? rails.stream()
                        .filter(each -> each != rail
                                && each.link().name().equals(way.text())
                                && each.ni().net().equals(rail.ni().net()))
                        .findFirst()
                : Optional.empty();
    }

    /** Tells whether the rules leave it to chance that the two meet. */
    private boolean mayMeet(Nid own, Nid peer) {
        List<UdspRule> pairs = setup.rules().stream()
                .filter(rule ->
                        rule.isPair() && rule.dst() != null && rule.dst().matches(peer))
                .toList();
        return pairs.isEmpty()
                || pairs.stream()
                        .anyMatch(rule -> rule.src() != null && rule.src().matches(own));
    }

    private void tell(Rail rail, String example, List<String> commands) {
        List<String> mend = new ArrayList<>(commands.subList(0, Math.min(MAX_COMMANDS, commands.size())));
        if (commands.size() > MAX_COMMANDS) {
            mend.add("and so on for " + (commands.size() - MAX_COMMANDS)
                    + " more NIDs; a net for each subnet, such as tcp and tcp1 on all nodes, needs no rules");
        }
        notes.add(new Finding(
                "crossed-rails",
                Severity.INFO,
                rail.ni().subject(),
                example,
                "the NI is judged by what happens on another link, and a peer with strict rp_filter drops such packets",
                mend));
    }
}
