package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.ScriptedPeer;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;

/** Addresses that are given to another machine (spec 11 §7.1). */
class IdentityTest {
    private static final Nid A = Nid.parse("10.0.0.1@tcp");
    private static final Nid P0 = Nid.parse("10.0.0.9@tcp");
    private static final Nid P1 = Nid.parse("10.0.1.9@tcp");
    private static final Nid Q0 = Nid.parse("10.0.0.8@tcp");
    private static final int FULL = PingInfo.MULTI_RAIL | PingInfo.DISCOVERY | PingInfo.RTE_DISABLED;

    private final TestNetwork net = new TestNetwork();
    private LNet a;
    private ScriptedPeer peer;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    IdentityTest() {}

    @BeforeEach
    void start() {
        a = net.node(A.toString());
        peer = new ScriptedPeer(net, P0, P1).says(FULL, 1, P0, P1);
        net.await(a.discover(P0, false));
    }

    @AfterEach
    void close() {
        net.close();
        assertThat(a.messagesInUse()).isZero();
    }

    private List<Nid> nidsOf(Nid nid) {
        return a.peers().stream()
                .map(peer -> peer.nis().stream().map(PeerInfo.PeerNiInfo::nid).toList())
                .filter(nids -> nids.contains(nid))
                .findFirst()
                .orElse(List.of());
    }

    /** Another machine gets the second address of the peer. */
    private void reuseSecondAddress() {
        new ScriptedPeer(net, Q0, P1).says(FULL, 1, Q0, P1);
    }

    /** Discovers the peer until the answer has come over each of its NIDs. */
    private void askOverAllNids() {
        for (int i = 0; i < 4; i++) {
            net.await(a.discover(P0, false));
        }
    }

    @Test
    @Requirement("dyn-065")
    void anAddressThatIsUsedAgainMovesToItsNewOwnerAndTheOldOneStays() {
        reuseSecondAddress();
        new ScriptedPeer(net, P0).says(FULL, 2, P0);
        askOverAllNids();
        assertThat(nidsOf(P0)).containsExactly(P0);
        net.await(a.discover(P1, false));
        assertThat(nidsOf(P1)).containsExactly(Q0, P1);
        assertThat(a.knownPrimaryNid(P0)).isEqualTo(P0);
    }

    @Test
    @Requirement("dyn-065")
    void theFirstAddressMayMoveAsWell() {
        new ScriptedPeer(net, Q0, P0).says(FULL, 1, Q0, P0);
        new ScriptedPeer(net, P1).says(FULL, 2, P1);
        askOverAllNids();
        assertThat(a.knownPrimaryNid(P0)).isEqualTo(Q0);
        net.await(a.discover(P1, false));
        assertThat(nidsOf(P1)).containsExactly(P1);
        assertThat(nidsOf(P0)).containsExactlyInAnyOrder(Q0, P0);
    }

