package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.DiscoveryProgress;
import org.railyard.lnet.api.NidUpdate;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.ScriptedPeer;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.testkit.Requirement;

/**
 * What upper layers ask about peers and tell of them: AddPeer, PrimaryNID, PeerDiscovered, RegisterNIDUpdates (spec 10
 * §4.2, 11 §2, §4.2).
 */
class UpperLayerTest {
    private static final Nid A = Nid.parse("10.0.0.1@tcp");
    private static final Nid P0 = Nid.parse("10.0.0.9@tcp");
    private static final Nid P1 = Nid.parse("10.0.1.9@tcp");
    private static final Nid P2 = Nid.parse("10.0.2.9@tcp");
    private static final Nid Q0 = Nid.parse("10.0.0.8@tcp");
    private static final Nid REMOTE = Nid.parse("10.0.0.9@tcp7");
    private static final int FULL = PingInfo.MULTI_RAIL | PingInfo.DISCOVERY | PingInfo.RTE_DISABLED;

    private final TestNetwork net = new TestNetwork();
    private LNet a;
    private ScriptedPeer peer;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    UpperLayerTest() {}

    @BeforeEach
    void start() {
        a = net.node(A.toString());
        peer = new ScriptedPeer(net, P0, P1, P2).says(FULL, 1, P0, P1, P2);
        peer.answersPuts();
    }

    @AfterEach
    void close() {
        net.close();
        assertThat(a.messagesInUse()).isZero();
    }

    private static List<Nid> nids(PeerInfo peer) {
        return peer.nis().stream().map(PeerInfo.PeerNiInfo::nid).toList();
    }

    private PeerInfo onlyPeer() {
        assertThat(a.peers()).hasSize(1);
        return a.peers().getFirst();
    }

    private static boolean isLocked(PeerInfo peer) {
        return (peer.state() & PeerState.LOCK_PRIMARY) != 0;
    }

    @Test
    void theFirstNidOfAPeerThatIsAddedStaysItsPrimary() {
        assertThat(a.addPeer(List.of(P1, P2))).isEqualTo(P1);
        net.settle();
        PeerInfo found = onlyPeer();
        assertThat(found.primaryNid()).as("although it announces " + P0).isEqualTo(P1);
        assertThat(nids(found)).containsExactlyInAnyOrder(P1, P0, P2);
        assertThat(isLocked(found)).isTrue();
        assertThat(a.primaryNid(P0)).isCompletedWithValue(P1);
        assertThat(a.addPeer(List.of(P0))).as("the lock that is there").isEqualTo(P1);
    }

    @Test
    void aLockedPrimaryThatIsNotAnnouncedStays() {
        peer.says(FULL, 1, P1, P2);
        a.addPeer(List.of(P0));
        net.settle();
        PeerInfo found = onlyPeer();
        assertThat(found.primaryNid()).isEqualTo(P0);
        assertThat(nids(found)).containsExactly(P0, P1, P2);
        assertThat(found.nis().getFirst().health()).isLessThan(1000);
    }

    @Test
    void aNidOnALocalNetIsPreferredAsPrimary() {
        assertThat(a.addPeer(List.of(Nid.LOOPBACK, REMOTE, P0))).isEqualTo(P0);
        net.settle();
        assertThat(a.addPeer(List.of(REMOTE))).isEqualTo(REMOTE);
    }

    @Test
    void provisionalPeersAreMergedIntoTheOneThatIsAdded() {
        net.await(a.discover(P0, false));
        a.addPeer(List.of(P1, P0));
        net.settle();
        assertThat(onlyPeer().primaryNid()).isEqualTo(P1);
        assertThat(isLocked(onlyPeer())).isTrue();
    }

    @Test
    void whicheverOfItsNidsAnswersFirst() {
        for (Nid last : List.of(P0, P1, P2)) {
            try (TestNetwork other = new TestNetwork()) {
                LNet node = other.node(A.toString());
                new ScriptedPeer(other, P0, P1, P2).says(FULL, 1, P2, P1, P0);
                other.hold(header -> header.destNid().equals(last) && header.type() == MessageType.GET);
                node.addPeer(List.of(P0, P1, P2));
                other.settle();
                other.releaseAll();
                assertThat(node.peers()).hasSize(1);
                assertThat(node.peers().getFirst().primaryNid()).isEqualTo(P0);
                assertThat(nids(node.peers().getFirst())).containsExactlyInAnyOrder(P0, P1, P2);
            }
        }
    }

    @Test
    void configuredAndLockedPeersAreLeftAlone() {
        a.peerConfiguration().create(P1, true, false);
        assertThat(a.addPeer(List.of(Q0))).isEqualTo(Q0);
        assertThat(a.addPeer(List.of(P0, P1, Q0))).isEqualTo(P0);
        net.settle();
        assertThat(a.peers()).extracting(PeerInfo::primaryNid).containsExactlyInAnyOrder(P1, Q0, P0);
        assertThat(a.addPeer(List.of(P1))).isEqualTo(P1);
        assertThat(a.peers().stream().filter(UpperLayerTest::isLocked)).hasSize(2);
    }

