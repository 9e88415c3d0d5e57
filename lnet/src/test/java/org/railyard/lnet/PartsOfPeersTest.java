package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.ScriptedPeer;
import org.railyard.lnet.wire.MessageType;

/**
 * What becomes of questions to a peer that turns out to be a part of another, or is deleted (spec 11 §3.1, §4.6): until
 * the answers show that they are one node, each NID is a peer of its own.
 */
class PartsOfPeersTest extends ScriptedPeerCase {
    private static final Nid Q0 = Nid.parse("10.0.0.8@tcp");

    @BeforeEach
    void speak() {
        peer.says(FULL, 1, P0, P1);
        peer.answersPuts();
    }

    private CompletionStage<PeerInfo> ask(Nid nid, boolean force) {
        return a.discover(nid, force);
    }

    private static boolean isDone(CompletionStage<?> stage) {
        return stage.toCompletableFuture().isDone();
    }

    @Test
    void whoAskedForAPartIsAnsweredWhenTheWholeWasToldOfUs() {
        net.hold(header -> header.type() == MessageType.PUT);
        List<CompletionStage<PeerInfo>> asked = List.of(ask(P0, false), ask(P1, false));
        net.settle();
        assertThat(a.peers()).hasSize(1);
        assertThat(asked).noneMatch(PartsOfPeersTest::isDone);
        net.releaseAll();
        assertThat(asked)
                .allSatisfy(each -> assertThat(net.await(each).primaryNid()).isEqualTo(P0));
    }

    @Test
    void theAnswerOfOnePartIsEnoughWhereThatOfTheOtherIsLost() {
        int before = a.descriptorsInUse();
        net.lose(packet -> packet.header().type() == MessageType.GET
                && packet.header().destNid().equals(P0));
        CompletionStage<PeerInfo> first = ask(P0, false);
        CompletionStage<PeerInfo> second = ask(P1, false);
        assertThat(net.await(second).primaryNid()).isEqualTo(P0);
        assertThat(net.await(first).primaryNid()).isEqualTo(P0);
        assertThat(a.descriptorsInUse()).as("nobody waits for the other answer").isEqualTo(before);
    }

    @Test
    void whatAPartWasToBeToldTheWholeIsTold() {
        peer.says(FULL, 1, P0);
        net.await(ask(P0, false));
        peer.says(FULL, 2, P0, P1);
        net.takeLog();
        net.await(ask(P1, true));
        assertThat(net.takeTypes()).contains(MessageType.PUT);
        assertThat(nidsOf(P1)).containsExactly(P0, P1);
    }

    @Test
    void whoAskedForAPartThatIsConfiguredIntoAnotherIsAnswered() {
        net.hold(header -> header.type() == MessageType.GET);
        CompletionStage<PeerInfo> asked = ask(P1, false);
        net.settle();
        a.peerConfiguration().add(P0, List.of(P1), true, false);
        net.settle();
        assertThat(isDone(asked)).isFalse();
        net.releaseAll();
        assertThat(net.await(asked).primaryNid()).isEqualTo(P0);
    }

    @Test
    void whoAskedForAPeerThatIsDeletedIsToldThoughTheNodeStops() {
        net.hold(header -> header.type() == MessageType.GET);
        CompletionStage<PeerInfo> asked = ask(P0, false);
        net.settle();
        a.peerConfiguration().delete(P0, false);
        a.close();
        assertThat(net.awaitError(asked).errno()).isEqualTo(Errno.ESHUTDOWN);
        net.releaseAll();
    }

    @Test
    void nobodyWaitsUntilAnotherPeerHasAnswered() {
        new ScriptedPeer(net, Q0).says(FULL, 1, Q0);
        net.hold(header -> header.type() == MessageType.GET);
        List<CompletionStage<PeerInfo>> asked = List.of(ask(P0, false), ask(Q0, false));
        net.settle();
        assertThat(net.heldCount()).isEqualTo(2);
        net.releaseAll();
        asked.forEach(net::await);
    }
}
