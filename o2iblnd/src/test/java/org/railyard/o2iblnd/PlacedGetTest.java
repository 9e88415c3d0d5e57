package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.conformance.TestMessage;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.wire.MessageType;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.CmEvent;

/** GETs of this node that say where to write: a scripted peer writes, or does not (spec 20 §13.2). */
class PlacedGetTest {
    private static final int LENGTH = 100_000;

    private final IbWorld world = new IbWorld(100_000_000);
    private final PeerExchange exchange = new PeerExchange(world);
    private final RawPeer peer = exchange.peer();
    private final RecordingStack stack = exchange.stack();

    @BeforeEach
    void placeReplies() {
        stack.placeReplies();
    }

    private KibMessage request() throws Exception {
        exchange.connect(257);
        exchange.send(exchange.get(LENGTH));
        return exchange.awaitMessage(KibType.GET_REQ);
    }

    /** Returns how the GET came back, and before it its REPLY. */
    private HealthStatus outcome(int status) {
        assertThat(world.time().runUntil(() -> stack.outcomes().size() == 2, 100 * IbWorld.SECOND))
                .isTrue();
        RecordingStack.Outcome reply = stack.outcomes().getFirst();
        RecordingStack.Outcome get = stack.outcomes().getLast();
        assertThat(reply.message().header().type()).isEqualTo(MessageType.REPLY);
        assertThat(get.message().header().type()).isEqualTo(MessageType.GET);
        assertThat(reply.status()).isEqualTo(status);
        assertThat(get.status()).isEqualTo(status);
        assertThat(reply.health()).isEqualTo(get.health());
        return get.health();
    }

    private TestMessage reply() {
        return (TestMessage) stack.outcomes().getFirst().message();
    }

    private void awaitDisconnect() {
        assertThat(world.time().runUntil(() -> peer.had(CmEvent.Type.DISCONNECTED), IbWorld.SECOND))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {LENGTH, LENGTH - 1, 48, 1})
    @Requirement({"ibl-080", "ibl-090"})
    void whatThePeerWritesIsTheReply(int written) throws Exception {
        KibMessage request = request();
        assertThat(request.lnet().type()).isEqualTo(MessageType.GET);
        assertThat(request.lnet().sinkLength()).isEqualTo(LENGTH);
        assertThat(request.descriptor().totalBytes()).as("all of the memory").isEqualTo(LENGTH);
        peer.write(request.descriptor().key(), request.descriptor().address(0), TestMessage::byteAt, written);
        exchange.done(request.cookie(), written);
        assertThat(outcome(0)).isEqualTo(HealthStatus.OK);
        assertThat(stack.replyLengths()).containsExactly(written);
        assertThat(reply().holds(written)).isTrue();
    }

    @Test
    @Requirement("ibl-090")
    void anEmptyReplyIsAReply() throws Exception {
        exchange.done(request().cookie(), 0);
        assertThat(outcome(0)).isEqualTo(HealthStatus.OK);
        assertThat(stack.replyLengths()).containsExactly(0);
    }

    @Test
    @Requirement({"ibl-090", "ibl-100"})
    void withoutAMatchItFails() throws Exception {
        exchange.done(request().cookie(), Errno.ENODATA.status());
        assertThat(outcome(Errno.ENODATA.status())).isEqualTo(HealthStatus.REMOTE_ERROR);
        assertThat(stack.replyLengths()).isEmpty();
        assertThat(peer.had(CmEvent.Type.DISCONNECTED)).isFalse();
    }

    @Test
    void aPeerThatSaysThatItWroteMoreLosesItsConnection() throws Exception {
        exchange.done(request().cookie(), LENGTH + 1);
        awaitDisconnect();
        assertThat(outcome(Errno.EPROTO.status())).isEqualTo(HealthStatus.REMOTE_ERROR);
    }

    @Test
    void anAnswerToNothingEndsTheConnection() throws Exception {
        exchange.done(request().cookie() + 1, LENGTH);
        awaitDisconnect();
        assertThat(outcome(Errno.EPROTO.status())).isEqualTo(HealthStatus.REMOTE_ERROR);
    }

