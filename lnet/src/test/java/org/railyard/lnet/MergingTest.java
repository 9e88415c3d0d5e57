package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PutResult;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.sim.ScriptedPeer;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.testkit.Requirement;

/** What announcements do to the peer table (spec 11 §3–§4), with a peer that says whatever the test wants. */
class MergingTest extends ScriptedPeerCase {
    private static final int ROUTER = 4;

    @Test
    void aPeerThatAnnouncesAnotherPrimaryIsKnownByThatOne() {
        peer.says(FULL, 1, P1, P0);
        PeerInfo found = net.await(a.discover(P0, false));
        assertThat(found.primaryNid()).isEqualTo(P1);
        assertThat(nidsOf(P0)).containsExactly(P1, P0);
        assertThat(a.knownPrimaryNid(P0)).isEqualTo(P1);
        assertThat(a.knownPrimaryNid(Nid.parse("1.2.3.4@tcp"))).isEqualTo(Nid.parse("1.2.3.4@tcp"));
    }

    @Test
    void peersThatWereMadeByPingsOfTwoNidsOfANodeBecomeOneWhenEitherIsDiscovered() {
        for (Nid asked : List.of(P0, P1)) {
            peer.says(FULL, 1, P0, P1);
            net.await(a.ping(P0, Nid.ANY, Duration.ofSeconds(1)));
            net.await(a.ping(P1, Nid.ANY, Duration.ofSeconds(1)));
            net.await(a.discover(asked, false));
            assertThat(nidsOf(P0)).containsExactly(P0, P1);
            assertThat(a.peers()).hasSize(1);
            a.peerConfiguration().delete(P0, false);
        }
    }

    @Test
    void soDoPeersOfOwnNids() {
        Nid own = Nid.parse("10.0.1.1@tcp");
        a.addNi(net.request(own.toString()));
        net.await(a.ping(A, Nid.ANY, Duration.ofSeconds(1)));
        net.await(a.ping(own, Nid.ANY, Duration.ofSeconds(1)));
        assertThat(nidsOf(A)).containsExactly(A);
        net.takeLog();
        assertThat(net.await(a.discover(own, true)).primaryNid()).isEqualTo(A);
        assertThat(net.takeLog()).as("a node knows itself").isEmpty();
        assertThat(nidsOf(A)).containsExactly(A, own);
        net.await(a.ping(own, Nid.ANY, Duration.ofSeconds(1)));
    }

    @Test
    @Requirement("dyn-015")
    void thePushAfterAPingNamesAllOurNidsAndTakesThePingsWay() {
        a.addNi(net.request("10.0.1.1@tcp"));
        peer.says(FULL, 1, P0, P1);
        net.await(a.discover(P0, false));
        PingInfo pushed = peer.lastPush();
        assertThat(pushed.entries()).extracting(PingInfo.Entry::nid).containsExactly(A, Nid.parse("10.0.1.1@tcp"));
        List<TestNetwork.Packet> requests = net.takeLog().stream()
                .filter(p ->
                        p.header().type() != MessageType.REPLY && p.header().type() != MessageType.ACK)
                .toList();
        assertThat(requests).hasSize(2);
        assertThat(requests.get(0).header().srcNid())
                .isEqualTo(requests.get(1).header().srcNid());
        assertThat(requests.get(0).header().destNid())
                .isEqualTo(requests.get(1).header().destNid());
    }

    @Test
    void nidsThatAreNotAnnouncedAnyMoreAreForgotten() {
        peer.says(FULL, 1, P0, P1, P2);
        net.await(a.discover(P0, false));
        peer.says(FULL, 2, P0, P2);
        net.await(a.discover(P0, false));
        assertThat(nidsOf(P0)).containsExactly(P0, P2);
    }

    @Test
    void aNidMovesToThePeerThatAnnouncesIt() {
        ScriptedPeer other = new ScriptedPeer(net, Nid.parse("10.0.0.8@tcp"));
        other.says(FULL, 1, Nid.parse("10.0.0.8@tcp"), P1);
        net.await(a.discover(Nid.parse("10.0.0.8@tcp"), false));
        assertThat(nidsOf(P1)).containsExactly(Nid.parse("10.0.0.8@tcp"), P1);
        peer.says(FULL, 1, P0, P1);
        net.await(a.discover(P0, false));
        assertThat(nidsOf(P1)).containsExactly(P0, P1);
        assertThat(nidsOf(Nid.parse("10.0.0.8@tcp"))).containsExactly(Nid.parse("10.0.0.8@tcp"));
        assertThat(peerOf(Nid.parse("10.0.0.8@tcp")).state() & 256)
                .as("what else is true of a peer that lost a NID?")
                .isZero();
    }

