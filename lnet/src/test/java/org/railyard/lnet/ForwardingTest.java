package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.RouterBufferInfo;
import org.railyard.lnet.api.RouterBufferSize;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Traffic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.Intruder;
import org.railyard.lnet.sim.ScriptedPeer;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.testkit.Requirement;

/** What a router does with messages of others (spec 10 §7, §9, §10; 11 §6.6, §6.9). */
class ForwardingTest extends OneRouter {
    @Override
    Settings settings() {
        return super.settings()
                .with(Tunable.TINY_BUFFERS, 3)
                .with(Tunable.SMALL_BUFFERS, 3)
                .with(Tunable.LARGE_BUFFERS, 3);
    }

    @Test
    void messagesPassAsTheyAre() {
        List<LNetHeader> all = List.of(
                put(CLIENT, SERVER, 0, 1),
                put(CLIENT, SERVER, 4096, 2),
                put(CLIENT, SERVER, Wire.MTU, 3),
                get(CLIENT, SERVER),
                reply(SERVER, CLIENT, 5000),
                ack(SERVER, CLIENT));
        for (LNetHeader header : all) {
            pass(header);
            Nid side = header.srcNid().equals(CLIENT) ? FAR : NEAR;
            List<TestNetwork.Packet> passed = net.takeLog().stream()
                    .filter(packet -> packet.from().equals(side))
                    .toList();
            assertThat(passed).hasSize(1);
            assertThat(wire(passed.getFirst().header())).isEqualTo(wire(header));
            assertThat(passed.getFirst().payload()).isEqualTo(payload(header));
        }
    }

    @Test
    void theyAreCountedOnceAndOnBothSides() {
        pass(put(CLIENT, SERVER, 1000, 1));
        pass(get(CLIENT, SERVER));
        pass(reply(SERVER, CLIENT, 500));
        assertThat(count(Statistic.ROUTE_COUNT)).isEqualTo(3);
        assertThat(count(Statistic.ROUTE_LENGTH)).isEqualTo(1500);
        assertThat(count(Statistic.SEND_COUNT) + count(Statistic.RECV_COUNT)).isZero();
        assertThat(count(Statistic.SEND_LENGTH) + count(Statistic.RECV_LENGTH)).isZero();
        assertThat(count(Statistic.DROP_COUNT)).isZero();
        Traffic far = router.inventory().trafficOf(FAR.net());
        assertThat(far.sent().put() + far.sent().get()).isEqualTo(2);
        assertThat(far.received().reply()).isEqualTo(1);
        assertThat(peerNi(CLIENT).traffic().received().sum()).isEqualTo(2);
        assertThat(peerNi(CLIENT).traffic().sent().reply()).isEqualTo(1);
        assertThat(peerNi(SERVER).traffic().putEgress().samples()).isZero();
    }

    @Test
    void aMessageTakesTheSmallestBufferThatItFitsInto() {
        pass(get(CLIENT, SERVER));
        assertThat(pool(RouterBufferSize.TINY).minCredits()).isEqualTo(2);
        pass(put(CLIENT, SERVER, 4096, 1));
        assertThat(pool(RouterBufferSize.SMALL).minCredits()).isEqualTo(2);
        assertThat(pool(RouterBufferSize.LARGE).minCredits()).isEqualTo(3);
        pass(put(CLIENT, SERVER, 4097, 1));
        assertThat(pool(RouterBufferSize.LARGE).minCredits()).isEqualTo(2);
        assertThat(peerNi(CLIENT).routerCredits()).isEqualTo(8);
        assertThat(peerNi(CLIENT).minRouterCredits()).isEqualTo(7);
    }

