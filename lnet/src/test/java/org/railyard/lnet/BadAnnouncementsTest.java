package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.ScriptedPeer;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;

/** What announcements that no honest node would send do to the peer table: nothing, or an error (spec 11 §3–§4). */
class BadAnnouncementsTest {
    private static final Nid A = Nid.parse("10.0.0.1@tcp");
    private static final Nid P0 = Nid.parse("10.0.0.9@tcp");
    private static final Nid P1 = Nid.parse("10.0.1.9@tcp");
    private static final Nid P2 = Nid.parse("10.0.2.9@tcp");
    private static final int FULL = PingInfo.MULTI_RAIL | PingInfo.DISCOVERY | PingInfo.RTE_DISABLED;
    private static final int REDISCOVER = 32;

    private final TestNetwork net = new TestNetwork();
    private LNet a;
    private ScriptedPeer peer;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    BadAnnouncementsTest() {}

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

    private PeerInfo peerOf(Nid nid) {
        return a.peers().stream()
                .filter(p -> p.nis().stream().anyMatch(ni -> ni.nid().equals(nid)))
                .findFirst()
                .orElseThrow();
    }

    private List<Nid> nidsOf(Nid nid) {
        return peerOf(nid).nis().stream().map(PeerInfo.PeerNiInfo::nid).toList();
    }

    private CompletionStage<PutResult> put(Nid to) {
        return a.put(ProcessId.of(to), 33, 7, Arena.ofAuto().allocate(8));
    }

    @Test
    void unreadableAnswersEndTheDiscoveryAfterAFewPings() {
        peer.saysBytes(new byte[100]);
        assertThat(net.awaitError(a.discover(P0, false)).errno()).isEqualTo(Errno.EPROTO);
        assertThat(net.takeTypes().stream().filter(t -> t == MessageType.GET)).hasSize(4);
        assertThat(peerOf(P0).state() & REDISCOVER).isEqualTo(REDISCOVER);
        peer.says(FULL, 1, P0);
        net.await(a.discover(P0, false));
        assertThat(peerOf(P0).state()).isEqualTo(273);
    }

    @Test
    void anAnswerThatAlwaysClaimsToBeLongerEndsTheDiscoveryToo() {
        byte[] bytes = new byte[272];
        PingInfo info = PingInfo.of(FULL, 12345, 1, List.of(new PingInfo.Entry(P0, PingInfo.STATUS_UP)));
        MemorySegment memory = MemorySegment.ofArray(bytes);
        info.write(memory, 0);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, 12, 4000);
        peer.saysBytes(bytes);
        assertThat(net.awaitError(a.discover(P0, false)).errno()).isEqualTo(Errno.EPROTO);
        assertThat(net.takeLog().stream()
                        .filter(p -> p.header().type() == MessageType.GET)
                        .map(p -> p.header().sinkLength()))
                .allMatch(bytesAsked -> bytesAsked <= 1 << 20)
                .hasSize(4);
    }

    @Test
    void nidsThatNobodyCanHaveAreNotBelieved() {
        for (Nid[] claim : new Nid[][] {{Nid.ANY, P0}, {Nid.LOOPBACK, P0}}) {
            peer.saysRaw(FULL, 1, claim);
            net.await(a.discover(P0, false));
            assertThat(nidsOf(P0)).containsExactly(P0);
            assertThat(a.knownPrimaryNid(P0)).isEqualTo(P0);
        }
        peer.saysRaw(FULL, 1, P0, Nid.ANY, Nid.LOOPBACK, P1);
        net.await(a.discover(P0, false));
        assertThat(nidsOf(P0)).containsExactly(P0, P1);
    }

    @Test
    void anAnnouncementOfNothingIsIgnored() {
        peer.says(FULL, 1);
        net.await(a.discover(P0, false));
        assertThat(nidsOf(P0)).containsExactly(P0);
    }

    @Test
    void aNodeThatDoesNotAnnounceTheNidItIsCalledByIsNotAskedForEver() {
        peer.says(FULL, 1, P1);
        peer.answersPuts();
        net.await(put(P0));
        net.await(put(P0));
        assertThat(net.takeTypes().stream().filter(t -> t == MessageType.GET).count())
                .isLessThan(6);
        net.await(a.discover(P0, false));
    }
}