    @Test
    void aPeerThatLostANidIsAskedAgainButNotForEver() {
        Nid q = Nid.parse("10.0.0.8@tcp");
        new ScriptedPeer(net, q).says(FULL, 1, q, P1);
        net.await(a.discover(q, false));
        peer.says(FULL, 1, P0, P1);
        net.await(a.discover(P0, false));
        assertThat(nidsOf(P1)).containsExactly(P0, P1);
        net.takeLog();
        net.pass(3);
        assertThat(net.takeTypes()).as("both claim it, so it changes hands").contains(MessageType.GET);
        assertThat(nidsOf(P1)).containsExactly(q, P1);
        net.pass(60);
        net.takeLog();
        net.pass(60);
        assertThat(net.takeTypes()).as("but not for ever").isEmpty();
    }

    @Test
    @Requirement("snd-065")
    void aNidIsNeverInTwoPeers() {
        peer.says(FULL, 1, P0, P1);
        net.await(a.discover(P0, false));
        ScriptedPeer liar = new ScriptedPeer(net, Nid.parse("10.0.0.8@tcp"));
        liar.says(FULL, 1, Nid.parse("10.0.0.8@tcp"), P0, P0, P1);
        net.await(a.discover(Nid.parse("10.0.0.8@tcp"), false));
        List<Nid> all = new ArrayList<>();
        a.peers().forEach(p -> p.nis().forEach(ni -> all.add(ni.nid())));
        assertThat(all).doesNotHaveDuplicates();
    }

    @Test
    void messagesParkedOnEitherOfTwoPeersThatAreOneAreSent() {
        peer.says(FULL, 1, P0, P1);
        peer.answersPuts();
        net.hold(header -> header.type() == MessageType.GET);
        CompletionStage<PutResult> first = put(P0);
        CompletionStage<PutResult> second = put(P1);
        net.settle();
        assertThat(a.peers()).hasSize(2);
        net.releaseAll();
        net.await(first);
        net.await(second);
        assertThat(a.peers()).hasSize(1);
    }

    @Test
    void theRouterFlagIsTakenFromTheAnnouncement() {
        peer.says(FULL & ~PingInfo.RTE_DISABLED, 1, P0);
        assertThat(net.await(a.discover(P0, false)).state() & ROUTER).isEqualTo(ROUTER);
        peer.says(FULL, 1, P0);
        assertThat(net.await(a.discover(P0, false)).state() & ROUTER).isZero();
    }

    @Test
    void anyAnnouncementIsBelievedWhateverItsNumber() {
        peer.says(FULL, 100, P0, P1);
        net.await(a.discover(P0, false));
        peer.says(FULL, 3, P0);
        net.await(a.discover(P0, false));
        assertThat(nidsOf(P0)).containsExactly(P0);
        peer.says(FULL, 3, P0, P2);
        peer.pushes(A);
        assertThat(nidsOf(P0)).containsExactly(P0, P2);
    }

    @Test
    @Requirement("dyn-050")
    void statusChangesArriveWithAPush() {
        peer.says(FULL, 1, P0, P1);
        net.await(a.discover(P0, false));
        peer.says(FULL, 1, P0, P1).down(P1);
        peer.pushes(A);
        assertThat(peerOf(P1).nis().get(1).up()).isFalse();
        assertThat(peerOf(P1).nis().get(1).health()).isEqualTo(900);
        peer.says(FULL, 1, P0, P1);
        peer.pushes(A);
        assertThat(peerOf(P1).nis().get(1).up()).isTrue();
    }

    @Test
    void aPushIsAcknowledgedAndAnsweredByOneIfOwed() {
        peer.says(FULL, 1, P0, P1);
        peer.knock(A);
        net.takeLog();
        peer.pushes(A);
        assertThat(net.takeTypes()).containsExactly(MessageType.ACK, MessageType.PUT, MessageType.ACK);
        assertThat(nidsOf(P0)).containsExactly(P0, P1);
        peer.pushes(A);
        assertThat(net.takeTypes()).as("it has our number now").containsExactly(MessageType.ACK);
    }

