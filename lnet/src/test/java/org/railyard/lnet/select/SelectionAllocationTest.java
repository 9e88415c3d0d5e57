package org.railyard.lnet.select;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.host.CpuLayout;
import org.railyard.lnet.api.BondPolicy;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.testkit.Allocations;

/** A decision allocates nothing, whatever counts in it. */
class SelectionAllocationTest {
    private static final int DECISIONS = 100_000;

    private final Allocations allocations = new Allocations();

    @ParameterizedTest
    @ValueSource(
            strings = {"plain", "nets", "rules", "resends", "old", "named", "routed", "forwarded", "back", "bonds"})
    void nothing(String kind) {
        Rails rails = new Rails(CpuLayout.grid(2, 2, 20));
        String[] nids = new String[8];
        for (int i = 0; i < nids.length; i++) {
            String net = kind.equals("nets") ? "@tcp" + i % 2 : "@tcp";
            rails.local("10.0." + i + ".1" + net, i % 2);
            nids[i] = "10.0." + i + ".2" + net;
        }
        if (kind.equals("old")) {
            rails.old(nids);
        } else {
            rails.peer(nids);
        }
        String remote = "10.9.0.3@tcp9";
        boolean far = List.of("routed", "forwarded", "back").contains(kind);
        if (far) {
            rails.peer(remote);
            rails.peer("10.0.0.77@tcp", "10.9.0.77@tcp9");
            rails.route("tcp9", nids[0], 2, 0);
            rails.route("tcp9", "10.0.0.77@tcp", 2, 0);
        }
        if (kind.equals("rules")) {
            rails.rule(UdspRule.of("10.0.[0-3].*@tcp", "10.0.[4-7].*@tcp", null).withCount(3));
            rails.rule(UdspRule.of("tcp", "10.0.[0-3].*@tcp", null));
        }
        if (kind.equals("bonds")) {
            rails.bond("a", BondPolicy.ORDERED, "10.0.0.1@tcp", "10.0.1.1@tcp");
            rails.bond("b", BondPolicy.ROUND_ROBIN, "10.0.2.1@tcp", "10.0.3.1@tcp", "10.0.4.1@tcp");
            rails.remoteBond("r", BondPolicy.DEFAULT, nids[0], nids[1], nids[2]);
        }
        rails.set(Tunable.RESEND_AVOID_USED_PATHS, true);
        Message message = Rails.put(kind.equals("named") ? "10.0.1.1@tcp" : "*", nids[0]);
        if (kind.equals("forwarded")) {
            message = Rails.forwarded("10.7.0.1@tcp7", remote);
        } else if (kind.equals("back")) {
            message = Rails.response("10.0.0.1@tcp", remote);
            message.setSender(Nid.parse(nids[0]));
        }
        PeerNi target = rails.peerNi(far ? remote : nids[0]);
        boolean failed = false;
        long least = Long.MAX_VALUE;
        // The first rounds are those in which the JVM still compiles.
        for (int round = 0; round < 5 && least > DECISIONS; round++) {
            long before = allocations.bytes();
            for (int i = 0; i < DECISIONS; i++) {
                failed |= rails.status(message, target) < 0;
                if (kind.equals("resends") && message.ni() != null && message.peerNi() != null) {
                    message.path().failed(message.ni(), message.peerNi());
                }
            }
            least = Math.min(least, allocations.bytes() - before);
        }
        assertThat(failed).isFalse();
        assertThat(least)
                .as("bytes in %d decisions, those of asking included", DECISIONS)
                .isLessThan(DECISIONS);
    }
}
