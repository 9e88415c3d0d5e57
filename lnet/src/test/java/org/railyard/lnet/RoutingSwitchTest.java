package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.RouterBufferInfo;
import org.railyard.lnet.api.RouterBufferSize;
import org.railyard.lnet.api.RoutingState;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.testkit.LogTap;

/**
 * A node becomes a router and stops being one, and what it says of its nets meanwhile (spec 11 §6.5, §6.7), by the
 * clock of a recorded router.
 */
class RoutingSwitchTest extends OneRouter {
    private static final int WINDOW = 10;

    @Override
    Settings settings() {
        return Settings.of(CompatProfile.LUSTRE)
                .with(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, 5)
                .with(Tunable.ROUTER_PING_TIMEOUT, 5);
    }

    private RoutingState state() {
        return router.routing().state();
    }

    private static PingInfo read(byte[] bytes) {
        try {
            return PingInfo.read(MemorySegment.ofArray(bytes), 0, bytes.length, PingInfo.MAX_INTERFACES);
        } catch (WireFormatException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Returns what the router sent that speaks of itself since the log was last taken: to whom, features, status of its
     * nets.
     */
    private List<String> said() {
        return net.takeLog().stream()
                .filter(packet -> packet.from().equals(NEAR) || packet.from().equals(FAR))
                .filter(packet -> packet.header().type() == MessageType.REPLY
                        || (packet.header().type() == MessageType.PUT
                                && packet.header().portal() == Wire.RESERVED_PORTAL))
                .map(RoutingSwitchTest::describe)
                .toList();
    }

    private static String describe(TestNetwork.Packet packet) {
        PingInfo info = read(packet.payload());
        StringBuilder text =
                new StringBuilder(packet.header().type() + " " + packet.header().destNid());
        text.append(info.hasFeature(PingInfo.RTE_DISABLED) ? " off" : " on");
        info.entries().stream()
                .filter(entry -> !entry.nid().isLoopback())
                .forEach(entry -> text.append(entry.isDown() ? " DOWN" : " UP"));
        return text.toString();
    }

    private int sequence() {
        pass(ping(CLIENT, NEAR));
        return read(net.takeLog().getFirst().payload()).sequence();
    }

    private void meetBoth() {
        net.await(router.discover(CLIENT, false));
        net.await(router.discover(SERVER, false));
        net.takeLog();
    }

    @Test
    void aRouterStartsAsARecordedOneDid() {
        meetBoth();
        int sequence = sequence();
        router.routing().enable();
        assertThat(state()).isEqualTo(RoutingState.STARTING);
        assertThat(state().number()).isEqualTo(3);
        assertThat(router.routing().buffers())
                .containsExactly(
                        new RouterBufferInfo(0, RouterBufferSize.TINY, 2048, 2048, 2048),
                        new RouterBufferInfo(0, RouterBufferSize.SMALL, 16_384, 16_384, 16_384),
                        new RouterBufferInfo(0, RouterBufferSize.LARGE, 1024, 1024, 1024));
        net.pass(1);
        assertThat(said())
                .as("nobody has pinged yet")
                .containsExactlyInAnyOrder("PUT " + CLIENT + " off DOWN DOWN", "PUT " + SERVER + " off DOWN DOWN");
        pass(ping(CLIENT, NEAR));
        assertThat(said())
                .containsExactlyInAnyOrder(
                        "REPLY " + CLIENT + " off UP DOWN",
                        "PUT " + CLIENT + " off UP DOWN",
                        "PUT " + SERVER + " off UP DOWN");
        pass(ping(SERVER, FAR));
        assertThat(said())
                .containsExactlyInAnyOrder(
                        "REPLY " + SERVER + " off UP UP",
                        "PUT " + CLIENT + " off UP UP",
                        "PUT " + SERVER + " off UP UP");
        pass(put(CLIENT, SERVER, 100, 7));
        assertThat(numbersPassed()).as("what it forwards already").containsExactly(7L);
        net.pass(WINDOW - 2);
        assertThat(state()).isEqualTo(RoutingState.STARTING);
        net.takeLog();
        net.pass(1);
        assertThat(state()).isEqualTo(RoutingState.ENABLED);
        assertThat(said()).containsExactlyInAnyOrder("PUT " + CLIENT + " on UP UP", "PUT " + SERVER + " on UP UP");
        assertThat(sequence()).as("everything was said in place").isEqualTo(sequence);
    }

    @Test
    void netsFallSilentOneByOne() {
        meetBoth();
        router.routing().enable();
        pass(ping(SERVER, FAR));
        net.pass(1);
        for (int i = 0; i < 3; i++) {
            pass(ping(CLIENT, NEAR));
            net.pass(5);
        }
        assertThat(said()).contains("PUT " + CLIENT + " on UP DOWN", "PUT " + SERVER + " on UP DOWN");
        assertThat(router.nis()).extracting(NiInfo::up).containsExactly(true, false);
        pass(put(CLIENT, SERVER, 100, 7));
        assertThat(numbersPassed())
                .as("what is announced does not keep it from trying")
                .containsExactly(7L);
    }

    @Test
    void ourOwnPingsDoNotCount() {
        router.routing().enable();
        net.pass(1);
        net.inject(FAR, ping(FAR, NEAR), new byte[0], NEAR);
        net.settle();
        assertThat(router.nis()).extracting(NiInfo::up).containsExactly(false, false);
    }

    @Test
    void aRouterStops() {
        meetBoth();
        router.routing().enable();
        net.pass(WINDOW);
        pass(ping(CLIENT, NEAR));
        pass(ping(SERVER, FAR));
        net.takeLog();
        router.routing().disable();
        assertThat(state()).isEqualTo(RoutingState.STOPPING);
        assertThat(said()).as("nobody is told").isEmpty();
        pass(ping(CLIENT, NEAR));
        assertThat(said()).as("but who asks").containsExactly("REPLY " + CLIENT + " off UP UP");
        expect(Errno.EBUSY, router.routing()::enable);
        router.routing().disable();
        net.pass(WINDOW - 1);
        pass(put(CLIENT, SERVER, 100, 7));
        assertThat(numbersPassed()).containsExactly(7L);
        assertThat(state()).isEqualTo(RoutingState.STOPPING);
        net.pass(1);
        assertThat(state()).isEqualTo(RoutingState.DISABLED);
        assertThat(said()).isEmpty();
        assertThat(router.routing().buffers()).isEmpty();
        assertThat(router.nis()).allMatch(NiInfo::up);
        router.routing().enable();
        assertThat(state()).isEqualTo(RoutingState.STARTING);
    }

    @Test
    void thatItStopsIsTakenBack() {
        meetBoth();
        router.routing().enable();
        net.pass(WINDOW);
        pass(ping(CLIENT, NEAR));
        pass(ping(SERVER, FAR));
        router.routing().disable();
        net.takeLog();
        router.routing().resume();
        assertThat(state()).isEqualTo(RoutingState.ENABLED);
        net.settle();
        assertThat(said())
                .as("whoever has asked meanwhile learns of it")
                .containsExactlyInAnyOrder("PUT " + CLIENT + " on UP UP", "PUT " + SERVER + " on UP UP");
        net.pass(3 * WINDOW);
        assertThat(state()).isEqualTo(RoutingState.ENABLED);
        net.takeLog();
        router.routing().resume();
        net.settle();
        assertThat(said()).as("nothing to take back").isEmpty();
    }

    @Test
    void whatWasStartingBeginsToWaitAnewAndWhatHasStoppedBeginsAnew() {
        router.routing().enable();
        net.pass(WINDOW - 1);
        router.routing().disable();
        router.routing().resume();
        assertThat(state()).isEqualTo(RoutingState.STARTING);
        net.pass(WINDOW - 1);
        assertThat(state()).isEqualTo(RoutingState.STARTING);
        net.pass(1);
        assertThat(state()).isEqualTo(RoutingState.ENABLED);
        router.routing().disable();
        net.pass(WINDOW);
        assertThat(state()).isEqualTo(RoutingState.DISABLED);
        router.routing().resume();
        assertThat(state()).isEqualTo(RoutingState.STARTING);
    }

    @Test
    void fewBuffersAreToldOnce() {
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            router.set(Tunable.TINY_BUFFERS, 10);
            router.routing().enable();
            router.set(Tunable.SMALL_BUFFERS, 20);
            router.set(Tunable.LARGE_BUFFERS, 300);
            assertThat(log.lines().stream().filter(line -> line.contains("few router buffers")))
                    .satisfiesExactly(
                            line -> assertThat(line).contains("tiny_buffers is 10"),
                            line -> assertThat(line)
                                    .contains("small_buffers is 20")
                                    .doesNotContain("tiny_buffers"));
        }
    }

    @Test
    void turningItOnTwiceLeavesItsBuffersAsTheyAre() {
        router.routing().enable();
        net.hold(header -> header.portal() == PORTAL);
        pass(put(CLIENT, SERVER, 100, 1));
        List<RouterBufferInfo> inUse = router.routing().buffers();
        assertThat(pool(RouterBufferSize.SMALL).credits()).isEqualTo(16_383);
        router.routing().enable();
        assertThat(router.routing().buffers()).isEqualTo(inUse);
    }

    @Test
    void itWaitsForItsLastMessagesButNotForEver() {
        router.set(Tunable.SMALL_BUFFERS, 1);
        router.routing().enable();
        net.hold(header -> header.portal() == PORTAL);
        pass(put(CLIENT, SERVER, 100, 1));
        pass(put(CLIENT, SERVER, 100, 2));
        router.routing().disable();
        net.pass(3 * WINDOW - 1);
        assertThat(state()).isEqualTo(RoutingState.STOPPING);
        net.pass(1);
        assertThat(state()).isEqualTo(RoutingState.DISABLED);
        assertThat(count(Statistic.DROP_COUNT)).as("the one that waited").isEqualTo(1);
        net.releaseAll();
        assertThat(numbersPassed()).as("the one that was on its way").containsExactly(1L);
    }

    @Test
    void itStopsAsSoonAsItsLastMessageIsGone() {
        router.routing().enable();
        net.hold(header -> header.portal() == PORTAL);
        pass(put(CLIENT, SERVER, 100, 1));
        router.routing().disable();
        net.pass(WINDOW + 3);
        assertThat(state()).isEqualTo(RoutingState.STOPPING);
        net.releaseAll();
        net.pass(1);
        assertThat(state()).isEqualTo(RoutingState.DISABLED);
    }

    @Test
    void aLinkOfARouterFails() {
        meetBoth();
        router.routing().enable();
        pass(ping(CLIENT, NEAR));
        pass(ping(SERVER, FAR));
        int sequence = sequence();
        net.device(FAR.toString(), DeviceEvent.FATAL);
        assertThat(said()).first().isEqualTo("PUT " + CLIENT + " off UP DOWN");
        net.device(FAR.toString(), DeviceEvent.CLEAR);
        assertThat(said()).contains("PUT " + CLIENT + " off UP UP");
        assertThat(sequence()).isEqualTo(sequence);
    }

    @Test
    void withDiscoveryOffNobodyIsToldOfALink() {
        meetBoth();
        router.routing().enable();
        pass(ping(CLIENT, NEAR));
        pass(ping(SERVER, FAR));
        router.set(Tunable.DISCOVERY, 0);
        net.settle();
        net.takeLog();
        net.device(FAR.toString(), DeviceEvent.FATAL);
        assertThat(said()).isEmpty();
        pass(ping(CLIENT, NEAR));
        assertThat(said()).as("but who asks").containsExactly("REPLY " + CLIENT + " off UP DOWN");
    }

    @Test
    void whatIsSetWhileItIsOffCountsLater() {
        router.set(Tunable.TINY_BUFFERS, 700);
        assertThat(router.routing().buffers()).isEmpty();
        router.routing().enable();
        assertThat(pool(RouterBufferSize.TINY).buffers()).isEqualTo(700);
        expect(Errno.EINVAL, () -> router.set(Tunable.TINY_BUFFERS, -1));
    }

    @Test
    void routerCreditsOfPeers() {
        pass(ping(CLIENT, NEAR));
        assertThat(peerNi(CLIENT).routerCredits()).as("as many as send credits").isEqualTo(8);
        LNet second = net.node(settings().with(Tunable.PEER_BUFFER_CREDITS, 20), "10.0.0.10@tcp");
        net.inject(CLIENT, ping(CLIENT, Nid.parse("10.0.0.10@tcp")), new byte[0], Nid.parse("10.0.0.10@tcp"));
        net.settle();
        assertThat(second.inventory()
                        .peer(CLIENT)
                        .orElseThrow()
                        .nis()
                        .getFirst()
                        .routerCredits())
                .isEqualTo(20);
    }

    private static void expect(Errno errno, ThrowingCallable call) {
        TwoNodes.expect(errno, call);
    }
}