    @Test
    void theEarliestLockWins() {
        a.addPeer(List.of(P1));
        a.addPeer(List.of(P0));
        net.settle();
        assertThat(onlyPeer().primaryNid()).isEqualTo(P1);
        assertThat(isLocked(onlyPeer())).isTrue();
        assertThat(onlyPeer().state() & PeerState.BAD_CONFIG).isZero();
    }

    @Test
    @Requirement({"snd-065", "dyn-060"})
    void twoLockedPeersOfSeveralNidsThatTurnOutToBeOneAreFlagged() {
        Nid second = Nid.parse("10.0.1.8@tcp");
        ScriptedPeer other = new ScriptedPeer(net, Q0, second).says(FULL, 1, Q0, second);
        a.addPeer(List.of(P0));
        a.addPeer(List.of(Q0));
        net.settle();
        assertThat(a.peers()).hasSize(2);
        other.says(FULL, 2, Q0, second, P0, P1);
        net.await(a.discover(Q0, false));
        assertThat(a.peers())
                .allMatch(p -> (p.state() & PeerState.BAD_CONFIG) != 0)
                .hasSize(2);
        assertThat(nids(a.peers().get(0)))
                .as("nothing moved but what was free to")
                .containsExactly(P0, P2);
        assertThat(nids(a.peers().get(1))).contains(P1).doesNotContain(P0);
    }

    @Test
    void withoutTheLockTheAnnouncementCounts() {
        LNet free = net.node(Settings.of(CompatProfile.DOCUMENTS).with(Tunable.LOCK_PRIM_NID, false), "10.0.0.5@tcp");
        free.addPeer(List.of(P1, P2));
        net.settle();
        assertThat(free.peers()).hasSize(1);
        assertThat(free.peers().getFirst().primaryNid()).isEqualTo(P0);
        assertThat(isLocked(free.peers().getFirst())).isFalse();
    }

    @Test
    @Requirement("mrx-002")
    void withDiscoveryOffEachNidOnALocalNetIsAPeerOfItsOwn() {
        a.set(Tunable.DISCOVERY, 0);
        assertThat(a.addPeer(List.of(REMOTE, P0, P1))).isEqualTo(P0);
        net.settle();
        assertThat(a.peers()).extracting(PeerInfo::primaryNid).containsExactly(P0, P1);
        assertThat(a.peers()).extracting(PeerInfo::multiRail).containsExactly(false, false);
        TwoNodes.expect(Errno.EINVAL, () -> a.addPeer(List.of(REMOTE)));
        net.takeLog();
        net.await(a.put(ProcessId.of(P0), 33, 7, Arena.ofAuto().allocate(8)));
        assertThat(net.takeTypes()).as("nobody is asked").containsExactly(MessageType.PUT, MessageType.ACK);
        assertThat(a.primaryNid(P1)).isCompletedWithValue(P1);
        assertThat(a.peerDiscovered(P1)).isEqualTo(DiscoveryProgress.DONE);
    }

    @Test
    void aPeerNeedsANid() {
        TwoNodes.expect(Errno.EINVAL, () -> a.addPeer(List.of()));
        TwoNodes.expect(Errno.EINVAL, () -> a.addPeer(List.of(Nid.ANY, Nid.LOOPBACK)));
        TwoNodes.expect(Errno.EINVAL, () -> a.primaryNid(Nid.ANY));
        assertThat(a.peers()).isEmpty();
    }

    @Test
    void aPeerHasNoMoreNidsThanThereMayBe() {
        a.set(Tunable.MAX_INTERFACES, 16);
        List<Nid> many = IntStream.rangeClosed(1, 17)
                .mapToObj(i -> Nid.parse("10.0.0." + (100 + i) + "@tcp"))
                .toList();
        assertThatThrownBy(() -> a.addPeer(many))
                .hasMessageContaining("17 usable NIDs")
                .hasMessageNotContaining("local nets");
        assertThat(a.addPeer(many.subList(0, 16))).isEqualTo(many.getFirst());
        a.set(Tunable.DISCOVERY, 0);
        assertThatThrownBy(() -> a.addPeer(List.of(REMOTE)))
                .hasMessageContaining("on local nets since discovery is off");
    }

    @Test
    void aNodeThatSaysNothingOfItsOtherNidsIsWhatAnUpperLayerSays() {
        peer.goesAway();
        new ScriptedPeer(net, P0).says(FULL, 1, P0);
        new ScriptedPeer(net, P1).says(FULL, 1, P1);
        assertThat(a.addPeer(List.of(P0, P1))).isEqualTo(P0);
        net.settle();
        assertThat(nids(onlyPeer())).containsExactly(P0, P1);
        assertThat(isLocked(onlyPeer())).isTrue();
    }

    @Test
    void changesThatComeTogetherAreToldOnceEach() {
        List<NidUpdate> told = new ArrayList<>();
        a.registerNidUpdates(told::add);
        net.settle();
        a.peerConfiguration().create(P0, true, false);
        a.peerConfiguration().create(Q0, true, false);
        net.settle();
        assertThat(told).containsExactly(new NidUpdate(false, P0, List.of(P0)), new NidUpdate(false, Q0, List.of(Q0)));
    }

