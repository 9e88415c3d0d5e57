package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.o2iblnd.bond.BondFinding;
import org.railyard.o2iblnd.bond.RouteState;
import org.railyard.testkit.Requirement;

/** Groups and ordinary peers (spec 21 §10), and the check that really connects. */
class BondPeersTest {
    private final IbWorld world = new IbWorld(100_000_000, 3);

    private List<BondFinding> probe(Side side) {
        CompletableFuture<List<BondFinding>> result = side.lnd().probe(null).toCompletableFuture();
        assertThat(world.time().runUntil(result::isDone, 60 * IbWorld.SECOND)).isTrue();
        return result.join();
    }

    @Test
    @Requirement("cb-140")
    void anOrdinaryPeerSeesSeveralConnections() {
        Side near = Side.group(world, 0, 3);
        Side far = Side.ordinary(world, 1);
        near.sendWell(far, 6, 5000);
        assertThat(near.messages(far)).containsExactly(2L, 2L, 2L);
        assertThat(far.queuePairs(1)).containsExactly(3);
        far.sendWell(near, 6, 5000);
        assertThat(far.queuePairs(1)).as("it uses them for its own messages").containsExactly(3);
        assertThat(far.routes(near))
                .singleElement()
                .satisfies(route -> assertThat(route.connections()).isEqualTo(3));
        assertThat(near.stack().arrived()).isEqualTo(6);
    }

    @Test
    @Requirement({"cb-132", "cb-133", "cb-141"})
    void anOrdinaryPeerHasOneAddress() {
        Side near = Side.group(world, 0, 2).knows(1, 0, 1);
        Side far = Side.ordinary(world, 1);
        near.sendWell(far, 6, 10);
        world.time().run(IbWorld.SECOND);
        assertThat(near.states(far)).containsExactly(RouteState.CONNECTED, RouteState.DISCONNECTED);
        assertThat(far.stack().arrived()).isEqualTo(6);
        List<BondFinding> nobody = probe(near);
        assertThat(nobody).extracting(BondFinding::id).containsExactly("cb-132", "cb-133");
        assertThat(nobody.getFirst().subject()).contains("ib1→10.0.1.2");
        far.lnd().startup(IbWorld.ni(1, 1));
        assertThat(probe(near)).singleElement().satisfies(finding -> {
            assertThat(finding.id()).isEqualTo("cb-132");
            assertThat(finding.text()).contains("FATAL");
        });
    }

    @Test
    @Requirement("cb-132")
    void allRoutesOfGroupsCanBeConnected() {
        Side near = Side.group(world, 0, 2).knows(0, 0, 1).knows(1, 0, 1);
        Side far = Side.group(world, 1, 2).knows(0, 0, 1);
        assertThat(probe(near)).isEmpty();
        assertThat(near.states(far)).containsOnly(RouteState.CONNECTED);
        near.link(0, false);
        world.time().run(IbWorld.SECOND);
        assertThat(probe(near))
                .singleElement()
                .satisfies(finding -> assertThat(finding.text()).contains("ib0 is IBLND_DEV_PORT_DOWN"));
        assertThat(far.stack().peerNews()).doesNotContain(false);
    }

    @Test
    @Requirement("cb-142")
    void anOrdinaryPeerKnowsTheFirstInterfaceOnly() {
        Side near = Side.group(world, 0, 2).knows(1, 0);
        Side far = Side.ordinary(world, 1);
        far.sendWell(near, 3, 10);
        assertThat(near.queuePairs(2)).containsExactly(1, 0);
        near.lnd().close();
        Side again = Side.group(world, 0, 2);
        again.link(0, false);
        world.time().run(IbWorld.SECOND);
        int before = far.stack().outcomes().size();
        far.send(again, 1, 10);
        far.awaitOutcomes(before + 1);
        assertThat(far.lastOutcome().health()).isNotEqualTo(HealthStatus.OK);
        again.sendWell(far, 1, 10);
        far.sendWell(again, 2, 10);
        assertThat(again.queuePairs(2)).as("over the connection of the group").containsExactly(0, 1);
    }

    @Test
    @Requirement("cb-145")
    void groupsAndOrdinaryNisOnOneNode() {
        Side near = Side.group(world, 0, 2).knows(1, 0, 1);
        TestNi other = IbWorld.ni(0, 2);
        near.lnd().startup(other);
        Side far = Side.group(world, 1, 2).knows(0, 0, 1);
        near.sendWell(far, 2, 10);
        assertThat(near.lnd().send(other, TestMessage.put(IbWorld.nid(0, 2), far.nid(), 10)))
                .isZero();
        near.awaitOutcomes(3);
        assertThat(near.lastOutcome().health()).isEqualTo(HealthStatus.OK);
        assertThat(near.queuePairs(3)).containsExactly(1, 1, 1);
    }
}
