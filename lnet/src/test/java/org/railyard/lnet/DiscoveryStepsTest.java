package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.base.host.Traced;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.NodeEvent;
import org.railyard.lnet.api.NodeEventKind;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.PingReply;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.portal.MdTable;
import org.railyard.lnet.sim.ScriptedPeer;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;

/** The steps of a discovery, with what goes wrong in the middle of them (spec 11 §3, §5). */
class DiscoveryStepsTest {
    private static final Nid A0 = Nid.parse("10.0.0.1@tcp");
    private static final Nid P0 = Nid.parse("10.0.0.9@tcp");
    private static final Nid P1 = Nid.parse("10.0.1.9@tcp");
    private static final Nid Q0 = Nid.parse("10.0.0.8@tcp");
    private static final int FULL = PingInfo.MULTI_RAIL | PingInfo.DISCOVERY | PingInfo.RTE_DISABLED;
    private static final int UP_TO_DATE = 273;
    private static final int FAILED = PeerState.PING_FAILED | PeerState.PUSH_FAILED;

    private final List<NodeEvent> told = new ArrayList<>();
    private final List<Traced> traced = new ArrayList<>();
    private final TestNetwork net = new TestNetwork().heardBy(told::add, traced::add);
    private LNet a;
    private ScriptedPeer peer;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    DiscoveryStepsTest() {}

    @BeforeEach
    void start() {
        a = net.node(A0.toString());
        peer = new ScriptedPeer(net, P0, P1).says(FULL, 1, P0, P1);
        peer.answersPuts();
    }

    @AfterEach
    void close() {
        net.releaseAll();
        net.close();
        assertThat(a.messagesInUse()).isZero();
    }

    private PeerInfo discover(Nid nid, boolean force) {
        return net.await(a.discover(nid, force));
    }

    private int state() {
        return a.inventory().peer(P0).orElseThrow().state();
    }

    private void failPushes() {
        net.fail(header -> header.type() == MessageType.PUT
                ? new TestNetwork.Failure(Errno.EHOSTUNREACH, HealthStatus.REMOTE_ERROR)
                : null);
    }

    private List<Nid> newlyDiscovered() {
        List<Nid> nids = told.stream()
                .filter(each -> each.kind() == NodeEventKind.PEER_DISCOVERED)
                .map(NodeEvent::nid)
                .toList();
        told.clear();
        return nids;
    }

    @Test
    void itIsToldHowLongADiscoveryTook() {
        net.hold(header -> header.type() == MessageType.GET);
        CompletionStage<PeerInfo> found = a.discover(P0, false);
        net.pass(2);
        assertThat(traced).noneMatch(Traced.Discovery.class::isInstance);
        net.hold(header -> false);
        net.releaseAll();
        net.await(found);
        assertThat(traced)
                .filteredOn(Traced.Discovery.class::isInstance)
                .containsExactly(new Traced.Discovery(P0, 2, 2_000_000_000L, 0));
    }

    /** Whether the question is out, or waits for its turn. */
    @Test
    void whoWaitsIsToldThatTheNodeStops() {
        net.hold(header -> header.type() == MessageType.GET);
        CompletionStage<PeerInfo> asked = a.discover(P0, false);
        net.settle();
        CompletionStage<PeerInfo> queued = a.discover(Nid.parse("10.0.0.8@tcp"), false);
        a.close();
        assertThat(net.awaitError(asked).errno()).isEqualTo(Errno.ESHUTDOWN);
        assertThat(net.awaitError(queued).errno()).isEqualTo(Errno.ESHUTDOWN);
    }

    @Test
    void onlyWhatIsNewlyDiscoveredIsToldOf() {
        discover(P0, false);
        assertThat(newlyDiscovered()).containsExactly(P0);
        discover(P0, true);
        assertThat(newlyDiscovered()).isEmpty();
        failPushes();
        net.awaitError(a.discover(P0, true));
        net.pass(5);
        net.fail(header -> null);
        discover(P0, true);
        assertThat(newlyDiscovered()).as("it had failed").containsExactly(P0);
    }

