package org.railyard.lnet.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.lnet.LNet;
import org.railyard.lnet.TwoNodes;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidList;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.sim.ScriptedPeer;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.testkit.Requirement;

/** Spec 11 §4.3, code by code, and what configuration means to discovery. */
class PeerConfigurationTest {
    private static final Nid A = Nid.parse("10.0.0.1@tcp");
    private static final Nid P0 = Nid.parse("10.0.0.9@tcp");
    private static final Nid P1 = Nid.parse("10.0.1.9@tcp");
    private static final Nid P2 = Nid.parse("10.0.2.9@tcp1");
    private static final Nid Q0 = Nid.parse("10.0.0.8@tcp");
    private static final Nid Q1 = Nid.parse("10.0.1.8@tcp");
    private static final int FULL = PingInfo.MULTI_RAIL | PingInfo.DISCOVERY | PingInfo.RTE_DISABLED;

    private final TestNetwork net = new TestNetwork();
    private LNet a;
    private PeerConfiguration peers;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    PeerConfigurationTest() {}

    @BeforeEach
    void start() {
        a = net.node(A.toString());
        peers = a.peerConfiguration();
    }

    @AfterEach
    void close() {
        net.close();
        assertThat(a.messagesInUse()).isZero();
    }

    private List<Nid> nidsOf(Nid nid) {
        return a.peers().stream()
                .map(PeerInfo::nis)
                .map(nis -> nis.stream().map(PeerInfo.PeerNiInfo::nid).toList())
                .filter(nids -> nids.contains(nid))
                .findFirst()
                .orElse(List.of());
    }

