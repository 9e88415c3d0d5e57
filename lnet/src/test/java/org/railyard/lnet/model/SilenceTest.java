package org.railyard.lnet.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.railyard.base.host.CpuLayout;
import org.railyard.lnet.cpt.CptTable;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.NoLnd;

/** What the silence of two peers says about an NI on which nothing arrives. */
class SilenceTest {
    private static final long SECOND = 1_000_000_000L;

    private final LocalNi ni = new LocalNi(
            new LocalNet(Net.TCP, NetTunables.DEFAULT),
            new NiBinding(Nid.parse("10.0.0.1@tcp"), "test0", -1),
            new NoLnd(),
            Map.of(),
            CptTable.ANY,
            CptTable.of(CpuLayout.UNKNOWN, 0, "N").all());
    private final Peer one = peer("10.0.0.2@tcp");
    private final Peer other = peer("10.0.0.3@tcp");

    private static Peer peer(String nid) {
        Peer peer = new Peer(Nid.parse(nid));
        PeerNet net = new PeerNet(Net.TCP, peer);
        PeerNi peerNi = new PeerNi(peer.primaryNid, net, 8);
        peerNi.everAlive = true;
        net.nis.add(peerNi);
        peer.nets.add(net);
        return peer;
    }

    private boolean counts(Peer peer, long sent, long now) {
        return ni.silence.timedOut(ni, peer, sent * SECOND, now * SECOND);
    }

    private void assertThatANewSilenceCounts() {
        one.heard(140 * SECOND);
        other.heard(140 * SECOND);
        assertThat(counts(one, 150, 160)).isFalse();
        assertThat(counts(other, 150, 160)).as("a new silence of both").isTrue();
    }

    @Test
    void twoPeersTogetherCount() {
        assertThat(counts(one, 100, 110)).isFalse();
        assertThat(counts(other, 101, 111)).isTrue();
    }

    @Test
    void theSilenceOfAPeerCountsOnceUntilItIsHeard() {
        ni.everHeard = true;
        ni.lastHeard = 105 * SECOND;
        assertThat(counts(one, 100, 110)).as("the NI works").isFalse();
        assertThat(counts(other, 100, 110)).isFalse();
        assertThat(counts(one, 120, 130)).as("nothing new").isFalse();
        assertThat(counts(other, 120, 130)).isFalse();
        assertThatANewSilenceCounts();
    }

    /** Peers that come back answer on one NI while what went to them before times out on another. */
    @Test
    void whatWasSentInASilenceBelongsToIt() {
        ni.everHeard = true;
        ni.lastHeard = 105 * SECOND;
        assertThat(counts(one, 100, 110)).isFalse();
        assertThat(counts(other, 100, 110)).isFalse();
        one.heard(140 * SECOND);
        other.heard(140 * SECOND);
        assertThat(counts(one, 135, 145)).isFalse();
        assertThat(counts(other, 135, 145)).isFalse();
        assertThat(counts(one, 141, 151)).as("they are silent again").isFalse();
        assertThat(counts(other, 141, 151)).isTrue();
    }

    /** The transport took what went to them, and no message timed out: only answers did not come. */
    @Test
    void peersThatDidNotAnswerWhileTheNiWorkedSayNothingMoreWhenItIsIdle() {
        ni.everHeard = true;
        ni.lastHeard = 105 * SECOND;
        for (Peer peer : List.of(one, other)) {
            ni.silence.unanswered(ni, peer, 100 * SECOND);
        }
        assertThat(counts(one, 120, 130)).isFalse();
        assertThat(counts(other, 120, 130)).isFalse();
        assertThatANewSilenceCounts();
    }

    @Test
    void aRequestThatAPeerWithSomethingToSayDoesNotAnswerIsNoSilence() {
        ni.everHeard = true;
        ni.lastHeard = 105 * SECOND;
        for (Peer peer : List.of(one, other)) {
            peer.nets.getFirst().nis.getFirst().lastAlive = 101 * SECOND;
            ni.silence.unanswered(ni, peer, 100 * SECOND);
        }
        assertThat(counts(one, 120, 130)).isFalse();
        assertThat(counts(other, 120, 130)).isTrue();
    }

    @Test
    void noAnswerOnAnNiThatHearsNothingIsLeftToTheTransport() {
        ni.everHeard = true;
        ni.lastHeard = 99 * SECOND;
        for (Peer peer : List.of(one, other)) {
            ni.silence.unanswered(ni, peer, 100 * SECOND);
        }
        assertThat(counts(one, 100, 110)).isFalse();
        assertThat(counts(other, 100, 110)).isTrue();
    }
}