    @Test
    void aForcedPushThatFailsIsStillToBeMade() {
        discover(P0, false);
        failPushes();
        net.awaitError(a.discover(P0, true));
        assertThat(state() & FAILED).as("is over").isZero();
        assertThat(state() & (PeerState.FORCE_PUSH | PeerState.REDISCOVER))
                .isEqualTo(PeerState.FORCE_PUSH | PeerState.REDISCOVER);
        net.fail(header -> null);
        net.takeLog();
        net.pass(3);
        assertThat(net.takeTypes()).contains(MessageType.PUT);
        assertThat(state()).isEqualTo(UP_TO_DATE);
    }

    @Test
    void afterASuccessTheIntervalsBeginAnew() {
        discover(P0, false);
        failPushes();
        net.awaitError(a.discover(P0, true));
        net.pass(15);
        net.fail(header -> null);
        net.pass(20);
        assertThat(state()).isEqualTo(UP_TO_DATE);
        failPushes();
        net.awaitError(a.discover(P0, true));
        net.fail(header -> null);
        net.pass(3);
        assertThat(state()).as("2 s, not 16").isEqualTo(UP_TO_DATE);
    }

    @Test
    void whatChangesIsPushedThoughEarlierNewsWereGivenUp() {
        discover(P0, false);
        net.lose(packet -> packet.header().type() == MessageType.PUT);
        a.addNi(net.request("10.0.1.1@tcp"));
        net.pass(1200);
        net.takeLog();
        a.addNi(net.request("10.0.2.1@tcp"));
        net.pass(100);
        assertThat(net.takeTypes().stream().filter(type -> type == MessageType.PUT))
                .as("repeated as if nothing had failed before")
                .hasSizeGreaterThan(3);
    }

    @Test
    void aLateAcknowledgementOfAnOldPushAsksForOneMore() {
        discover(P0, false);
        net.hold(header -> header.type() == MessageType.PUT);
        a.addNi(net.request("10.0.1.1@tcp"));
        net.pass(2);
        net.hold(header -> false);
        a.addNi(net.request("10.0.2.1@tcp"));
        net.settle();
        assertThat(peer.lastPush().entries()).hasSize(3);
        assertThat(state()).isEqualTo(UP_TO_DATE);
        net.takeLog();
        net.releaseAll();
        assertThat(peer.lastPush().entries()).as("not the old one").hasSize(3);
        assertThat(state()).isEqualTo(UP_TO_DATE);
    }

    @Test
    void whoIsNotMultiRailIsNeverPushedTo() {
        net.node(Settings.of(CompatProfile.DOCUMENTS).with(Tunable.MULTI_RAIL, false), Q0.toString());
        net.takeLog();
        PeerInfo old = discover(Q0, true);
        assertThat(net.takeTypes()).containsExactly(MessageType.GET, MessageType.REPLY);
        assertThat(old.state() & PeerState.FORCE_PUSH).isZero();
    }

    @Test
    void aPeerThatTurnsDiscoveryOffKeepsItsLock() {
        a.addPeer(List.of(P1));
        net.settle();
        assertThat(a.knownPrimaryNid(P0)).isEqualTo(P1);
        peer.says(PingInfo.MULTI_RAIL | PingInfo.RTE_DISABLED, 2, P0, P1);
        peer.pushes(A0);
        PeerInfo left = a.inventory().peer(P1).orElseThrow();
        assertThat(left.nis()).hasSize(1);
        assertThat(left.primaryNid()).isEqualTo(P1);
        assertThat(left.state() & PeerState.LOCK_PRIMARY).isNotZero();
    }

    @Test
    void whoWaitsForAPeerThatTurnsDiscoveryOffIsTold() {
        discover(P0, false);
        peer.says(PingInfo.MULTI_RAIL | PingInfo.RTE_DISABLED, 2, P0, P1);
        PeerInfo left = discover(P0, false);
        assertThat(left.nis()).hasSize(1);
        assertThat(left.state() & PeerState.DISCOVERING).isZero();
    }

    /** What it asked for would otherwise count as a request that nobody answered. */
    @Test
    void nobodyWaitsForTheAnswerOfAPeerThatIsDeleted() {
        int before = a.descriptorsInUse();
        net.lose(MessageType.GET);
        CompletionStage<PeerInfo> found = a.discover(P0, false);
        net.settle();
        assertThat(a.descriptorsInUse()).isEqualTo(before + 1);
        a.peerConfiguration().delete(P0, false);
        net.awaitError(found);
        assertThat(a.descriptorsInUse()).isEqualTo(before);
        told.clear();
        net.pass(300);
        assertThat(told).noneMatch(each -> each.kind() == NodeEventKind.RESPONSE_EXPIRED);
    }

