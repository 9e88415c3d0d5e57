package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PutResult;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.ScriptedPeer;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.PingInfo;

/** A node, and a peer with three NIDs that says whatever the test wants. */
abstract class ScriptedPeerCase {
    static final Nid A = Nid.parse("10.0.0.1@tcp");
    static final Nid P0 = Nid.parse("10.0.0.9@tcp");
    static final Nid P1 = Nid.parse("10.0.1.9@tcp");
    static final Nid P2 = Nid.parse("10.0.2.9@tcp");
    static final int FULL = PingInfo.MULTI_RAIL | PingInfo.DISCOVERY | PingInfo.RTE_DISABLED;

    final TestNetwork net = new TestNetwork();
    LNet a;
    ScriptedPeer peer;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    ScriptedPeerCase() {}

    @BeforeEach
    void start() {
        a = net.node(A.toString());
        peer = new ScriptedPeer(net, P0, P1, P2);
    }

    @AfterEach
    void close() {
        net.close();
        assertThat(a.messagesInUse()).isZero();
    }

    PeerInfo peerOf(Nid nid) {
        return a.peers().stream()
                .filter(p -> p.nis().stream().anyMatch(ni -> ni.nid().equals(nid)))
                .findFirst()
                .orElseThrow();
    }

    List<Nid> nidsOf(Nid nid) {
        return peerOf(nid).nis().stream().map(PeerInfo.PeerNiInfo::nid).toList();
    }

    CompletionStage<PutResult> put(Nid to) {
        return a.put(ProcessId.of(to), 33, 7, Arena.ofAuto().allocate(8));
    }
}