    @Test
    void aPushWithoutMultiRailIsIgnored() {
        peer.says(FULL, 1, P0);
        net.await(a.discover(P0, false));
        net.takeLog();
        peer.says(PingInfo.RTE_DISABLED, 1, P0, P1);
        peer.pushes(A);
        assertThat(net.takeTypes()).containsExactly(MessageType.ACK);
        assertThat(nidsOf(P0)).containsExactly(P0);
        assertThat(peerOf(P0).multiRail()).isTrue();
        assertThat(peerOf(P0).state()).isEqualTo(273);
    }

    @Test
    void anUnreadablePushMakesUsAsk() {
        peer.says(FULL, 1, P0);
        peer.knock(A);
        net.takeLog();
        peer.pushes(A, new byte[48]);
        assertThat(net.takeTypes())
                .containsExactly(MessageType.ACK, MessageType.GET, MessageType.REPLY, MessageType.PUT, MessageType.ACK);
    }

    @Test
    void aTruncatedPushMakesUsAskAndTheNextOneFits() {
        Nid[] many = new Nid[40];
        many[0] = P0;
        for (int i = 1; i < many.length; i++) {
            many[i] = Nid.parse("10.7." + i + ".9@tcp");
        }
        peer.says(FULL, 1, many);
        peer.knock(A);
        net.takeLog();
        peer.pushes(A);
        List<TestNetwork.Packet> log = net.takeLog();
        assertThat(log.getFirst().header().mlength()).as("the ACK").isEqualTo(272);
        assertThat(log).extracting(p -> p.header().type()).contains(MessageType.GET);
        assertThat(nidsOf(P0)).hasSize(40);
        peer.pushes(A);
        log = net.takeLog();
        assertThat(log).extracting(p -> p.header().type()).containsExactly(MessageType.ACK);
        assertThat(log.getFirst().header().mlength()).isEqualTo(16 + 41 * 16);
    }

    @Test
    void aPeerWithoutMultiRailGetsNoPushWhateverIsForced() {
        peer.says(PingInfo.RTE_DISABLED, 1, P0, P1);
        PeerInfo found = net.await(a.discover(P0, true));
        assertThat(found.multiRail()).isFalse();
        assertThat(nidsOf(P0)).containsExactly(P0);
        assertThat(net.takeTypes()).containsExactly(MessageType.GET, MessageType.REPLY);
    }

    @Test
    void aPeerThatLosesDiscoveryIsRebuiltAsOneNid() {
        peer.says(FULL, 1, P0, P1);
        net.await(a.discover(P0, false));
        peer.says(FULL & ~PingInfo.DISCOVERY, 1, P0, P1);
        peer.pushes(A);
        assertThat(a.peers()).hasSize(1);
        assertThat(nidsOf(P0)).containsExactly(P0);
        assertThat(peerOf(P0).multiRail()).isFalse();
    }

    @Test
    @Requirement("bck-030")
    void aPeerThatLearnsMultiRailIsFoundOutByItsPush() {
        a.addNi(net.request("10.0.1.1@tcp"));
        peer.says(PingInfo.RTE_DISABLED, 1, P0);
        peer.answersPuts();
        net.await(put(P0));
        net.await(put(P0));
        assertThat(peerOf(P0).multiRail()).isFalse();
        peer.says(FULL, 2, P0, P1);
        peer.pushes(A);
        assertThat(peerOf(P0).multiRail()).isTrue();
        assertThat(nidsOf(P0)).containsExactly(P0, P1);
        net.takeLog();
        for (int i = 0; i < 4; i++) {
            net.await(put(P0));
        }
        assertThat(net.takeLines().stream().filter(line -> line.startsWith("PUT")))
                .as("no source is preferred any more")
                .anyMatch(line -> line.startsWith("PUT 10.0.0.1@tcp "))
                .anyMatch(line -> line.startsWith("PUT 10.0.1.1@tcp "));
    }

    @Test
    @Requirement("bck-030")
    void aPeerThatTurnsDiscoveryOnIsFoundOutByTheNextPing() {
        peer.says(FULL & ~PingInfo.DISCOVERY, 1, P0, P1);
        net.await(a.discover(P0, false));
        assertThat(nidsOf(P0)).containsExactly(P0);
        peer.says(FULL, 1, P0, P1);
        assertThat(net.await(a.discover(P0, false)).multiRail()).isTrue();
        assertThat(nidsOf(P0)).containsExactly(P0, P1);
    }