    private PeerInfo peerOf(Nid nid) {
        return a.peers().stream()
                .filter(peer -> peer.nis().stream().anyMatch(ni -> ni.nid().equals(nid)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Requirement({"cfg-070", "cfg-075", "mrx-007"})
    void aPeerOfSeveralNidsOnSeveralNetsComesAndGoes() {
        peers.add(P0, List.of(P1, P2), true, false);
        assertThat(nidsOf(P2)).containsExactly(P0, P1, P2);
        assertThat(peerOf(P0).multiRail()).isTrue();
        assertThat(peerOf(P0).state()).isEqualTo(PeerState.CONFIGURED | PeerState.MULTI_RAIL);
        peers.delete(P0, List.of(P1), false);
        assertThat(nidsOf(P0)).containsExactly(P0, P2);
        peers.delete(P0, false);
        assertThat(a.peers()).isEmpty();
    }

    @Test
    void theSameOnceMoreChangesNothing() {
        peers.add(P0, List.of(P1), true, false);
        List<PeerInfo> before = a.peers();
        peers.add(P0, List.of(P1), true, false);
        peers.add(P0, List.of(P0, P1), true, false);
        peers.create(P0, true, false);
        peers.addNid(P0, P1, true);
        assertThat(a.peers()).isEqualTo(before);
    }

    @Test
    void theLastNidOfARangeMayBeThePrimary() {
        peers.add(P0, NidList.parse("10.0.0.[8-9]@tcp").nids(), true, false);
        assertThat(nidsOf(P0)).containsExactly(P0, Q0);
    }

    @Test
    @Requirement({"cfg-080", "snd-065"})
    void aNidOfAConfiguredPeerIsRefusedAndNoPeerIsMade() {
        peers.add(P0, List.of(P1), true, false);
        TwoNodes.expect(Errno.EEXIST, () -> peers.add(Q0, List.of(Q1, P1), true, false));
        assertThat(nidsOf(P1)).containsExactly(P0, P1);
        assertThat(a.peers()).hasSize(1);
        TwoNodes.expect(Errno.EEXIST, () -> peers.create(P1, true, false));
        assertThat(a.peers()).hasSize(1);
        peers.add(Q0, List.of(), true, false);
        TwoNodes.expect(Errno.EEXIST, () -> peers.add(Q0, List.of(Q1, P1), true, false));
        assertThat(nidsOf(Q0)).as("the peer that was to get it stays as it was").containsExactly(Q0);
        assertThat(nidsOf(P1)).containsExactly(P0, P1);
    }

    @Test
    void aListThatIsRefusedLeavesThePeerThatItWasToExtend() {
        peers.add(P0, List.of(), true, false);
        peers.add(Q0, List.of(P2), true, true);
        List<PeerInfo> before = a.peers();
        TwoNodes.expect(Errno.EEXIST, () -> peers.add(Q0, List.of(Q1, P0), true, false));
        assertThat(a.peers()).isEqualTo(before);
        a.set(Tunable.MAX_INTERFACES, 16);
        List<Nid> many = NidList.parse("10.7.0.[1-15]@tcp").nids();
        TwoNodes.expect(Errno.ENOSPC, () -> peers.add(Q0, many, true, false));
        assertThat(a.peers()).isEqualTo(before);
    }

    @Test
    void aListThatIsRefusedLeavesWhatIsKnownFromTraffic() {
        ScriptedPeer peer = new ScriptedPeer(net, Q0, Q1).says(FULL, 1, Q0, Q1);
        peer.answersPuts();
        net.await(a.discover(Q0, false));
        peers.add(P0, List.of(P1), true, false);
        List<PeerInfo> before = a.peers();
        TwoNodes.expect(Errno.EEXIST, () -> peers.add(Q1, List.of(Q0, P1), true, false));
        assertThat(a.peers()).isEqualTo(before);
        peers.add(Q1, List.of(Q0), true, false);
        assertThat(nidsOf(Q0))
                .as("the NIDs of the peer that it replaces are free")
                .containsExactly(Q1, Q0);
    }

    @Test
    void creatingNeedsANidAndTheSameMultiRailFlag() {
        TwoNodes.expect(Errno.EINVAL, () -> peers.create(Nid.ANY, true, false));
        TwoNodes.expect(Errno.EINVAL, () -> peers.add(P0, List.of(Nid.ANY), true, false));
        assertThat(a.peers()).isEmpty();
        peers.create(P0, true, false);
        TwoNodes.expect(Errno.EPERM, () -> peers.create(P0, false, false));
        TwoNodes.expect(Errno.EPERM, () -> peers.addNid(P0, P1, false));
        assertThat(peerOf(P0).multiRail()).isTrue();
    }

    @Test
    void aNidThatNobodyCanHaveMakesNoPeer() {
        for (String text :
                List.of("224.0.0.7@tcp", "ff02::7@tcp", "255.255.255.255@tcp", "0.0.0.0@tcp", "fe80::7@tcp")) {
            Nid nobodys = Nid.parse(text);
            TwoNodes.expect(Errno.EINVAL, () -> peers.create(nobodys, true, false));
            TwoNodes.expect(Errno.EINVAL, () -> peers.add(P0, List.of(P1, nobodys), true, false));
            TwoNodes.expect(Errno.EINVAL, () -> a.ping(nobodys, Nid.ANY, Duration.ofSeconds(1)));
            TwoNodes.expect(Errno.EINVAL, () -> a.discover(nobodys, false));
            TwoNodes.expect(Errno.EINVAL, () -> a.routes().add(Net.parse("tcp9"), nobodys, 1, 0));
            assertThat(a.peers()).isEmpty();
        }
        peers.create(P0, true, false);
        TwoNodes.expect(Errno.EINVAL, () -> peers.addNid(P0, Nid.parse("224.0.0.7@tcp"), true));
        assertThat(nidsOf(P0)).containsExactly(P0);
    }

    @Test
    void aPeerThatAnUpperLayerLockedIsNotCreated() {
        new ScriptedPeer(net, P0, P1).says(FULL, 1, P0, P1);
        a.addPeer(List.of(P0));
        net.settle();
        TwoNodes.expect(Errno.EEXIST, () -> peers.create(P0, true, false));
        TwoNodes.expect(Errno.EALREADY, () -> peers.create(P1, true, false));
        TwoNodes.expect(Errno.ENOENT, () -> peers.addNid(P0, Q1, true));
        assertThat(nidsOf(P0)).containsExactly(P0, P1);
    }

    @Test
    void addingNeedsAConfiguredPeerByItsPrimaryNid() {
        TwoNodes.expect(Errno.ENOENT, () -> peers.addNid(P0, P1, true));
        new ScriptedPeer(net, Q0, Q1).says(FULL, 1, Q0, Q1);
        net.await(a.discover(Q0, false));
        TwoNodes.expect(Errno.ENOENT, () -> peers.addNid(Q0, P1, true));
        peers.add(P0, List.of(P1), true, false);
        TwoNodes.expect(Errno.ENODEV, () -> peers.addNid(P1, P2, true));
        TwoNodes.expect(Errno.EINVAL, () -> peers.addNid(P0, Nid.ANY, true));
    }

    @Test
    @Requirement("mrx-020")
    void aPeerWithoutMultiRailHasOneNidOnEachNet() {
        a.addNi(net.request("10.0.2.1@tcp1"));
        ScriptedPeer old = new ScriptedPeer(net, P0, P1, P2);
        old.says(PingInfo.RTE_DISABLED, 1, P0, P1, P2);
        old.answersPuts();
        peers.add(P0, List.of(P2), false, false);
        TwoNodes.expect(Errno.ENOTUNIQ, () -> peers.addNid(P0, P1, false));
        for (Nid to : List.of(P0, P2, P0, P2)) {
            net.await(a.put(ProcessId.of(to), 33, 7, Arena.ofAuto().allocate(8)));
        }
        assertThat(nidsOf(P0)).as("what is announced is not added").containsExactly(P0, P2);
        assertThat(peerOf(P0).multiRail()).isFalse();
        assertThat(net.takeLines().stream().filter(line -> line.startsWith("PUT")))
                .containsExactly(
                        "PUT 10.0.0.1@tcp > 10.0.0.9@tcp 8",
                        "PUT 10.0.2.1@tcp1 > 10.0.2.9@tcp1 8",
                        "PUT 10.0.0.1@tcp > 10.0.0.9@tcp 8",
                        "PUT 10.0.2.1@tcp1 > 10.0.2.9@tcp1 8");
        TwoNodes.expect(Errno.ENOTUNIQ, () -> peers.add(Q0, List.of(Q1), false, false));
        assertThat(nidsOf(Q0)).isEmpty();
    }

    @Test
    void aPeerHasNoMoreNidsThanANodeMayHave() {
        a.set(Tunable.MAX_INTERFACES, 16);
        List<Nid> many = new ArrayList<>();
        for (int i = 0; i < 17; i++) {
            many.add(Nid.parse("10.7.0." + i + "@tcp"));
        }
        TwoNodes.expect(Errno.EINVAL, () -> peers.add(P0, many, true, false));
        TwoNodes.expect(Errno.ENOSPC, () -> peers.add(P0, many.subList(0, 16), true, false));
        assertThat(a.peers()).isEmpty();
        peers.add(P0, many.subList(0, 15), true, false);
        assertThat(nidsOf(P0)).hasSize(16);
    }

    @Test
    void whatIsKnownFromTrafficGivesWayToConfiguration() {
        ScriptedPeer peer = new ScriptedPeer(net, P0, P1).says(FULL, 1, P0, P1);
        peer.answersPuts();
        net.await(a.discover(P0, false));
        peers.create(P1, true, false);
        assertThat(nidsOf(P1)).containsExactly(P1);
        assertThat(nidsOf(P0)).isEmpty();
        peers.addNid(P1, P0, true);
        net.await(a.put(ProcessId.of(P0), 33, 7, Arena.ofAuto().allocate(8)));
        assertThat(nidsOf(P0)).containsExactly(P1, P0);
        assertThat(peerOf(P0).primaryNid()).isEqualTo(P1);
    }

    @Test
    void whatWaitsForAPeerThatIsConfiguredAnewGoesOn() {
        ScriptedPeer peer = new ScriptedPeer(net, P0, P1).says(FULL, 1, P0, P1);
        peer.answersPuts();
        net.hold(header -> header.type() == MessageType.GET);
        CompletionStage<PutResult> put =
                a.put(ProcessId.of(P1), 33, 7, Arena.ofAuto().allocate(8));
        CompletionStage<PutResult> other =
                a.put(ProcessId.of(P0), 33, 7, Arena.ofAuto().allocate(8));
        CompletionStage<PeerInfo> found = a.discover(P1, false);
        net.settle();
        peers.add(P0, List.of(P1), true, false);
        net.settle();
        net.releaseAll();
        net.await(put);
        net.await(other);
        assertThat(net.await(found).primaryNid()).isEqualTo(P0);
    }

    @Test
    void deletingNamesWhatIsWrong() {
        peers.add(P0, List.of(P1), true, false);
        peers.create(Q0, true, false);
        TwoNodes.expect(Errno.EINVAL, () -> peers.delete(Nid.ANY, false));
        TwoNodes.expect(Errno.ENOENT, () -> peers.delete(Q1, false));
        TwoNodes.expect(Errno.ENODEV, () -> peers.delete(P1, false));
        TwoNodes.expect(Errno.ENOENT, () -> peers.deleteNid(P0, P2, false));
        TwoNodes.expect(Errno.ECHILD, () -> peers.deleteNid(P0, Q0, false));
        TwoNodes.expect(Errno.EBUSY, () -> peers.deleteNid(P0, P0, false));
        TwoNodes.expect(Errno.EINVAL, () -> peers.deleteNid(P0, Nid.ANY, false));
        TwoNodes.expect(Errno.ECHILD, () -> peers.delete(P0, List.of(P1, Q0), false));
        assertThat(nidsOf(P0)).as("all or nothing").containsExactly(P0, P1);
        peers.deleteNid(P0, P1, false);
        peers.deleteNid(P0, P0, false);
        assertThat(nidsOf(P0)).isEmpty();
    }

    @Test
    void deletingThePrimaryInAListDeletesThePeer() {
        peers.add(P0, List.of(P1, P2), true, false);
        peers.delete(P0, List.of(P1, P0), false);
        assertThat(a.peers()).isEmpty();
    }

    @Test
    void aLockedPeerLosesItsOtherNidsAndGoesOnlyByForce() {
        ScriptedPeer peer = new ScriptedPeer(net, P0, P1).says(FULL, 1, P0, P1);
        peer.answersPuts();
        peers.add(P0, List.of(P1), true, true);
        peers.add(P0, List.of(P1), true, true);
        peers.delete(P0, false);
        assertThat(nidsOf(P0)).containsExactly(P0);
        TwoNodes.expect(Errno.EPERM, () -> peers.deleteNid(P0, P0, false));
        net.await(a.put(ProcessId.of(P0), 33, 7, Arena.ofAuto().allocate(8)));
        assertThat(nidsOf(P0)).as("it was discovered again").containsExactly(P0, P1);
        peers.delete(P0, List.of(P0), false);
        assertThat(nidsOf(P0)).containsExactly(P0);
        peers.delete(P0, true);
        assertThat(a.peers()).isEmpty();
    }

    private boolean is(Nid nid, int state) {
        return (peerOf(nid).state() & state) != 0;
    }

    @Test
    void aPeerIsLockedWhenItIsMadeOrLater() {
        peers.create(P0, true, true);
        peers.create(Q0, true, false);
        assertThat(is(P0, PeerState.LOCK_PRIMARY)).isTrue();
        assertThat(is(Q0, PeerState.LOCK_PRIMARY)).isFalse();
        peers.create(Q0, true, true);
        assertThat(is(Q0, PeerState.LOCK_PRIMARY)).isTrue();
    }

    @Test
    void theLockedPrimaryNidOfAPeerThatHasOthersStaysThere() {
        new ScriptedPeer(net, Q0, Q1).says(FULL, 1, Q0, Q1);
        a.addPeer(List.of(Q0));
        net.settle();
        TwoNodes.expect(Errno.EEXIST, () -> peers.add(P0, List.of(P1, Q0), true, false));
        assertThat(nidsOf(P0)).as("nothing was made").isEmpty();
        peers.create(P0, true, false);
        TwoNodes.expect(Errno.EEXIST, () -> peers.add(P0, List.of(P1, Q0), true, false));
        assertThat(nidsOf(P0)).containsExactly(P0);
        assertThat(nidsOf(Q0)).containsExactly(Q0, Q1);
        assertThat(is(P0, PeerState.BAD_CONFIG)).isTrue();
        assertThat(is(Q0, PeerState.BAD_CONFIG)).isTrue();
        peers.add(P0, List.of(Q1, Q0), true, false);
        assertThat(nidsOf(P0))
                .as("with the others it goes, and its lock with it")
                .containsExactly(Q0, P0, Q1);
    }

    @Test
    void aPeerThatWasFoundIsAskedAgainWhenItLosesANid() {
        ScriptedPeer peer = new ScriptedPeer(net, P0, P1).says(FULL, 1, P0, P1);
        peer.answersPuts();
        net.await(a.discover(P0, false));
        peers.deleteNid(P0, P1, false);
        assertThat(nidsOf(P0)).containsExactly(P0);
        net.await(a.put(ProcessId.of(P0), 33, 7, Arena.ofAuto().allocate(8)));
        assertThat(nidsOf(P0)).containsExactly(P0, P1);
    }

    @Test
    void deletingAPeerWakesWhoWaitsAndSendsWhatWaits() {
        ScriptedPeer peer = new ScriptedPeer(net, P0, P1).says(FULL, 1, P0, P1);
        peer.answersPuts();
        net.hold(header -> header.type() == MessageType.GET);
        Recorder from = new Recorder();
        Md md = a.bind(MdConfig.of(Arena.ofAuto().allocate(8)).withHandler(from));
        a.put(md, true, Nid.ANY, ProcessId.of(P0), 33, 7, 0, 0);
        CompletionStage<PeerInfo> found = a.discover(P0, false);
        net.settle();
        peers.delete(P0, false);
        assertThat(net.awaitError(found).errno()).isEqualTo(Errno.ECANCELED);
        assertThat(from.lines()).as("the message waits for a new peer").isEmpty();
        net.releaseAll();
        assertThat(from.lines()).containsExactly("SEND", "ACK");
        assertThat(nidsOf(P0)).containsExactly(P0, P1);
    }

    @Test
    void messagesInFlightEndOnThePeerNisThatAreGone() {
        ScriptedPeer peer = new ScriptedPeer(net, P0).says(FULL, 1, P0);
        peer.answersPuts();
        net.await(a.discover(P0, false));
        net.hold(header -> header.type() == MessageType.PUT);
        List<CompletionStage<PutResult>> puts = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            puts.add(a.put(ProcessId.of(P0), 33, 7, Arena.ofAuto().allocate(8)));
        }
        net.settle();
        peers.delete(P0, false);
        assertThat(a.peers()).isEmpty();
        net.releaseAll();
        puts.forEach(net::await);
        assertThat(a.nis().getFirst().credits()).isEqualTo(a.nis().getFirst().maxCredits());
    }

    @Test
    @Requirement("dyn-060")
    void configurationStaysWhateverIsAnnounced() {
        ScriptedPeer peer = new ScriptedPeer(net, P0, P1, P2).says(FULL, 1, P1, P0, P2);
        peer.answersPuts();
        peers.add(P0, List.of(P1, Q1), true, false);
        net.await(a.discover(P0, false));
        assertThat(nidsOf(P0)).as("nothing is added, nothing is removed").containsExactly(P0, P1, Q1);
        assertThat(peerOf(P0).primaryNid()).isEqualTo(P0);
        assertThat(peerOf(P0).nis()).extracting(PeerInfo.PeerNiInfo::up).containsExactly(true, true, false);
        net.takeLog();
        net.await(a.put(ProcessId.of(P0), 33, 7, Arena.ofAuto().allocate(8)));
        assertThat(net.takeTypes()).as("it is not asked again").containsExactly(MessageType.PUT, MessageType.ACK);
    }

    @Test
    @Requirement("dyn-060")
    void theConfiguredMultiRailFlagStays() {
        new ScriptedPeer(net, P0, P1).says(FULL, 1, P0, P1);
        new ScriptedPeer(net, Q0, Q1).says(PingInfo.RTE_DISABLED, 1, Q0);
        peers.create(P0, false, false);
        peers.add(Q0, List.of(Q1), true, false);
        assertThat(net.await(a.discover(P0, false)).multiRail()).isFalse();
        assertThat(nidsOf(P0)).containsExactly(P0);
        assertThat(net.await(a.discover(Q0, false)).multiRail()).isTrue();
        assertThat(nidsOf(Q0)).containsExactly(Q0, Q1);
    }

    @Test
    void twoConfiguredPeersThatAreOneNodeStayTwo() {
        ScriptedPeer peer = new ScriptedPeer(net, P0, P1).says(FULL, 1, P0, P1);
        peer.answersPuts();
        peers.create(P0, true, false);
        peers.create(P1, true, false);
        for (Nid to : List.of(P0, P1)) {
            net.await(a.put(ProcessId.of(to), 33, 7, Arena.ofAuto().allocate(8)));
        }
        assertThat(a.peers()).hasSize(2);
        net.takeLog();
        for (Nid to : List.of(P0, P1)) {
            net.await(a.put(ProcessId.of(to), 33, 7, Arena.ofAuto().allocate(8)));
        }
        assertThat(net.takeTypes()).as("they are not asked for ever").doesNotContain(MessageType.GET);
    }

    @Test
    void theStateBitsCanBeSet() {
        ScriptedPeer peer = new ScriptedPeer(net, P0).says(FULL, 1, P0);
        peer.answersPuts();
        net.await(a.discover(P0, false));
        int known = peerOf(P0).state();
        peers.setState(P0, known | PeerState.FORCE_PING | PeerState.LOCK_PRIMARY);
        assertThat(peerOf(P0).state()).isEqualTo(known | PeerState.FORCE_PING | PeerState.LOCK_PRIMARY);
        net.takeLog();
        net.await(a.put(ProcessId.of(P0), 33, 7, Arena.ofAuto().allocate(8)));
        assertThat(net.takeTypes()).startsWith(MessageType.GET, MessageType.REPLY);
        TwoNodes.expect(Errno.ENOENT, () -> peers.setState(P1, 0));
        TwoNodes.expect(Errno.EINVAL, () -> peers.setState(P0, PeerState.DISCOVERING));
        peers.setState(P0, 0);
        assertThat(peerOf(P0).state()).isZero();
    }

    @Test
    void aClosedNodeHasNoPeersToConfigure() {
        a.close();
        TwoNodes.expect(Errno.ESHUTDOWN, () -> peers.create(P0, true, false));
    }
}