    @Test
    void withoutABufferAMessageWaits() {
        net.hold(header -> true);
        for (int i = 0; i < 5; i++) {
            pass(put(CLIENT, SERVER, 100, i));
        }
        pass(put(CLIENT, SERVER, 0, 5));
        assertThat(pool(RouterBufferSize.SMALL).credits()).isEqualTo(-2);
        assertThat(pool(RouterBufferSize.LARGE).credits())
                .as("pools do not borrow")
                .isEqualTo(3);
        assertThat(net.heldCount()).as("those with a buffer").isEqualTo(4);
        net.release(1);
        assertThat(pool(RouterBufferSize.SMALL).credits()).isEqualTo(-1);
        net.releaseAll();
        assertThat(numbersPassed()).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L);
        assertThat(pool(RouterBufferSize.SMALL).minCredits()).isEqualTo(-2);
        assertThat(count(Statistic.DROP_COUNT)).isZero();
    }

    @Test
    void waitingHasNoTimeLimit() {
        net.hold(header -> true);
        for (int i = 0; i < 5; i++) {
            pass(put(CLIENT, SERVER, 100, i));
        }
        net.jump(86_400_000_000_000L);
        net.pass(2);
        net.releaseAll();
        assertThat(numbersPassed()).hasSize(5);
    }

    @Test
    void buffersCanBecomeMoreAndLess() {
        net.hold(header -> true);
        for (int i = 0; i < 6; i++) {
            pass(put(CLIENT, SERVER, 100, i));
        }
        router.set(Tunable.SMALL_BUFFERS, 5);
        net.settle();
        assertThat(pool(RouterBufferSize.SMALL)).isEqualTo(new RouterBufferInfo(0, RouterBufferSize.SMALL, 5, -1, -1));
        assertThat(net.heldCount()).isEqualTo(5);
        router.set(Tunable.SMALL_BUFFERS, 1);
        assertThat(pool(RouterBufferSize.SMALL).buffers())
                .as("those in use stay")
                .isEqualTo(5);
        net.releaseAll();
        assertThat(numbersPassed()).hasSize(6);
        assertThat(pool(RouterBufferSize.SMALL).buffers()).isEqualTo(1);
    }

    @Test
    void routingOff() {
        router.routing().disable();
        net.pass(120);
        net.takeLog();
        pass(put(CLIENT, SERVER, 100, 1));
        assertThat(numbersPassed()).isEmpty();
        assertThat(count(Statistic.DROP_COUNT)).isEqualTo(1);
        assertThat(router.routing().buffers()).isEmpty();
    }

    @Test
    void whatMustNotBePassedOn() {
        Nid stranger = Nid.parse("10.0.0.77@tcp");
        assertThat(arrive(put(CLIENT, stranger, 1, 1))).as("on the same net").isEqualTo(Errno.EPROTO.status());
        assertThat(arrive(put(CLIENT, FAR, 1, 1))).as("the far side of us").isEqualTo(Errno.EPROTO.status());
        assertThat(arrive(put(CLIENT, Nid.ANY, 1, 1))).isEqualTo(Errno.EPROTO.status());
        assertThat(arrive(put(CLIENT, Nid.LOOPBACK, 1, 1))).isEqualTo(Errno.EPROTO.status());
        LNetHeader tooLong = put(CLIENT, SERVER, 0, 1);
        tooLong.setPut(Wire.MTU + 1, 17, 18, PORTAL, 1, 0, 0);
        assertThat(net.inject(CLIENT, tooLong, new byte[0], NEAR)).isEqualTo(Errno.EPROTO.status());
        assertThat(Intruder.getWithPlace(net, CLIENT, get(CLIENT, SERVER), NEAR))
                .isEqualTo(Errno.EPROTO.status());
        assertThat(net.takeLog()).isEmpty();
        assertThat(count(Statistic.ERRORS)).isEqualTo(6);
    }

    @Test
    void whatGoesNowhereIsDroppedAtOnce() {
        pass(put(CLIENT, Nid.parse("10.5.0.1@tcp5"), 100, 1));
        assertThat(router.inventory().peer(Nid.parse("10.5.0.1@tcp5"))).isEmpty();
        // Somebody sends us what we have sent: who passes it on would do so again and again.
        assertThat(net.inject(CLIENT, put(FAR, SERVER, 100, 1), new byte[100], NEAR))
                .isZero();
        net.settle();
        assertThat(count(Statistic.DROP_COUNT)).isEqualTo(2);
        assertThat(net.takeLog()).isEmpty();
        assertThat(pool(RouterBufferSize.SMALL).minCredits()).isEqualTo(3);
    }

    @Test
    void aPayloadThatDoesNotArrive() {
        Intruder.broken(net, CLIENT, put(CLIENT, SERVER, 50_000, 1), NEAR);
        net.settle();
        assertThat(net.takeLog()).isEmpty();
        assertThat(pool(RouterBufferSize.LARGE).minCredits()).isEqualTo(2);
        assertThat(pool(RouterBufferSize.LARGE).credits()).isEqualTo(3);
    }

    @Test
    @Requirement("rsl-085")
    void theRouterSendsAgain() {
        net.failNext(1, HealthStatus.REMOTE_DROPPED, header -> header.type() == MessageType.PUT);
        LNetHeader header = put(CLIENT, SERVER, 5000, 1);
        pass(header);
        List<TestNetwork.Packet> passed = net.takeLog();
        assertThat(passed.getFirst().payload()).isEqualTo(payload(header));
        assertThat(count(Statistic.RESEND_COUNT)).isEqualTo(1);
        assertThat(count(Statistic.ROUTE_COUNT)).isEqualTo(1);
        assertThat(peerNi(SERVER).health()).isLessThan(1000);
    }

    @Test
    void aMessageThatCanNotBeSentIsGivenUp() {
        net.fail(header -> new TestNetwork.Failure(Errno.EIO, HealthStatus.REMOTE_DROPPED));
        pass(put(CLIENT, SERVER, 5000, 1));
        assertThat(count(Statistic.RESEND_COUNT)).isEqualTo(2);
        assertThat(count(Statistic.FAILED_RESENDS)).isEqualTo(1);
        assertThat(count(Statistic.ROUTE_COUNT)).isZero();
    }

    @Test
    void whoIsKnownToBeDownIsNotTried() {
        ScriptedPeer both = new ScriptedPeer(net, SERVER, SECOND).says(MULTI_RAIL, 2, SERVER, SECOND);
        both.down(SECOND);
        net.await(router.discover(SERVER, true));
        net.takeLog();
        pass(put(CLIENT, SECOND, 100, 1));
        assertThat(numbersPassed()).isEmpty();
        assertThat(count(Statistic.REMOTE_DROPPED_COUNT)).isEqualTo(3);
        assertThat(count(Statistic.DROP_COUNT)).isEqualTo(3);
        // It shows that it lives.
        pass(ack(SECOND, CLIENT));
        pass(put(CLIENT, SECOND, 100, 2));
        assertThat(numbersPassed()).containsExactly(2L);
    }

    @Test
    @Requirement("rsl-145")
    void anNiWithoutPeerTimeoutTriesAnybody() {
        Nid up = Nid.parse("10.2.0.1@tcp2");
        Nid down = Nid.parse("10.2.0.2@tcp2");
        router.addNi(NiRequest.ofNid(Nid.parse("10.2.0.9@tcp2")).withTunables(new NetTunables(0, 8, 0, 256)));
        new ScriptedPeer(net, up, down).says(MULTI_RAIL, 2, up, down).down(down);
        new ScriptedPeer(net, SERVER, SECOND)
                .says(MULTI_RAIL, 2, SERVER, SECOND)
                .down(SECOND);
        net.await(router.discover(up, true));
        net.await(router.discover(SERVER, true));
        net.takeLog();
        pass(put(CLIENT, down, 100, 1));
        assertThat(numbersPassed()).containsExactly(1L);
        assertThat(count(Statistic.DROP_COUNT)).isZero();
        pass(put(CLIENT, SECOND, 100, 2));
        assertThat(numbersPassed())
                .as("by the other NI of the same transport, which has a limit")
                .isEmpty();
        assertThat(count(Statistic.DROP_COUNT)).isPositive();
    }

    @Test
    void anNiGoesWhileMessagesThatCameByItWait() {
        net.hold(header -> true);
        for (int i = 0; i < 12; i++) {
            pass(put(CLIENT, SERVER, i % 2 * 5000, i));
        }
        pass(reply(SERVER, CLIENT, 100));
        router.removeNi(NEAR);
        net.releaseAll();
        assertThat(numbersPassed()).hasSize(6);
        assertThat(count(Statistic.DROP_COUNT)).as("what waited").isEqualTo(6);
    }

    @Test
    void aNodeIsClosedWhileMessagesWait() {
        net.hold(header -> true);
        for (int i = 0; i < 12; i++) {
            pass(put(CLIENT, SERVER, i % 2 * 5000, i));
        }
        router.close();
        assertThat(router.messagesInUse()).isZero();
    }

    @Test
    void onePeerTakesNoMoreThanItsShare() {
        long[] numbers = LongStream.range(0, 12).toArray();
        router.set(Tunable.SMALL_BUFFERS, 100);
        net.hold(header -> header.destNid().equals(SERVER));
        for (long number : numbers) {
            pass(put(CLIENT, SERVER, 100, number));
        }
        assertThat(peerNi(CLIENT).routerCredits()).isEqualTo(-4);
        assertThat(pool(RouterBufferSize.SMALL).credits()).isEqualTo(92);
        peer(SECOND);
        pass(put(OTHER, SECOND, 100, 99));
        assertThat(numbersPassed()).containsExactly(99L);
        net.releaseAll();
        assertThat(numbersPassed())
                .containsExactly(LongStream.of(numbers).boxed().toArray(Long[]::new));
        assertThat(peerNi(CLIENT).minRouterCredits()).isEqualTo(-4);
    }
}