    @Test
    void discoveryThatIsTurnedOnHereFindsWhatItCouldNotBefore() {
        LNet quiet = net.node(Settings.of(CompatProfile.DOCUMENTS).with(Tunable.DISCOVERY, false), "10.0.0.5@tcp");
        peer.says(FULL, 1, P0, P1);
        peer.answersPuts();
        net.await(quiet.discover(P0, false));
        quiet.set(Tunable.DISCOVERY, 1);
        assertThat(net.takeTypes()).doesNotContain(MessageType.PUT);
        net.await(quiet.put(ProcessId.of(P0), 33, 7, Arena.ofAuto().allocate(8)));
        assertThat(quiet.peers().getFirst().multiRail()).isTrue();
        assertThat(quiet.peers().getFirst().nis()).hasSize(2);
    }

    @Test
    void withDiscoveryOffHereNothingIsPushedAndNothingIsBelieved() {
        LNet quiet = net.node(Settings.of(CompatProfile.DOCUMENTS).with(Tunable.DISCOVERY, false), "10.0.0.5@tcp");
        peer.says(FULL, 1, P0, P1);
        net.takeLog();
        PeerInfo found = net.await(quiet.discover(P0, false));
        assertThat(found.multiRail()).isFalse();
        assertThat(found.nis()).hasSize(1);
        assertThat(net.takeTypes()).containsExactly(MessageType.GET, MessageType.REPLY);
        quiet.addNi(net.request("10.0.1.5@tcp"));
        net.settle();
        assertThat(net.takeLog()).isEmpty();
    }

    @Test
    @Requirement("dyn-010")
    void aNodeThatIsNotMultiRailDropsPushesWithoutAnswer() {
        LNet old = net.node(Settings.of(CompatProfile.DOCUMENTS).with(Tunable.MULTI_RAIL, false), "10.0.0.5@tcp");
        peer.says(FULL, 1, P0);
        peer.knock(Nid.parse("10.0.0.5@tcp"));
        net.takeLog();
        peer.pushes(Nid.parse("10.0.0.5@tcp"));
        assertThat(net.takeLog()).isEmpty();
        assertThat(old.dropCount()).isEqualTo(1);
    }

    @Test
    void aLostPushFailsTheDiscovery() {
        peer.says(FULL, 1, P0);
        net.lose(MessageType.PUT);
        CompletionStage<PeerInfo> found = a.discover(P0, false);
        net.settle();
        net.pass(151);
        assertThat(net.awaitError(found).errno()).isEqualTo(Errno.ETIMEDOUT);
        net.lose(packet -> false);
        net.await(a.discover(P0, false));
        assertThat(peerOf(P0).state()).isEqualTo(273);
    }

    @Test
    @Requirement({"dyn-055", "rsl-028", "mrx-016"})
    void aPeerThatIsNotThereFailsAllThatWait() {
        Recorder from = new Recorder();
        Nid nowhere = Nid.parse("10.0.0.77@tcp");
        for (int i = 0; i < 3; i++) {
            Md md = a.bind(MdConfig.of(Arena.ofAuto().allocate(8)).withHandler(from));
            a.put(md, true, Nid.ANY, ProcessId.of(nowhere), 33, 7, 0, 0);
        }
        CompletionStage<PeerInfo> found = a.discover(nowhere, false);
        assertThat(net.awaitError(found).errno()).isEqualTo(Errno.EHOSTUNREACH);
        assertThat(from.lines()).containsExactly("SEND EHOSTUNREACH", "SEND EHOSTUNREACH", "SEND EHOSTUNREACH");
        assertThat(peerOf(nowhere).state()).isEqualTo(8224);
    }

    @Test
    void aForcedDiscoveryWhileOneIsUnderWayStillPushes() {
        peer.says(FULL, 1, P0);
        net.await(a.discover(P0, false));
        net.hold(header -> header.type() == MessageType.GET);
        CompletionStage<PeerInfo> first = a.discover(P0, false);
        net.settle();
        CompletionStage<PeerInfo> second = a.discover(P0, true);
        net.takeLog();
        net.releaseAll();
        net.await(first);
        net.await(second);
        assertThat(net.takeTypes()).contains(MessageType.PUT);
    }

    @Test
    void theWildcardIsNoNode() {
        TwoNodes.expect(Errno.EINVAL, () -> a.discover(Nid.ANY, false));
        assertThat(a.peers()).isEmpty();
    }

    @Test
    void discoveringLoopbackFindsOurselves() {
        PeerInfo self = net.await(a.discover(Nid.LOOPBACK, false));
        assertThat(self.primaryNid()).isEqualTo(A);
        assertThat(a.ping(Nid.LOOPBACK, Nid.ANY, Duration.ofSeconds(1)))
                .isCompletedWithValueMatching(reply -> reply.nids().equals(List.of(A)));
    }
}
