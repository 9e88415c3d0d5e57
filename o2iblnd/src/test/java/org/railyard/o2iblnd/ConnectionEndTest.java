package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.o2iblnd.bond.RouteState;
import org.railyard.o2iblnd.tune.Tunables;

/** What the stack is told of connections: that there is one where there was none, and that the last one has ended. */
class ConnectionEndTest {
    private final IbWorld world = new IbWorld(100_000_000);

    private Side connected(Map<String, Integer> tunables) {
        Side near = Side.ordinary(world, 0, tunables);
        near.sendWell(Side.ordinary(world, 1, tunables), 1, 10);
        world.time().run(IbWorld.SECOND);
        assertThat(near.stack().connectionNews()).containsExactly(true);
        return near;
    }

    private void assertDownOnce(Side near) {
        world.time().run(IbWorld.SECOND);
        assertThat(near.stack().connectionNews()).containsExactly(true, false);
        assertThat(near.stack().peerNews()).as("nobody is to blame").doesNotContain(false);
    }

    @Test
    void theNiStops() {
        Side near = connected(Map.of());
        near.lnd().shutdown(near.ni());
        assertDownOnce(near);
    }

    @Test
    void theDeviceFails() {
        Side near = connected(Map.of());
        near.link(0, false);
        assertDownOnce(near);
    }

    @Test
    void thePeerLeaves() {
        Side near = Side.ordinary(world, 0);
        Side far = Side.ordinary(world, 1);
        near.sendWell(far, 1, 10);
        far.lnd().shutdown(far.ni());
        assertDownOnce(near);
    }

    @Test
    void nothingIsSentForLong() {
        Side near = connected(Map.of("conn_idle_timeout", 10));
        world.time().run(20 * IbWorld.SECOND);
        assertDownOnce(near);
    }

    /** As the stack asks for it when it has forgotten the peer. */
    @Test
    void thePeerIsGone() {
        Side near = connected(Map.of());
        near.lnd().dropConnections(near.ni(), IbWorld.nid(1, 0));
        world.time().run(IbWorld.SECOND);
        assertThat(near.stack().connectionNews()).containsExactly(true, false);
        assertThat(near.stack().peerNews()).containsExactly(true, false);
    }

    @Test
    void thePeerHasRestarted() {
        Side near = connected(Map.of());
        world.node(1).close();
        RecordingStack again = new RecordingStack();
        TestNi ni = IbWorld.ni(1, 0);
        O2ibLnd far = world.start(1, again, Tunables.DEFAULT);
        far.startup(ni);
        assertThat(far.send(ni, TestMessage.put(ni.nid(), near.nid(), 10))).isZero();
        assertThat(world.time().runUntil(() -> !again.outcomes().isEmpty(), IbWorld.SECOND))
                .isTrue();
        assertThat(near.stack().connectionNews()).containsExactly(true, false, true);
        assertThat(near.stack().peerNews()).as("it lives").doesNotContain(false);
    }

    @Test
    void severalConnectionsWithOnePeerAreToldOnce() {
        Side near = connected(Map.of("conns_per_peer", 4));
        assertThat(near.lnd().routes().getFirst().routes().getFirst().connections())
                .isEqualTo(4);
        near.lnd().shutdown(near.ni());
        assertDownOnce(near);
    }

    @Test
    void severalRoutesToOnePeerAreToldOnce() {
        Side near = Side.group(world, 0, 2).knows(1, 0, 1);
        Side far = Side.group(world, 1, 2).knows(0, 0, 1);
        near.sendWell(far, 4, 10);
        near.link(0, false);
        world.time().run(IbWorld.SECOND);
        assertThat(near.states(far)).contains(RouteState.CONNECTED);
        assertThat(near.stack().connectionNews()).containsExactly(true);
        near.link(1, false);
        assertDownOnce(near);
    }
}
