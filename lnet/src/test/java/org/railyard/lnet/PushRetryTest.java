package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.PutResult;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.ScriptedPeer;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.testkit.Requirement;

/** What becomes of pushes that do not arrive (spec 11 §5). */
class PushRetryTest {
    private static final Nid A0 = Nid.parse("10.0.0.1@tcp");
    private static final Nid P0 = Nid.parse("10.0.0.9@tcp");
    private static final int FULL = PingInfo.MULTI_RAIL | PingInfo.DISCOVERY | PingInfo.RTE_DISABLED;
    private static final int UP_TO_DATE = 273;

    private final TestNetwork net = new TestNetwork();
    private LNet a;
    private ScriptedPeer peer;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    PushRetryTest() {}

    @BeforeEach
    void start() {
        a = net.node(A0.toString());
        peer = new ScriptedPeer(net, P0).says(FULL, 1, P0);
        peer.answersPuts();
        net.await(a.discover(P0, false));
        net.takeLog();
    }

    @AfterEach
    void close() {
        net.releaseAll();
        net.close();
        assertThat(a.messagesInUse()).isZero();
    }

    private long pushes() {
        return net.takeTypes().stream().filter(type -> type == MessageType.PUT).count();
    }

    private int state() {
        return a.peers().getFirst().state();
    }

    private void changeNis() {
        a.addNi(net.request("10.0.1.1@tcp"));
        net.settle();
    }

    @Test
    @Requirement("dyn-045")
    void aLostPushIsRepeatedWithoutAMessageToThePeer() {
        net.lose(MessageType.PUT);
        changeNis();
        assertThat(pushes()).isEqualTo(1);
        net.lose(packet -> false);
        net.pass(9);
        assertThat(pushes()).as("there is still hope").isZero();
        net.pass(5);
        assertThat(pushes()).isEqualTo(1);
        assertThat(peer.lastPush().entries()).hasSize(2);
        assertThat(state()).isEqualTo(UP_TO_DATE);
        net.pass(300);
        assertThat(pushes()).isZero();
    }

    @Test
    void aPushThatCanNotBeSentIsRepeatedSoon() {
        net.fail(header -> header.type() == MessageType.PUT
                ? new TestNetwork.Failure(Errno.EHOSTUNREACH, HealthStatus.REMOTE_ERROR)
                : null);
        changeNis();
        assertThat(state() & PeerState.REDISCOVER).isNotZero();
        net.fail(header -> null);
        net.pass(3);
        assertThat(state()).isEqualTo(UP_TO_DATE);
        assertThat(peer.lastPush().entries()).hasSize(2);
    }

    @Test
    void aPeerThatIsNotReachedIsLeftAloneInTheEnd() {
        net.lose(packet -> packet.header().type() == MessageType.PUT);
        changeNis();
        net.pass(1200);
        assertThat(pushes()).isEqualTo(11);
        net.pass(1200);
        assertThat(pushes()).isZero();
        assertThat(state() & PeerState.DISCOVERING).isZero();
        net.lose(packet -> false);
        net.await(a.put(ProcessId.of(P0), 33, 7, Arena.ofAuto().allocate(8)));
        assertThat(peer.lastPush().entries()).hasSize(2);
        assertThat(state()).isEqualTo(UP_TO_DATE);
    }

    @Test
    void aNewerPushDoesNotWaitForOneThatIsUnderWay() {
        net.hold(header -> header.type() == MessageType.PUT);
        changeNis();
        net.pass(1);
        a.addNi(net.request("10.0.2.1@tcp"));
        net.settle();
        assertThat(net.heldCount()).isEqualTo(2);
        net.releaseAll();
        assertThat(pushes()).as("the last one is surely the newest").isEqualTo(3);
        assertThat(peer.lastPush().entries()).hasSize(3);
        assertThat(state()).isEqualTo(UP_TO_DATE);
    }

    /** The peer has acknowledged all that there is, but somebody wants it to be told. */
    @Test
    void aForcedPushThatIsOvertakenIsStillMade() {
        net.hold(header -> header.type() == MessageType.PUT);
        CompletionStage<PeerInfo> told = a.discover(P0, true);
        net.pass(2);
        assertThat(net.heldCount()).isEqualTo(1);
        a.setHealth(A0, 0);
        net.settle();
        assertThat(net.heldCount())
                .as("another one, which does not wait for the first")
                .isEqualTo(2);
        net.releaseAll();
        net.await(told);
        assertThat(state()).isEqualTo(UP_TO_DATE);
    }

    /** As under Lustre, nothing but the end of the discovery ends what waits for it. */
    @Test
    void newsOneAfterTheOtherDoNotKeepAMessageWaitingForEver() {
        a.set(Tunable.TRANSACTION_TIMEOUT, 20);
        a.set(Tunable.EXPIRE_ACTIVE_MESSAGES, 0);
        net.lose(MessageType.PUT);
        changeNis();
        CompletionStage<PutResult> put =
                a.put(ProcessId.of(P0), 33, 7, Arena.ofAuto().allocate(8));
        for (int i = 0; i < 20; i++) {
            a.setHealth(A0, i % 2 == 0 ? 0 : 1000);
            net.pass(3);
        }
        assertThat(net.awaitError(put).errno()).isEqualTo(Errno.ETIMEDOUT);
    }

    @Test
    void aPushThatHasJustLeftIsWaitedFor() {
        net.hold(header -> header.type() == MessageType.PUT);
        changeNis();
        a.addNi(net.request("10.0.2.1@tcp"));
        net.settle();
        assertThat(net.heldCount()).isEqualTo(1);
        net.releaseAll();
        assertThat(pushes()).isEqualTo(2);
        assertThat(peer.lastPush().entries()).hasSize(3);
        assertThat(state()).isEqualTo(UP_TO_DATE);
    }

    @Test
    void aMessageThatComesToWaitForALostPushIsNotFailedWithIt() {
        net.lose(MessageType.PUT);
        changeNis();
        CompletionStage<PutResult> put =
                a.put(ProcessId.of(P0), 33, 7, Arena.ofAuto().allocate(8));
        net.settle();
        assertThat(put).isNotDone();
        net.lose(packet -> false);
        net.pass(11);
        assertThat(net.await(put).mlength()).isEqualTo(8);
    }

    /** The newest news are acknowledged; but only a push behind the late one is surely the last. */
    @Test
    void theRepetitionOfALatePushIsMadeAgainWhenItIsLostAndSomebodyWaits() {
        net.hold(header -> header.type() == MessageType.PUT);
        changeNis();
        net.pass(1);
        a.addNi(net.request("10.0.2.1@tcp"));
        net.settle();
        int[] arrived = {0};
        net.lose(packet -> packet.header().type() == MessageType.PUT && ++arrived[0] > 2);
        net.releaseAll();
        assertThat(pushes()).isEqualTo(3);
        CompletionStage<PutResult> put =
                a.put(ProcessId.of(P0), 33, 7, Arena.ofAuto().allocate(8));
        net.lose(packet -> false);
        net.pass(11);
        net.await(put);
        assertThat(pushes()).as("the push and the message").isEqualTo(2);
    }

    @Test
    void aPeerThatIsDeletedIsNotPushedTo() {
        net.lose(MessageType.PUT);
        changeNis();
        net.pass(11);
        a.peerConfiguration().delete(P0, false);
        net.takeLog();
        net.pass(100);
        assertThat(pushes()).isZero();
        assertThat(a.peers()).isEmpty();
    }
}