    @Test
    void thePrimaryNidIsFoundOut() {
        CompletionStage<Nid> primary = a.primaryNid(P1);
        assertThat(primary).isNotDone();
        assertThat(net.await(primary)).isEqualTo(P0);
        assertThat(a.primaryNid(P2)).isCompletedWithValue(P0);
        assertThat(a.primaryNid(Nid.LOOPBACK)).isCompletedWithValue(Nid.LOOPBACK);
    }

    @Test
    void thePrimaryNidOfANodeThatIsNotThereIsTheOneThatIsKnown() {
        assertThat(net.await(a.primaryNid(Q0))).isEqualTo(Q0);
    }

    @Test
    void aLockedPrimaryNidNeedsNoDiscovery() {
        net.hold(header -> header.type() == MessageType.GET);
        a.addPeer(List.of(P1));
        assertThat(a.primaryNid(P1)).isCompletedWithValue(P1);
        net.releaseAll();
    }

    @Test
    void whoWaitsForAPrimaryNidIsToldWhenThePeerIsDeleted() {
        net.hold(header -> header.type() == MessageType.GET);
        CompletionStage<Nid> primary = a.primaryNid(P1);
        net.settle();
        a.peerConfiguration().delete(P1, false);
        assertThat(net.await(primary)).isEqualTo(P1);
        net.releaseAll();
    }

    @Test
    void theProgressOfADiscovery() {
        assertThat(a.peerDiscovered(P0)).isEqualTo(DiscoveryProgress.STARTED);
        assertThat(a.peerDiscovered(P0)).isEqualTo(DiscoveryProgress.RUNNING);
        net.settle();
        assertThat(a.peerDiscovered(P0)).isEqualTo(DiscoveryProgress.DONE);
        assertThat(a.peerDiscovered(Nid.LOOPBACK)).isEqualTo(DiscoveryProgress.DONE);
        assertThat(a.peerDiscovered(Nid.ANY)).isEqualTo(DiscoveryProgress.IMPOSSIBLE);
        assertThat(a.peerDiscovered(Q0)).isEqualTo(DiscoveryProgress.STARTED);
        net.settle();
        assertThat(a.peerDiscovered(Q0)).isEqualTo(DiscoveryProgress.UNREACHABLE);
        assertThat(List.of(DiscoveryProgress.values()))
                .extracting(DiscoveryProgress::code)
                .containsExactly(1, -113, -114, -11, -102);
        new ScriptedPeer(net, Q0).says(FULL, 1, Q0);
        net.settle();
        a.peerDiscovered(Q0);
        net.settle();
        assertThat(a.peerDiscovered(Q0)).isEqualTo(DiscoveryProgress.DONE);
    }

    @Test
    void changesOfNidsAreTold() {
        List<NidUpdate> told = new ArrayList<>();
        Consumer<NidUpdate> listener = told::add;
        a.registerNidUpdates(listener);
        net.await(a.discover(P1, false));
        assertThat(told).contains(new NidUpdate(false, P0, List.of(P0, P1, P2)));
        assertThat(told).as("what is no identity any more").endsWith(new NidUpdate(false, P0, List.of(P0, P1, P2)));
        assertThat(told.stream().filter(update -> update.primaryNid().equals(P1)))
                .last()
                .isEqualTo(new NidUpdate(false, P1, List.of()));
        told.clear();
        peer.says(FULL, 2, P0, P2);
        peer.pushes(A);
        assertThat(told).containsExactly(new NidUpdate(false, P0, List.of(P0, P2)));
        told.clear();
        a.addNi(net.request("10.0.1.1@tcp"));
        net.settle();
        assertThat(told).containsExactly(new NidUpdate(true, A, List.of(A, Nid.parse("10.0.1.1@tcp"))));
        told.clear();
        a.peerConfiguration().delete(P0, false);
        net.settle();
        assertThat(told).containsExactly(new NidUpdate(false, P0, List.of()));
        told.clear();
        a.unregisterNidUpdates(listener);
        net.await(a.discover(P0, false));
        assertThat(told).isEmpty();
    }

    @Test
    void aListenerMayFailAndMayNotReconfigure() {
        List<Errno> errors = new ArrayList<>();
        a.registerNidUpdates(update -> {
            throw new IllegalStateException("listeners may fail");
        });
        a.registerNidUpdates(update -> {
            try {
                a.removeNi(A);
            } catch (ErrnoException e) {
                errors.add(e.errno());
            }
        });
        net.await(a.discover(P0, false));
        assertThat(errors).isNotEmpty().allMatch(errno -> errno == Errno.EBUSY);
    }

    @Test
    void thereAreNotTooManyListeners() {
        for (int i = 0; i < 16; i++) {
            a.registerNidUpdates(update -> {});
        }
        TwoNodes.expect(Errno.ENOSPC, () -> a.registerNidUpdates(update -> {}));
    }
}
