package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.o2iblnd.wire.RejectReason;
import org.railyard.o2iblnd.wire.RejectRecord;
import org.railyard.softverbs.time.VirtualHost;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.NativeMemory;
import org.railyard.verbs.VerbsException;

/** Ends of connections, memory and peers are limited: what has none left ends, and nothing else. */
final class ScarceResourcesTest {
    private static final long PATIENCE = 7200 * IbWorld.SECOND;
    private static final int SERVICE = 987;

    private final IbWorld world = new IbWorld(PATIENCE);
    private final WatchedVerbs verbs = new WatchedVerbs(world.node(0));
    private final RecordingStack stack = new RecordingStack();
    private final O2ibLnd lnd = new O2ibLnd(
            stack,
            new VirtualHost(world.time(), new SplittableRandom(1), 1_000_000_000_000_000L),
            verbs.provider(),
            Tunables.DEFAULT);
    private final TestNi ni = IbWorld.ni(0, 0);

    private void await(String what, BooleanSupplier condition) {
        assertThat(world.time().runUntil(condition, 60 * IbWorld.SECOND))
                .as(what)
                .isTrue();
    }

    private void send() {
        assertThat(lnd.send(ni, TestMessage.put(ni.nid(), IbWorld.nid(1, 0), 10)))
                .isZero();
    }

    private void ask(RawPeer peer) {
        peer.connect(
                new CmAddress(IbWorld.address(1, 0), 1000),
                new CmAddress(IbWorld.address(0, 0), SERVICE),
                RawPeer.bytes(peer.request(ni.nid().nid4(), 0, 8, 257)));
    }

    private RawPeer peer(Nid nid) {
        return new RawPeer(world.node(1), nid.nid4(), 77);
    }

    @Test
    void aCardThatBreaksIsFatalThoughItDoesNotTellOfItsPort() {
        lnd.startup(ni);
        verbs.silence();
        world.device(0, 0).fail();
        await("the stack hears of it", () -> stack.deviceNews().contains(DeviceEvent.FATAL));
    }

    @Test
    void noRoomForOneMoreEndEndsTheAttemptAndNotTheTimeLimits() {
        lnd.startup(ni);
        verbs.failIds(1);
        send();
        await("it fails", () -> stack.outcomes().size() == 1);
        assertThat(stack.outcomes().getFirst().status()).isEqualTo(Errno.ENOMEM.status());
        assertThat(stack.outcomes().getFirst().health()).isEqualTo(HealthStatus.LOCAL_DROPPED);
        // Nobody answers there: only a time limit ends it.
        send();
        await("the time limits are looked at", () -> stack.outcomes().size() == 2);
        world.start(1, new RecordingStack(), Tunables.DEFAULT).startup(IbWorld.ni(1, 0));
        send();
        await("it gets through", () -> stack.outcomes().size() == 3);
        assertThat(stack.outcomes().getLast().health()).isEqualTo(HealthStatus.OK);
    }

    @Test
    void aPortThatSomebodyHasEverywhereIsLeftOut() {
        verbs.takeEverywhere(1023);
        lnd.startup(ni);
        world.start(1, new RecordingStack(), Tunables.DEFAULT.with(O2ibTunable.REQUIRE_PRIVILEGED_PORT, 1))
                .startup(IbWorld.ni(1, 0));
        send();
        await("it gets through", () -> stack.outcomes().size() == 1);
        assertThat(stack.outcomes().getFirst().health()).isEqualTo(HealthStatus.OK);
    }

    @Test
    void whoeverIsNotFoundInTimeIsNotThere() {
        verbs.lose(CmEvent.Type.ADDRESS_RESOLVED);
        lnd.startup(ni);
        send();
        await("it is given up", () -> stack.outcomes().size() == 1);
        assertThat(stack.outcomes().getFirst().status()).isEqualTo(Errno.EHOSTUNREACH.status());
        assertThat(stack.outcomes().getFirst().health())
                .as("this node's interface is not to blame")
                .isEqualTo(HealthStatus.REMOTE_DROPPED);
    }

    @Test
    void whoGivesUpBeforeItsRequestIsHandledLeavesNothingBehind() {
        lnd.startup(ni);
        verbs.end(true);
        int before = verbs.closed();
        ask(peer(IbWorld.nid(1, 0)));
        world.time().run(IbWorld.SECOND);
        assertThat(verbs.closed() - before).isEqualTo(1);
        verbs.end(false);
        ask(peer(IbWorld.nid(1, 0)));
        world.time().run(IbWorld.SECOND);
        assertThat(lnd.routes().getFirst().routes().getFirst().connections()).isEqualTo(1);
    }

    @Test
    @Requirement("ibl-020")
    void aCallerOnAnotherNetIsRejected() throws Exception {
        lnd.startup(ni);
        RawPeer stranger = peer(Nid.parse("10.0.0.2@o2ib7"));
        ask(stranger);
        await("the answer", () -> stranger.had(CmEvent.Type.REJECTED));
        assertThat(RejectRecord.read(stranger.last().privateData(), 0, 24).why())
                .isEqualTo(RejectReason.FATAL.code());
        assertThat(lnd.routes()).isEmpty();
    }

    @Test
    void aPeerThatOnlyCalledIsForgottenWithItsConnection() {
        lnd.startup(ni);
        RawPeer peer = peer(IbWorld.nid(1, 0));
        ask(peer);
        await("the connection", () -> peer.had(CmEvent.Type.ESTABLISHED));
        world.time().run(2 * IbWorld.SECOND);
        assertThat(lnd.routes()).hasSize(1);
        peer.giveUp();
        world.time().run(2 * IbWorld.SECOND);
        assertThat(lnd.routes()).isEmpty();
    }

    @Test
    void noRoomOutsideTheHeapIsAnErrorOfVerbs() {
        assertThatThrownBy(() -> NativeMemory.allocate(Long.MAX_VALUE / 2, 1))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.code()).isEqualTo(VerbsException.Code.ENOMEM))
                .hasMessageContaining("-XX:MaxDirectMemorySize");
    }
}
