package org.railyard.lnet;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.LNetHeader;

/** Two nodes, {@code a} and {@code b}, of two NIs each on one net, that have discovered each other. */
abstract class TwoRails extends TwoNodes {
    static final Nid A2 = Nid.parse("10.0.1.1@tcp");
    static final Nid B2 = Nid.parse("10.0.1.2@tcp");

    /** What was tried on the test's portal since {@link #fail}, one line each: source, destination. */
    final List<String> tries = new ArrayList<>();

    @Override
    String[] nidsOfA() {
        return new String[] {A.toString(), A2.toString()};
    }

    @Override
    String[] nidsOfB() {
        return new String[] {B.toString(), B2.toString()};
    }

    /** Notes all attempts to send to the test's portal, and fails the first so many. */
    void fail(int count, HealthStatus health) {
        tries.clear();
        int[] left = {count};
        net.fail(header -> attempt(header, left, health));
    }

    private TestNetwork.@Nullable Failure attempt(LNetHeader header, int[] left, HealthStatus health) {
        if (header.portal() != PORTAL) {
            return null;
        }
        tries.add(header.srcNid() + " > " + header.destNid());
        return left[0]-- > 0 ? new TestNetwork.Failure(Errno.EIO, health) : null;
    }

    static NiInfo ni(LNet node, Nid nid) {
        return node.nis().stream()
                .filter(ni -> ni.nid().equals(nid))
                .findFirst()
                .orElseThrow();
    }

    static int healthOf(LNet node, Nid nid) {
        return ni(node, nid).health();
    }

    static PeerInfo.PeerNiInfo peerNi(LNet node, Nid nid) {
        return node.peers().stream()
                .flatMap(peer -> peer.nis().stream())
                .filter(ni -> ni.nid().equals(nid))
                .findFirst()
                .orElseThrow();
    }
}
