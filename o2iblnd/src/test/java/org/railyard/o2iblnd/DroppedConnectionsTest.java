package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.o2iblnd.bond.RouteState;
import org.railyard.o2iblnd.bond.Targets;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.softverbs.time.VirtualHost;
import org.railyard.verbs.CmEvent;

/**
 * A peer of which others know that it is gone: its connections end at once, and are made again for the next message.
 */
class DroppedConnectionsTest {
    private final IbWorld world = new IbWorld(100_000_000);
    private final RecordingStack stack = new RecordingStack();
    private final TestNi ni = IbWorld.ni(0, 0);
    private final O2ibLnd lnd = world.start(0, stack, Tunables.DEFAULT);

    private void send() {
        send(64);
    }

    private void send(int bytes) {
        int before = stack.outcomes().size();
        assertThat(lnd.send(ni, TestMessage.put(IbWorld.nid(0, 0), IbWorld.nid(1, 0), bytes)))
                .isZero();
        assertThat(world.time().runUntil(() -> stack.outcomes().size() > before, 10 * IbWorld.SECOND))
                .isTrue();
        assertThat(stack.outcomes().getLast().health()).isEqualTo(HealthStatus.OK);
    }

    private RouteState state() {
        return lnd.routes().getFirst().routes().getFirst().state();
    }

    /** To their sender they are delivered, so they are for their receiver, too. */
    @Test
    void whatIsThereWholeIsDeliveredBehindTheEnd() {
        RecordingStack far = new RecordingStack();
        lnd.startup(ni);
        world.start(1, far, Tunables.DEFAULT).startup(IbWorld.ni(1, 0));
        far.store();
        far.hold();
        for (int i = 0; i < 3; i++) {
            send();
        }
        lnd.dropConnections(ni, IbWorld.nid(1, 0));
        world.time().run(IbWorld.SECOND);
        assertThat(state()).isNotEqualTo(RouteState.CONNECTED);
        assertThat(far.outcomes()).isEmpty();
        far.answer();
        world.time().run(IbWorld.SECOND);
        assertThat(far.outcomes()).hasSize(3).allMatch(each -> each.status() == 0);
    }

    /** The card has received it and said so to its sender; that the peer has left is known before it is looked at. */
    @ParameterizedTest
    @ValueSource(ints = {64, 100_000})
    void whatHasArrivedIsDeliveredThoughTheEndIsSeenFirst(int bytes) {
        RecordingStack far = new RecordingStack();
        lnd.startup(ni);
        world.start(1, far, Tunables.DEFAULT).startup(IbWorld.ni(1, 0));
        far.store();
        send(bytes);
        world.device(1, 0).delayCompletions(IbWorld.SECOND / 10);
        send(bytes);
        lnd.dropConnections(ni, IbWorld.nid(1, 0));
        world.time().run(IbWorld.SECOND);
        assertThat(state()).isNotEqualTo(RouteState.CONNECTED);
        assertThat(far.outcomes()).hasSize(2).allMatch(each -> each.status() == 0);
    }

    /** A card receives as soon as a request is accepted; that the peer has left may be known before it is up here. */
    @Test
    void whatArrivesBeforeTheConnectionIsUpIsDeliveredThoughItEndsFirst() {
        RecordingStack far = new RecordingStack();
        VirtualHost host = new VirtualHost(world.time(), new SplittableRandom(1), IbWorld.SECOND);
        WatchedVerbs verbs = new WatchedVerbs(world.node(1));
        verbs.lose(CmEvent.Type.ESTABLISHED);
        lnd.startup(ni);
        new O2ibLnd(far, host, verbs.provider(), Tunables.DEFAULT, new Targets(), _ -> 24).startup(IbWorld.ni(1, 0));
        far.store();
        for (int i = 0; i < 3; i++) {
            send();
        }
        assertThat(far.arrived()).isZero();
        lnd.dropConnections(ni, IbWorld.nid(1, 0));
        world.time().run(IbWorld.SECOND);
        assertThat(world.device(1, 0).qpCount()).isZero();
        assertThat(far.outcomes()).hasSize(3).allMatch(each -> each.status() == 0);
    }

    /** A REPLY that was written is there, though the GET that asked for it ends with its connection. */
    @Test
    void aGetWhoseAnswerHasArrivedEndsWell() {
        RecordingStack far = new RecordingStack();
        TestNi farNi = IbWorld.ni(1, 0);
        lnd.startup(ni);
        O2ibLnd asking = world.start(1, far, Tunables.DEFAULT);
        asking.startup(farNi);
        send();
        far.placeReplies();
        stack.store();
        world.device(1, 0).delayCompletions(IbWorld.SECOND / 10);
        assertThat(asking.send(farNi, TestMessage.get(farNi.nid(), ni.nid(), 100_000)))
                .isZero();
        assertThat(world.time().runUntil(() -> stack.outcomes().size() == 2, 10 * IbWorld.SECOND))
                .as("the REPLY has left")
                .isTrue();
        lnd.dropConnections(ni, farNi.nid());
        world.time().run(IbWorld.SECOND);
        assertThat(far.outcomes()).hasSize(2).allMatch(each -> each.status() == 0);
    }

    @Test
    void connectionsEndAndAreMadeAgain() {
        lnd.startup(ni);
        world.start(1, new RecordingStack(), Tunables.DEFAULT).startup(IbWorld.ni(1, 0));
        send();
        assertThat(state()).isEqualTo(RouteState.CONNECTED);
        lnd.dropConnections(ni, IbWorld.nid(2, 0));
        world.time().run(IbWorld.SECOND);
        assertThat(state()).as("those to others stay").isEqualTo(RouteState.CONNECTED);
        lnd.dropConnections(ni, IbWorld.nid(1, 0));
        world.time().run(IbWorld.SECOND);
        assertThat(state()).isNotEqualTo(RouteState.CONNECTED);
        send();
        assertThat(state()).isEqualTo(RouteState.CONNECTED);
    }
}