    @Test
    void whatFailsLeavesNoDescriptor() {
        discover(P0, false);
        int before = a.descriptorsInUse();
        net.fail(header -> new TestNetwork.Failure(Errno.EHOSTUNREACH, HealthStatus.REMOTE_ERROR));
        net.awaitError(a.discover(P0, false));
        assertThat(a.descriptorsInUse()).as("pings of a discovery").isEqualTo(before);
        net.awaitError(a.ping(P0, Nid.ANY, Duration.ofSeconds(1)));
        assertThat(a.descriptorsInUse()).as("pings on request").isEqualTo(before);
        a.setPeerHealth(P1, 500);
        net.pass(3);
        assertThat(a.descriptorsInUse()).as("recovery").isEqualTo(before);
        net.fail(header -> null);
        failPushes();
        net.awaitError(a.discover(P0, true));
        assertThat(a.descriptorsInUse()).as("pushes").isEqualTo(before);
    }

    @Test
    @Requirement("rsl-028")
    void withoutADescriptorNothingIsAskedAndAllGoesOnOnceThereIsOne() {
        discover(P0, false);
        a.setPeerHealth(P1, 500);
        List<Md> all = new ArrayList<>();
        MdConfig small = MdConfig.of(Arena.ofAuto().allocate(8));
        for (int i = a.descriptorsInUse(); i < MdTable.MAX_DESCRIPTORS; i++) {
            all.add(a.bind(small));
        }
        net.takeLog();
        assertThat(net.awaitError(a.discover(P0, true))).hasMessageContaining("ENOMEM");
        assertThatThrownBy(() -> a.ping(P0, Nid.ANY, Duration.ofSeconds(1))).hasMessageContaining("ENOMEM");
        net.pass(2);
        assertThat(net.takeTypes()).as("not sent once, and not again").isEmpty();
        assertThat(TwoRails.peerNi(a, P1).health()).isEqualTo(500);

        all.removeLast().unlink();
        net.pass(2);
        assertThat(TwoRails.peerNi(a, P1).health()).as("recovery").isGreaterThan(500);
        assertThat(discover(P0, true).nis()).hasSize(2);
        assertThat(a.descriptorsInUse()).isEqualTo(MdTable.MAX_DESCRIPTORS - 1);
    }

    @Test
    void nothingIsLeftOfWhatANodeSaidBefore() {
        int before = a.descriptorsInUse();
        for (int i = 1; i < 5; i++) {
            Nid more = Nid.parse("10.0." + i + ".1@tcp");
            a.addNi(net.request(more.toString()));
            a.removeNi(more);
        }
        assertThat(a.descriptorsInUse()).isEqualTo(before);
    }

