package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.bond.BondFinding;
import org.railyard.o2iblnd.bond.RouteState;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.softverbs.time.VirtualHost;
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

    private static TestNi on(Net net, int machine, int rail, String names) {
        return new TestNi(Nid.of(net, IbWorld.address(machine, rail)), names, Map.of());
    }

    @Test
    @Requirement("cb-145")
    void groupsAndOrdinaryNisOnOneNode() {
        Net ordinary = Net.parse("o2ib1");
        Side near = Side.group(world, 0, 2).knows(1, 0, 1);
        TestNi other = on(ordinary, 0, 2, "ib2");
        near.lnd().startup(other);
        Side far = Side.group(world, 1, 2).knows(0, 0, 1);
        TestNi farOther = on(ordinary, 1, 2, "ib2");
        far.lnd().startup(farOther);
        near.sendWell(far, 2, 10);
        assertThat(near.lnd().send(other, TestMessage.put(other.nid(), farOther.nid(), 10)))
                .isZero();
        near.awaitOutcomes(3);
        assertThat(near.lastOutcome().health()).isEqualTo(HealthStatus.OK);
        assertThat(near.queuePairs(3)).containsExactly(1, 1, 1);
        near.lnd().startup(on(ordinary, 0, 1, "ib1"));
    }

    @Test
    @Requirement("cb-144")
    void aGroupIsOnTheNumaNodeOfItsFirstInterface() {
        WatchedVerbs verbs = new WatchedVerbs(world.node(0));
        verbs.place("mlx5_0", 1);
        verbs.place("mlx5_1", 0);
        O2ibLnd lnd = new O2ibLnd(
                new RecordingStack(),
                new VirtualHost(world.time(), new SplittableRandom(1), 1_000_000_000_000_000L),
                verbs.provider(),
                Tunables.DEFAULT);
        Net net = Net.parse("o2ib");
        assertThat(lnd.resolve(NiRequest.ofInterface(net, "ib0,ib1")).numaNode())
                .isEqualTo(1);
        assertThat(lnd.resolve(NiRequest.ofInterface(net, "ib1,ib0")).numaNode())
                .isZero();
        assertThat(lnd.resolve(NiRequest.ofInterface(net, "ib0")).numaNode())
                .as("an ordinary NI")
                .isEqualTo(1);
        assertThat(lnd.resolve(NiRequest.ofInterface(net, "ib2")).numaNode())
                .as("nothing is told of it")
                .isEqualTo(-1);
        lnd.close();
    }

    @Test
    @Requirement("cb-145")
    void notOnOneNet() {
        Net ordinary = Net.parse("o2ib1");
        Side near = Side.group(world, 0, 2);
        near.lnd().startup(on(ordinary, 0, 2, "ib2"));
        assertThatThrownBy(() -> near.lnd().startup(IbWorld.ni(0, 2)))
                .hasMessageContaining(near.nid() + ", which is on the same net, is a group of interfaces")
                .satisfies(e -> assertThat(((ErrnoException) e).errno()).isEqualTo(Errno.EEXIST));
        assertThatThrownBy(() -> near.lnd().startup(on(ordinary, 0, 0, "ib0,ib1")))
                .hasMessageContaining("10.0.2.1@o2ib1, which is on the same net, is no group of interfaces");
        near.lnd().shutdown(near.ni());
        near.lnd().startup(IbWorld.ni(0, 2));
    }
}