    @Test
    @Requirement("ibl-100")
    void aPeerThatDoesNotAnswerCanNotWriteAnyMoreWhenTheMemoryIsGivenBack() throws Exception {
        KibMessage request = request();
        assertThat(outcome(Errno.ETIMEDOUT.status())).isEqualTo(HealthStatus.REMOTE_TIMEOUT);
        assertThat(world.device(0, 0).qpCount()).isZero();
        peer.write(request.descriptor().key(), request.descriptor().address(0), TestMessage::byteAt, LENGTH);
        world.time().run(IbWorld.SECOND);
        assertThat(reply().holds(0)).isTrue();
    }

    @Test
    void anNiThatStopsGivesBackBoth() throws Exception {
        request();
        exchange.stop();
        assertThat(outcome(Errno.ESHUTDOWN.status())).isEqualTo(HealthStatus.LOCAL_ERROR);
    }

    @ParameterizedTest
    @CsvSource({"3976, IMMEDIATE", "3977, GET_REQ"})
    @Requirement("ibl-080")
    void whatFitsIntoAMessageComesInOne(int length, KibType expected) throws Exception {
        exchange.connect(257);
        exchange.send(exchange.get(length));
        assertThat(exchange.awaitMessage(expected).lnet().type()).isEqualTo(MessageType.GET);
    }

    @Test
    void whatARouterIsToPassOnSaysNothingOfMemory() throws Exception {
        exchange.connect(257);
        TestMessage get = exchange.get(LENGTH);
        get.header()
                .setRoute(
                        IbWorld.nid(2, 1),
                        get.header().destPid(),
                        get.header().srcNid(),
                        get.header().srcPid());
        exchange.send(get);
        assertThat(exchange.awaitMessage(KibType.IMMEDIATE).lnet().sinkLength()).isEqualTo(LENGTH);
    }

    @Test
    @Requirement("mod-053")
    void withoutARegionTheAnswerIsCopied() throws Exception {
        exchange.connect(1);
        world.device(0, 0).failNextRegistrations(1);
        exchange.send(exchange.get(LENGTH));
        KibMessage request = exchange.awaitMessage(KibType.GET_REQ);
        peer.write(request.descriptor().key(), request.descriptor().address(0), TestMessage::byteAt, 5000);
        exchange.done(request.cookie(), 5000);
        assertThat(outcome(0)).isEqualTo(HealthStatus.OK);
        assertThat(reply().holds(5000)).isTrue();
    }

    @Test
    void withoutAnyMemoryItFailsHere() throws Exception {
        exchange.connect(257);
        world.device(0, 0).failNextRegistrations(2);
        exchange.send(exchange.get(LENGTH));
        assertThat(outcome(Errno.ENOMEM.status())).isEqualTo(HealthStatus.LOCAL_ERROR);
        exchange.send(exchange.get(LENGTH));
        assertThat(exchange.awaitMessage(KibType.GET_REQ).descriptor().totalBytes())
                .as("the connection lives on")
                .isEqualTo(LENGTH);
    }

    @Test
    @Requirement("ibl-050")
    void moreGetsThanThereAreBuffersForTheirAnswersWait() throws Exception {
        exchange.connect(257);
        for (int i = 0; i < 20; i++) {
            exchange.send(exchange.get(LENGTH));
        }
        world.time().run(IbWorld.SECOND);
        List<KibMessage> first = requests();
        assertThat(first).hasSize(8);
        for (int i = 0; i < 20; i++) {
            exchange.done(requests().get(i).cookie(), i);
            // The buffers that the requests were in are free again, too.
            KibMessage noop = exchange.fromPeer();
            noop.setNoop(Kib.V2);
            noop.header().setCredits(1);
            world.time().run(IbWorld.SECOND / 100);
            exchange.answer(noop);
            world.time().run(IbWorld.SECOND / 100);
        }
        assertThat(stack.outcomes()).hasSize(40).allMatch(each -> each.status() == 0);
        assertThat(stack.outcomes().stream()
                        .map(RecordingStack.Outcome::message)
                        .map(LndMessage::header))
                .allMatch(header -> header.type() == MessageType.REPLY || header.type() == MessageType.GET);
    }

    private List<KibMessage> requests() {
        return peer.received().stream()
                .filter(message -> message.type() == KibType.GET_REQ)
                .toList();
    }
}