    @Test
    void aPushWithoutTheMultiRailFeatureIsLoggedAndChangesNothing() {
        discover(P0, false);
        peer.says(PingInfo.RTE_DISABLED, 2, P0);
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            peer.pushes(A0);
            assertThat(log.lines())
                    .anyMatch(line -> line.contains("push from " + P0 + " without the multi-rail feature, ignored"));
        }
        assertThat(a.inventory().peer(P0).orElseThrow().nis()).hasSize(2);
        assertThat(state()).isEqualTo(UP_TO_DATE);
    }

    @Test
    @Requirement("rsl-088")
    void aPingOfAPeerThatIsNoGatewayLastsAsLongAsATransaction() {
        int limit = a.settings().get(Tunable.TRANSACTION_TIMEOUT);
        assertThat(limit).isGreaterThan(a.settings().get(Tunable.ROUTER_PING_TIMEOUT) + 20);
        net.lose(MessageType.GET);
        CompletionStage<PeerInfo> found = a.discover(P0, false);
        net.pass(limit - 10);
        assertThat(found.toCompletableFuture()).isNotDone();
        net.pass(20);
        assertThat(found.toCompletableFuture()).isCompletedExceptionally();
    }

    @ParameterizedTest(name = "expiry is told by UNLINK alone: {0}")
    @ValueSource(booleans = {true, false})
    void whatIsNotAnsweredFailsWithATimeOut(boolean unlinkAlone) {
        discover(P0, false);
        a.set(Tunable.RESPONSE_TIMEOUT_EVENT, unlinkAlone ? 1 : 0);
        int limit = a.settings().get(Tunable.TRANSACTION_TIMEOUT) + 10;
        net.lose(MessageType.GET);
        CompletionStage<PingReply> pinged = a.ping(P0, Nid.ANY, Duration.ofSeconds(1));
        CompletionStage<PeerInfo> found = a.discover(P0, false);
        net.pass(limit);
        assertThat(net.awaitError(pinged).errno()).isEqualTo(Errno.ETIMEDOUT);
        assertThat(net.awaitError(found).errno()).isEqualTo(Errno.ETIMEDOUT);
        net.lose(packet -> false);
        discover(P0, false);
        net.lose(MessageType.PUT);
        CompletionStage<PeerInfo> told = a.discover(P0, true);
        net.pass(limit);
        assertThat(net.awaitError(told).errno()).isEqualTo(Errno.ETIMEDOUT);
    }

    @Test
    void aPingOfNoNodeLeavesNoDescriptor() {
        int before = a.descriptorsInUse();
        TwoNodes.expect(Errno.EINVAL, () -> a.ping(Nid.ANY, Nid.ANY, Duration.ofSeconds(1)));
        assertThat(a.descriptorsInUse()).isEqualTo(before);
    }

    private static Nid[] manyNids() {
        return IntStream.range(0, 40)
                .mapToObj(i -> i == 0 ? P0 : Nid.parse("10.0." + i + ".9@tcp"))
                .toArray(Nid[]::new);
    }

    /** Then one question is enough: it has room for what the push announced. */
    @Test
    void aPushThatIsTooLargeIsAskedForOnce() {
        discover(P0, false);
        int answered = peer.answered();
        peer.says(FULL, 2, manyNids());
        peer.pushes(A0);
        assertThat(peer.answered()).isEqualTo(answered + 1);
        assertThat(a.inventory().peer(P0).orElseThrow().nis()).hasSize(40);
    }

    /** The answer to a question that left before may be older than the push. */
    @Test
    void aPushThatIsTooLargeIsAskedForThoughAQuestionIsUnderWay() {
        discover(P0, false);
        int answered = peer.answered();
        net.hold(header -> header.type() == MessageType.GET);
        CompletionStage<PeerInfo> found = a.discover(P0, false);
        net.settle();
        peer.says(FULL, 2, manyNids());
        peer.pushes(A0);
        peer.says(FULL, 1, P0, P1);
        net.releaseAll();
        net.await(found);
        assertThat(peer.answered()).isEqualTo(answered + 2);
    }

    @Test
    void soManyMayWaitForOnePeer() {
        net.hold(header -> header.type() == MessageType.GET);
        List<CompletionStage<PeerInfo>> waiting = new ArrayList<>();
        for (int i = 0; i < 4096; i++) {
            waiting.add(a.discover(P0, false));
        }
        TwoNodes.expect(Errno.ENOBUFS, () -> a.discover(P0, false));
        net.settle();
        net.releaseAll();
        assertThat(waiting).allMatch(each -> each.toCompletableFuture().isDone());
    }

    /** Its ping has failed and is to go another way; whoever deleted the peer does not want it back. */
    @Test
    void aPeerThatIsDeletedIsNotMadeAgainByAPingThatIsRepeated() {
        a.addNi(net.request("10.0.1.1@tcp"));
        List<Nid> pinged = new ArrayList<>();
        net.fail(header -> {
            pinged.add(header.destNid());
            if (pinged.size() == 1) {
                a.peerConfiguration().delete(P0, true);
            }
            return new TestNetwork.Failure(Errno.ENETUNREACH, HealthStatus.REMOTE_DROPPED);
        });
        a.peerConfiguration().add(P0, List.of(P1), true, false);
        CompletionStage<PeerInfo> found = a.discover(P0, false);
        net.pass(60);
        assertThat(found).isCompletedExceptionally();
        assertThat(pinged).containsExactly(P0);
        assertThat(a.peers()).isEmpty();
    }
}