    @Test
    void whoIsAskedForTheFirstTimeMaySayOtherNids() {
        Nid mapped = Nid.parse("10.0.0.7@tcp");
        new ScriptedPeer(net, mapped).says(FULL, 1, Q0);
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            a.discover(mapped, false);
            net.settle();
            assertThat(nidsOf(Q0)).containsExactly(Q0);
            assertThat(log.lines()).noneMatch(line -> line.contains("another one"));
        }
    }

    @Test
    void thePeerOfOneNidIsTheNewNode() {
        new ScriptedPeer(net, P0, P1).says(FULL, 2, P0);
        net.await(a.discover(P0, true));
        assertThat(nidsOf(P0)).containsExactly(P0);
        new ScriptedPeer(net, Q0, P0).says(FULL, 1, Q0, P0);
        net.await(a.discover(P0, false));
        assertThat(nidsOf(P0)).containsExactly(Q0, P0);
        assertThat(a.peers()).hasSize(1);
    }

    @Test
    void configurationKeepsAnAddressWhoeverAnswers() {
        a.peerConfiguration().delete(P0, false);
        a.peerConfiguration().add(P0, List.of(P1), true, false);
        reuseSecondAddress();
        for (int i = 0; i < 4; i++) {
            a.discover(P0, false);
            net.settle();
        }
        assertThat(nidsOf(P1)).containsExactly(P0, P1);
        assertThat(a.knownPrimaryNid(Q0)).isEqualTo(Q0);
    }

    @Test
    void aNodeWithAnotherPrimaryNidThatStillNamesTheOldOneIsTheSame() {
        new ScriptedPeer(net, P0, P1).says(FULL, 2, P1, P0);
        askOverAllNids();
        assertThat(nidsOf(P0)).containsExactly(P1, P0);
        assertThat(a.peers()).hasSize(1);
    }

    @Test
    @Requirement("dyn-065")
    void aRecoveryPingThatIsAnsweredByAnotherMachineIsNoRecovery() {
        net.await(a.ping(P1, Nid.ANY, Duration.ofSeconds(1)));
        net.await(a.ping(P1, Nid.ANY, Duration.ofSeconds(1)));
        peer.says(FULL, 1, P0, P1).down(P1);
        peer.pushes(A);
        reuseSecondAddress();
        new ScriptedPeer(net, P0).says(FULL, 2, P0);
        net.pass(3);
        assertThat(nidsOf(P1)).as("who answers for it").containsExactly(Q0, P1);
        assertThat(nidsOf(P0)).containsExactly(P0);
    }

    @Test
    void whatAnotherMachineAnswersSaysNothingOfThePeer() {
        reuseSecondAddress();
        new ScriptedPeer(net, P0).says(FULL, 2, P0);
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            for (int i = 0; i < 4; i++) {
                net.await(a.discover(P0, false));
                assertThat(a.knownPrimaryNid(P0)).isEqualTo(P0);
                assertThat(nidsOf(P0)).contains(P0).doesNotContain(Q0);
            }
            assertThat(log.lines())
                    .anyMatch(line -> line.contains("NID " + P1 + " of peer " + P0 + " is answered by the node " + Q0
                            + ", which is another one"));
        }
    }

    @Test
    void aNodeThatGotANewPrimaryNidIsTheSame() {
        Nid fresh = Nid.parse("10.0.2.9@tcp");
        new ScriptedPeer(net, fresh, P0, P1).says(FULL, 2, fresh, P0, P1);
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            net.await(a.discover(P0, false));
            assertThat(log.lines()).noneMatch(line -> line.contains("which is another one"));
        }
        assertThat(nidsOf(P1)).containsExactlyInAnyOrder(fresh, P0, P1);
        assertThat(a.peers()).hasSize(1);
    }

    @Test
    void aConfiguredNidThatAnotherMachineAnswersForCountsAsDown() {
        a.peerConfiguration().delete(P0, false);
        a.peerConfiguration().add(P0, List.of(P1), true, false);
        reuseSecondAddress();
        peer.goesAway(P0);
        net.awaitError(a.discover(P0, false));
        assertThat(a.inventory().peer(P0).orElseThrow().nis())
                .filteredOn(ni -> !ni.up())
                .extracting(PeerInfo.PeerNiInfo::nid)
                .containsExactly(P1);
    }

    @Test
    void aPeerOfOneNidWhoseRecoveryIsAnsweredByAnotherMachineIsAskedAgain() {
        new ScriptedPeer(net, P0, P1).says(FULL, 2, P0);
        net.await(a.discover(P0, true));
        a.setPeerHealth(P0, 500);
        new ScriptedPeer(net, Q0, P0).says(FULL, 1, Q0);
        net.pass(5);
        assertThat(a.peers()).singleElement().satisfies(known -> {
            assertThat(known.primaryNid()).isEqualTo(Q0);
            assertThat(known.nis()).extracting(PeerInfo.PeerNiInfo::nid).containsExactly(Q0);
        });
    }

    @Test
    void nobodyLooksIfNobodyWantsIt() {
        a.set(Tunable.VERIFY_PEER_IDENTITY, 0);
        reuseSecondAddress();
        net.takeLog();
        askOverAllNids();
        assertThat(net.takeTypes().stream().filter(type -> type == MessageType.GET))
                .as("no answer is thrown away")
                .hasSize(4);
    }
}
