package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.o2iblnd.bond.RouteState;
import org.railyard.o2iblnd.tune.Tunables;

/**
 * A peer of which others know that it is gone: its connections end at once, and are made again for the next message.
 */
class DroppedConnectionsTest {
    private final IbWorld world = new IbWorld(100_000_000);
    private final RecordingStack stack = new RecordingStack();
    private final TestNi ni = IbWorld.ni(0, 0);
    private final O2ibLnd lnd = world.start(0, stack, Tunables.DEFAULT);

    private void send() {
        int before = stack.outcomes().size();
        assertThat(lnd.send(ni, TestMessage.put(IbWorld.nid(0, 0), IbWorld.nid(1, 0), 64)))
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
