package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.base.Errno;
import org.railyard.conformance.TestMessage;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.CmEvent;

/** PUTs to a scripted peer: it says where to write, or does not want it (spec 20 §13.1). */
class PutRequestTest {
    private static final int LENGTH = 100_000;

    private final IbWorld world = new IbWorld(100_000_000);
    private final PeerExchange exchange = new PeerExchange(world);
    private final RawPeer peer = exchange.peer();

    private KibMessage putTo(int fragments) throws Exception {
        return exchange.putTo(fragments, exchange.message(LENGTH));
    }

    @ParameterizedTest
    @CsvSource({"1, 100000, 0", "257, 100000, 0", "2, 60000, 40000", "257, 1, 99999", "257, 5000, 0"})
    @Requirement({"ibl-080", "ibl-090", "mod-016"})
    void whatThePeerWantsIsWritten(int negotiated, int first, int second) throws Exception {
        KibMessage request = putTo(negotiated);
        assertThat(request.lnet().payloadLength()).isEqualTo(LENGTH);
        if (second == 0) {
            exchange.acknowledge(request.cookie(), first);
        } else {
            exchange.acknowledge(request.cookie(), first, second);
        }
        KibMessage done = exchange.awaitMessage(KibType.PUT_DONE);
        assertThat(done.cookie()).isEqualTo(55);
        assertThat(done.status()).isEqualTo(first + second);
        for (int i = 0; i < first + second; i++) {
            long place = i < first ? i : i + 1000L;
            if (peer.sinkByte(place) != TestMessage.byteAt(i)) {
                throw new AssertionError("byte " + i + " is wrong");
            }
        }
        assertThat(exchange.outcome().health()).isEqualTo(HealthStatus.OK);
    }

    @Test
    @Requirement({"mod-003", "mod-004", "mod-017", "ibl-080"})
    void moreWritesThanWereAgreedOnFailOnBothSides() throws Exception {
        KibMessage request = putTo(1);
        exchange.acknowledge(request.cookie(), 50_000, 50_000);
        assertThat(exchange.awaitMessage(KibType.PUT_DONE).status()).isEqualTo(Errno.EMSGSIZE.status());
        assertThat(exchange.outcome().status()).isEqualTo(Errno.EMSGSIZE.status());
        assertThat(exchange.outcome().health()).isEqualTo(HealthStatus.LOCAL_ERROR);
        assertThat(peer.sinkByte(0)).as("nothing was written").isZero();
        assertThat(peer.had(CmEvent.Type.DISCONNECTED)).isFalse();
    }

    @Test
    @Requirement({"mod-020", "mod-017"})
    void thirtyFourFragmentsOverThirtyTwoFailAndThirtyFourOverThirtyFourDoNot() throws Exception {
        KibMessage request = putTo(32);
        int[] pieces = new int[34];
        Arrays.fill(pieces, LENGTH / 34);
        try (LogTap log = new LogTap(O2ibLnd.class.getName())) {
            exchange.acknowledge(request.cookie(), pieces);
            assertThat(exchange.awaitMessage(KibType.PUT_DONE).status()).isEqualTo(Errno.EMSGSIZE.status());
            assertThat(exchange.outcome().status()).isEqualTo(Errno.EMSGSIZE.status());
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .contains(
                            IbWorld.nid(1, 0) + ": a transfer of " + LENGTH / 34 * 34 + " bytes",
                            "than the 32 fragments that were agreed on",
                            "before fragment 1 of 1 of the source and fragment 33 of 34 of the sink");
        }

        PeerExchange cured = new PeerExchange(new IbWorld(100_000_000));
        KibMessage again = cured.putTo(34, cured.message(LENGTH));
        cured.acknowledge(again.cookie(), pieces);
        assertThat(cured.awaitMessage(KibType.PUT_DONE).status()).isEqualTo(LENGTH / 34 * 34);
        assertThat(cured.outcome().health()).isEqualTo(HealthStatus.OK);
    }

    @ParameterizedTest
    @CsvSource({"0, OK", "-12, REMOTE_ERROR"})
    @Requirement("ibl-090")
    void aPeerMayWantNothing(int status, HealthStatus health) throws Exception {
        KibMessage request = putTo(257);
        KibMessage nak = exchange.fromPeer();
        nak.setCompletion(Kib.V2, KibType.PUT_NAK, request.cookie(), status);
        peer.send(nak);
        assertThat(exchange.outcome().status()).isEqualTo(status);
        assertThat(exchange.outcome().health()).isEqualTo(health);
    }

    @Test
    void aPeerThatWantsMoreThanThereIsLosesItsConnection() throws Exception {
        KibMessage request = putTo(257);
        exchange.acknowledge(request.cookie(), LENGTH + 1);
        assertThat(world.time().runUntil(() -> peer.had(CmEvent.Type.DISCONNECTED), IbWorld.SECOND))
                .isTrue();
        assertThat(exchange.outcome().status()).isEqualTo(Errno.EPROTO.status());
    }

    @Test
    @Requirement("ibl-050")
    void aPeerThatBeginsMorePutsThanItHasBuffersForLosesItsConnection() throws Exception {
        exchange.stack().store();
        exchange.connect(257);
        for (int i = 0; i < 9; i++) {
            assertThat(peer.had(CmEvent.Type.DISCONNECTED)).isFalse();
            KibMessage request = exchange.fromPeer();
            request.setPutRequest(
                    Kib.V2,
                    TestMessage.put(IbWorld.nid(1, 0), IbWorld.nid(0, 0), LENGTH)
                            .header(),
                    70 + i);
            peer.send(request);
            world.time().run(IbWorld.SECOND / 10);
        }
        assertThat(peer.received()).filteredOn(m -> m.type() == KibType.PUT_ACK).hasSize(8);
        assertThat(world.time().runUntil(() -> peer.had(CmEvent.Type.DISCONNECTED), IbWorld.SECOND))
                .isTrue();
    }

    @Test
    void withoutARegionPayloadsAreCopied() throws Exception {
        KibMessage request = putTo(257);
        // The mapping of the memory fails; the piece that is copied to can be registered.
        world.device(0, 0).failNextRegistrations(1);
        exchange.acknowledge(request.cookie(), LENGTH);
        assertThat(exchange.awaitMessage(KibType.PUT_DONE).status()).isEqualTo(LENGTH);
        assertThat(peer.sinkByte(LENGTH - 1L)).isEqualTo(TestMessage.byteAt(LENGTH - 1));
        assertThat(exchange.outcome().health()).isEqualTo(HealthStatus.OK);
    }

    @Test
    @Requirement("ibl-080")
    void withoutAnyMemoryBothSidesHearOfIt() throws Exception {
        KibMessage request = putTo(257);
        world.device(0, 0).failNextRegistrations(2);
        exchange.acknowledge(request.cookie(), LENGTH);
        assertThat(exchange.awaitMessage(KibType.PUT_DONE).status()).isEqualTo(Errno.ENOMEM.status());
        assertThat(exchange.outcome().status()).isEqualTo(Errno.ENOMEM.status());
    }
}
