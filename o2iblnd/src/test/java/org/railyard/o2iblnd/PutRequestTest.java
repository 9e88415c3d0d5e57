package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.lnet.Errno;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.RdmaDescriptor;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;

/** PUTs to a scripted peer: it says where to write, or does not want it (spec 20 §13.1). */
class PutRequestTest {
    private static final int LENGTH = 100_000;

    private final IbWorld world = new IbWorld(100_000_000);
    private final Nid here = IbWorld.nid(0, 0);
    private final Nid there = IbWorld.nid(1, 0);
    private final TestNi ni = TestNi.of(0, 0);
    private final RecordingStack stack = new RecordingStack();
    private final O2ibLnd lnd = world.start(0, stack, Tunables.DEFAULT);
    private final RawPeer peer = new RawPeer(world.node(1), there.nid4(), 5);
    private long stamp;

    private KibMessage awaitMessage(KibType type) {
        assertThat(world.time()
                        .runUntil(() -> peer.received().stream().anyMatch(m -> m.type() == type), IbWorld.SECOND))
                .isTrue();
        return peer.received().stream()
                .filter(m -> m.type() == type)
                .findFirst()
                .orElseThrow();
    }

    /** Connects with so many fragments, sends a PUT, and returns the request that the peer gets. */
    private KibMessage putTo(int fragments) throws Exception {
        lnd.startup(ni);
        peer.connect(
                new CmAddress(IbWorld.address(1, 0), 1000),
                new CmAddress(IbWorld.address(0, 0), Kib.SERVICE_PORT),
                RawPeer.bytes(peer.request(here.nid4(), 0, 8, fragments)));
        assertThat(world.time().runUntil(() -> peer.had(CmEvent.Type.ESTABLISHED), IbWorld.SECOND))
                .isTrue();
        KibMessage answer = new KibMessage();
        answer.read(peer.last().privateData(), 0, 196);
        stamp = answer.header().sourceStamp();
        // The message that says that the connection is up may still be on its way.
        world.time().run(IbWorld.SECOND / 10);
        assertThat(lnd.send(ni, TestMessage.put(here, there, LENGTH))).isZero();
        return awaitMessage(KibType.PUT_REQ);
    }

    private void acknowledge(long cookie, int... fragments) {
        RdmaDescriptor sink = new RdmaDescriptor();
        sink.reset(peer.sinkKey());
        long offset = 0;
        for (int length : fragments) {
            sink.add(peer.sinkAddress(offset), length);
            offset += length + 1000;
        }
        KibMessage message = peer.message(here.nid4(), stamp);
        message.setPutAck(Kib.V2, cookie, 55, sink);
        peer.send(message);
    }

    private RecordingStack.Outcome outcome() {
        assertThat(world.time().runUntil(() -> !stack.outcomes().isEmpty(), IbWorld.SECOND))
                .isTrue();
        assertThat(stack.outcomes()).hasSize(1);
        return stack.outcomes().getFirst();
    }

    @ParameterizedTest
    @CsvSource({"1, 100000, 0", "257, 100000, 0", "2, 60000, 40000", "257, 1, 99999", "257, 5000, 0"})
    @Requirement({"ibl-080", "ibl-090", "mod-016"})
    void whatThePeerWantsIsWritten(int negotiated, int first, int second) throws Exception {
        KibMessage request = putTo(negotiated);
        assertThat(request.lnet().payloadLength()).isEqualTo(LENGTH);
        if (second == 0) {
            acknowledge(request.cookie(), first);
        } else {
            acknowledge(request.cookie(), first, second);
        }
        KibMessage done = awaitMessage(KibType.PUT_DONE);
        assertThat(done.cookie()).isEqualTo(55);
        assertThat(done.status()).isEqualTo(first + second);
        for (int i = 0; i < first + second; i++) {
            long place = i < first ? i : i + 1000L;
            if (peer.sinkByte(place) != TestMessage.byteAt(i)) {
                throw new AssertionError("byte " + i + " is wrong");
            }
        }
        assertThat(outcome().health()).isEqualTo(HealthStatus.OK);
    }

    @Test
    @Requirement({"mod-017", "ibl-080"})
    void moreWritesThanWereAgreedOnFailOnBothSides() throws Exception {
        KibMessage request = putTo(1);
        acknowledge(request.cookie(), 50_000, 50_000);
        assertThat(awaitMessage(KibType.PUT_DONE).status()).isEqualTo(Errno.EMSGSIZE.status());
        assertThat(outcome().status()).isEqualTo(Errno.EMSGSIZE.status());
        assertThat(outcome().health()).isEqualTo(HealthStatus.LOCAL_ERROR);
        assertThat(peer.sinkByte(0)).as("nothing was written").isZero();
        assertThat(peer.had(CmEvent.Type.DISCONNECTED)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0, OK", "-12, REMOTE_ERROR"})
    @Requirement("ibl-090")
    void aPeerMayWantNothing(int status, HealthStatus health) throws Exception {
        KibMessage request = putTo(257);
        KibMessage nak = peer.message(here.nid4(), stamp);
        nak.setCompletion(Kib.V2, KibType.PUT_NAK, request.cookie(), status);
        peer.send(nak);
        assertThat(outcome().status()).isEqualTo(status);
        assertThat(outcome().health()).isEqualTo(health);
    }

    @Test
    void aPeerThatWantsMoreThanThereIsLosesItsConnection() throws Exception {
        KibMessage request = putTo(257);
        acknowledge(request.cookie(), LENGTH + 1);
        assertThat(world.time().runUntil(() -> peer.had(CmEvent.Type.DISCONNECTED), IbWorld.SECOND))
                .isTrue();
        assertThat(outcome().status()).isEqualTo(Errno.EPROTO.status());
    }

    @Test
    void withoutARegionPayloadsAreCopied() throws Exception {
        KibMessage request = putTo(257);
        // The mapping of the memory fails; the piece that is copied to can be registered.
        world.device(0, 0).failNextRegistrations(1);
        acknowledge(request.cookie(), LENGTH);
        assertThat(awaitMessage(KibType.PUT_DONE).status()).isEqualTo(LENGTH);
        assertThat(peer.sinkByte(LENGTH - 1L)).isEqualTo(TestMessage.byteAt(LENGTH - 1));
        assertThat(outcome().health()).isEqualTo(HealthStatus.OK);
    }

    @Test
    @Requirement("ibl-080")
    void withoutAnyMemoryBothSidesHearOfIt() throws Exception {
        KibMessage request = putTo(257);
        world.device(0, 0).failNextRegistrations(2);
        acknowledge(request.cookie(), LENGTH);
        assertThat(awaitMessage(KibType.PUT_DONE).status()).isEqualTo(Errno.ENOMEM.status());
        assertThat(outcome().status()).isEqualTo(Errno.ENOMEM.status());
    }
}
