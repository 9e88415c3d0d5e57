package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.conformance.TestMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.RdmaDescriptor;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;

/** A peer that GETs and says where to write: its memory is written, then it is told (spec 20 §13.2). */
class GetRequestTest {
    private final IbWorld world = new IbWorld(100_000_000);
    private final Nid here = IbWorld.nid(0, 0);
    private final Nid there = IbWorld.nid(1, 0);
    private final LndNi ni = IbWorld.ni(0, 0);
    private final ReplyingStack stack = new ReplyingStack(ni);
    private final RawPeer peer = new RawPeer(world.node(1), there.nid4(), 5);
    private long stamp;

    private void connect() throws Exception {
        O2ibLnd lnd = world.start(0, stack, Tunables.DEFAULT);
        lnd.startup(ni);
        peer.connect(
                new CmAddress(IbWorld.address(1, 0), 1000),
                new CmAddress(IbWorld.address(0, 0), Kib.SERVICE_PORT),
                RawPeer.bytes(peer.request(here.nid4(), 0, 8, 257)));
        assertThat(world.time().runUntil(() -> peer.had(CmEvent.Type.ESTABLISHED), IbWorld.SECOND))
                .isTrue();
        KibMessage answer = new KibMessage();
        answer.read(peer.last().privateData(), 0, 196);
        stamp = answer.header().sourceStamp();
    }

    private KibMessage get(long cookie, long handle, int... fragments) {
        LNetHeader header = new LNetHeader();
        header.setGet(1, handle, 9, 3, 0, 100_000);
        header.setRoute(here, 12_345, there, 12_345);
        RdmaDescriptor sink = new RdmaDescriptor();
        sink.reset(peer.sinkKey());
        long offset = 0;
        for (int length : fragments) {
            sink.add(peer.sinkAddress(offset), length);
            offset += 10_000;
        }
        KibMessage message = peer.message(here.nid4(), stamp);
        message.setGetRequest(Kib.V2, header, cookie, sink);
        return message;
    }

    private KibMessage done(long withinNanos) {
        assertThat(world.time()
                        .runUntil(
                                () -> peer.received().stream().anyMatch(m -> m.type() == KibType.GET_DONE),
                                withinNanos))
                .isTrue();
        return peer.received().stream()
                .filter(m -> m.type() == KibType.GET_DONE)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 48, 5000, 9999})
    @Requirement({"ibl-080", "ibl-090"})
    void theReplyIsWrittenToWhereThePeerSaid(int length) throws Exception {
        connect();
        stack.reply(length);
        peer.send(get(77, 4, 4096, 10_000));
        KibMessage done = done(IbWorld.SECOND);
        assertThat(done.cookie()).isEqualTo(77);
        assertThat(done.status()).isEqualTo(length);
        for (int i = 0; i < length; i++) {
            long place = i < 4096 ? i : 10_000L + i - 4096;
            assertThat(peer.sinkByte(place)).isEqualTo(TestMessage.byteAt(i));
        }
        assertThat(peer.sinkByte(length < 4096 ? length : 10_000L + length - 4096))
                .isZero();
        assertThat(world.time().runUntil(() -> !stack.completions().isEmpty(), IbWorld.SECOND))
                .isTrue();
        assertThat(stack.completions()).isEqualTo(List.of(0));
    }

    @Test
    @Requirement("ibl-080")
    void aReplyThatDoesNotFitIsAnError() throws Exception {
        connect();
        stack.reply(5000);
        peer.send(get(77, 4, 4096));
        assertThat(done(IbWorld.SECOND).status()).isEqualTo(Errno.EPROTO.status());
        assertThat(world.time().runUntil(() -> !stack.completions().isEmpty(), IbWorld.SECOND))
                .isTrue();
        assertThat(stack.completions()).isEqualTo(List.of(Errno.EPROTO.status()));
    }

    @Test
    void anEmptyReplyIsTold() throws Exception {
        connect();
        stack.reply(0);
        peer.send(get(78, 4, 4096));
        assertThat(done(IbWorld.SECOND).status()).isZero();
    }

    @Test
    @Requirement("ibl-080")
    void withoutAReplyThePeerHearsThatThereIsNone() throws Exception {
        connect();
        peer.send(get(79, 4, 4096));
        KibMessage done = done(IbWorld.SECOND);
        assertThat(done.cookie()).isEqualTo(79);
        assertThat(done.status()).isEqualTo(Errno.ENODATA.status());
        assertThat(peer.had(CmEvent.Type.DISCONNECTED)).isFalse();
    }

    @Test
    @Requirement("ibl-090")
    void getsOfOneDescriptorAreToldApart() throws Exception {
        connect();
        stack.reply(100);
        for (int i = 0; i < 3; i++) {
            peer.send(get(80 + i, 4, 4096));
            world.time().run(IbWorld.SECOND / 10);
        }
        assertThat(peer.received().stream()
                        .filter(m -> m.type() == KibType.GET_DONE)
                        .map(KibMessage::cookie))
                .containsExactly(80L, 81L, 82L);
    }

    @Test
    @Requirement("ibl-050")
    void aPeerThatHasNoBuffersForTheAnswersLosesItsConnection() throws Exception {
        connect();
        stack.reply(100_000);
        // As many answers as may be posted do not leave; those behind them are not posted.
        world.device(0, 0).haltSends(true);
        for (int i = 0; i < 17; i++) {
            assertThat(peer.had(CmEvent.Type.DISCONNECTED)).isFalse();
            peer.send(get(80 + i, 4 + i, 100_000));
            world.time().run(IbWorld.SECOND / 10);
        }
        world.device(0, 0).haltSends(false);
        assertThat(world.time().runUntil(() -> peer.had(CmEvent.Type.DISCONNECTED), IbWorld.SECOND))
                .isTrue();
    }
}
