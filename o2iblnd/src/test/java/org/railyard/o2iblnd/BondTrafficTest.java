package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.bond.RouteState;
import org.railyard.o2iblnd.bond.Target;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;

/** Groups at work: which routes there are, and what goes over them (spec 21 §2…4). */
class BondTrafficTest {
    private static final Net NET = Net.parse("o2ib");

    private final IbWorld world = new IbWorld(100_000_000, 3);

    @Test
    @Requirement({"cb-001", "cb-003", "cb-040", "cb-044", "cb-045", "cb-046", "cb-301"})
    void exampleOne() {
        Side near = Side.group(world, 0, 3).knows(0, 0, 1, 2).knows(1, 0, 1, 2);
        Side far = Side.group(world, 1, 3).knows(0, 0, 1, 2).knows(1, 0, 1, 2);
        assertThat(near.routes(far)).as("before the first message").isEmpty();
        near.sendWell(far, 1, 10);
        assertThat(near.pairs(far)).containsExactly("0→0", "1→1", "2→2");
        assertThat(near.states(far)).containsExactly(RouteState.CONNECTED, RouteState.NEW, RouteState.NEW);
        assertThat(near.queuePairs(3)).as("made when it is picked").containsExactly(1, 0, 0);
        near.sendWell(far, 2, 10);
        assertThat(near.messages(far)).containsExactly(1L, 1L, 1L);
        assertThat(near.queuePairs(3)).containsExactly(1, 1, 1);
        assertThat(far.queuePairs(3)).containsExactly(1, 1, 1);
        near.sendWell(far, 1, 10);
        assertThat(near.messages(far)).containsExactly(2L, 1L, 1L);
        assertThat(far.stack().arrived()).isEqualTo(4);
        far.sendWell(near, 3, 10);
        assertThat(far.messages(near)).containsExactly(1L, 1L, 1L);
        assertThat(far.queuePairs(3)).as("over the connections that are there").containsExactly(1, 1, 1);
    }

    @Test
    @Requirement({"cb-041", "cb-301"})
    void exampleTwo() {
        Side near = Side.group(world, 0, 3).knows(0, 0, 1, 2);
        Side far = Side.group(world, 1, 3);
        near.sendWell(far, 6, 10);
        assertThat(near.pairs(far)).containsExactly("0→0", "1→0", "2→0");
        assertThat(near.messages(far)).containsExactly(2L, 2L, 2L);
        assertThat(near.queuePairs(3)).containsExactly(1, 1, 1);
        assertThat(far.queuePairs(3)).containsExactly(3, 0, 0);
    }

    @Test
    @Requirement({"cb-001", "cb-300", "cb-301"})
    void sixteenInterfaces() {
        IbWorld wide = new IbWorld(100_000_000, 16);
        int[] all = IntStream.range(0, 16).toArray();
        Side near = Side.group(wide, 0, 16).knows(1, all);
        Side far = Side.group(wide, 1, 16).knows(0, all);
        near.sendWell(far, 160, 5000);
        assertThat(near.messages(far)).isEqualTo(Collections.nCopies(16, 10L));
        assertThat(near.queuePairs(16)).isEqualTo(Collections.nCopies(16, 1));
        assertThat(far.queuePairs(16)).isEqualTo(Collections.nCopies(16, 1));
    }

    /** With one turn for all peers, two that are sent to by turns would have one route each. */
    @Test
    @Requirement("cb-046")
    void eachPeerHasATurnOfItsOwn() {
        Side near = Side.group(world, 0, 2).knows(1, 0, 1).knows(2, 0, 1);
        Side far = Side.group(world, 1, 2);
        Side third = Side.group(world, 2, 2);
        for (int i = 0; i < 4; i++) {
            near.sendWell(far, 1, 10);
            near.sendWell(third, 1, 10);
        }
        assertThat(near.messages(far)).containsExactly(2L, 2L);
        assertThat(near.messages(third)).containsExactly(2L, 2L);
    }

    @Test
    @Requirement("cb-047")
    void aTransactionKeepsItsConnection() {
        Side near = Side.group(world, 0, 3).knows(1, 0, 1, 2);
        Side far = Side.group(world, 1, 3).knows(0, 0, 1, 2);
        near.sendWell(far, 1, 1_000_000);
        assertThat(near.queuePairs(3)).containsExactly(1, 0, 0);
        assertThat(far.queuePairs(3)).containsExactly(1, 0, 0);
        near.stack().placeReplies();
        assertThat(near.lnd().send(near.ni(), TestMessage.get(near.nid(), far.nid(), 1_000_000)))
                .isZero();
        near.awaitOutcomes(3);
        assertThat(near.queuePairs(3)).as("the next message takes the next").containsExactly(1, 1, 0);
        assertThat(far.queuePairs(3)).containsExactly(1, 1, 0);
    }

    @Test
    @Requirement("cb-048")
    void connectionsOfThePeerThatAreNoRoutes() {
        Side near = Side.group(world, 0, 2);
        Side far = Side.group(world, 1, 2).knows(0, 0, 1);
        near.sendWell(far, 2, 10);
        assertThat(far.extras(near)).as("from both, to the first").hasSize(2);
        far.sendWell(near, 4, 10);
        assertThat(far.pairs(near)).containsExactly("0→0", "1→1");
        assertThat(far.messages(near)).containsExactly(2L, 2L);
        assertThat(far.extras(near)).singleElement().satisfies(extra -> {
            assertThat(extra.remoteIp()).isEqualTo(IbWorld.address(0, 1));
            assertThat(extra.messages()).as("nothing is sent over it").isZero();
        });
        assertThat(far.queuePairs(2)).as("the route 0→0 uses what was there").containsExactly(2, 1);
        near.link(0, false);
        far.link(1, false);
        world.time().run(20 * IbWorld.SECOND);
        int before = far.stack().outcomes().size();
        far.send(near, 1, 10);
        far.awaitOutcomes(before + 1);
        far.sendWell(near, 1, 10);
        assertThat(far.extras(near).getFirst().messages())
                .as("when nothing else works")
                .isPositive();
    }

    @Test
    @Requirement("cb-053")
    void theOwnTargetIsForMessagesToItself() {
        Side self = Side.group(world, 0, 2).knows(0, 1, 0);
        self.sendWell(self, 4, 5000);
        assertThat(self.pairs(self)).containsExactly("0→1", "1→0");
        assertThat(self.messages(self)).containsExactly(2L, 2L);
        assertThat(self.stack().arrived()).isEqualTo(4);
    }

    @Test
    @Requirement("cb-028")
    void theOwnTargetIsForNothingElse() {
        Side near = Side.group(world, 0, 2).knows(0, 1).knows(1, 0, 1);
        Side far = Side.group(world, 1, 2).knows(0, 0, 1).knows(1, 1);
        near.sendWell(far, 4, 10);
        assertThat(near.pairs(far)).containsExactly("0→0", "1→1");
        assertThat(far.pairs(near).isEmpty()).isTrue();
    }

    @Test
    @Requirement("cb-051")
    void connectionsPerPeerCountForEachRoute() {
        Side near = Side.group(world, 0, 2, Map.of("conns_per_peer", 3)).start().knows(1, 0, 1);
        Side far = Side.group(world, 1, 2);
        near.sendWell(far, 20, 10);
        assertThat(near.queuePairs(2)).containsExactly(3, 3);
        near.targets().remove(far.nid());
        assertThat(Side.group(world, 2, 2).lnd().groups().getFirst().tunables().connsPerPeer())
                .as("by default")
                .isEqualTo(1);
    }

    @Test
    @Requirement("cb-052")
    void fastLinksGetMoreIfThatIsWanted() {
        Side near = Side.group(world, 0, 2, Map.of("route_policy", 1)).start().knows(1, 0, 1);
        Side far = Side.group(world, 1, 2);
        near.sendWell(far, 20, 10);
        assertThat(near.messages(far)).containsExactly(10L, 10L);
        world.fabric().setRate(world.port(0, 1).fabricPort(), 1, LinkSpeed.SDR);
        world.fabric().setRate(world.port(0, 0).fabricPort(), 4, LinkSpeed.SDR);
        world.time().run(IbWorld.SECOND);
        near.sendWell(far, 50, 10);
        assertThat(near.messages(far)).as("4 to 1").containsExactly(50L, 20L);
    }

    @Test
    @Requirement({"cb-022", "cb-027"})
    void targetsThatChange() {
        Side near = Side.group(world, 0, 2).knows(1, 0, 1);
        Side far = Side.group(world, 1, 3);
        near.sendWell(far, 4, 10);
        assertThat(far.queuePairs(3)).containsExactly(1, 1, 0);
        near.knows(1, 0, 2);
        world.time().run(3 * IbWorld.SECOND);
        assertThat(near.pairs(far)).containsExactly("0→0", "1→2");
        assertThat(near.states(far)).as("what stays is kept").containsExactly(RouteState.CONNECTED, RouteState.NEW);
        assertThat(near.extras(far)).isEmpty();
        assertThat(far.queuePairs(3)).containsExactly(1, 0, 0);
        near.sendWell(far, 2, 10);
        assertThat(far.queuePairs(3)).containsExactly(1, 0, 1);
        near.targets().remove(far.nid());
        world.time().run(3 * IbWorld.SECOND);
        assertThat(near.pairs(far)).containsExactly("0→0", "1→0");
    }

    @Test
    @Requirement("cb-007")
    void interfacesComeAndGo() {
        Side near = Side.group(world, 0, 2).knows(1, 0, 1);
        Side far = Side.group(world, 1, 2).knows(0, 0, 1);
        near.sendWell(far, 4, 5000);
        near.lnd().setInterfaces(near.nid(), List.of("ib0", "ib1", "ib2"));
        assertThat(near.pairs(far)).containsExactly("0→0", "1→1", "2→0");
        assertThat(near.messages(far)).as("those that stay go on").containsExactly(2L, 2L, 0L);
        near.sendWell(far, 3, 5000);
        assertThat(near.queuePairs(3)).containsExactly(1, 1, 1);
        near.send(far, 30, 5000);
        near.lnd().setInterfaces(near.nid(), List.of("ib0", "ib2"));
        near.awaitOutcomes(37);
        assertThat(near.pairs(far)).containsExactly("0→0", "2→1");
        assertThat(near.queuePairs(3)).containsExactly(1, 0, 2);
        assertThat(near.members()).hasSize(2);
        world.time().run(10 * IbWorld.SECOND);
        near.sendWell(far, 10, 5000);
        assertThat(near.queuePairs(3)).as("2→0 is not needed any more").containsExactly(1, 0, 1);
        assertThatThrownBy(() -> near.lnd().setInterfaces(far.nid(), List.of("ib0")))
                .hasMessageContaining("is no group");
    }

    @Test
    @Requirement({"cb-003", "cb-007"})
    void theFirstInterfaceLeaves() {
        Side near = Side.group(world, 0, 2).knows(1, 0, 1);
        Side far = Side.group(world, 1, 2).knows(0, 0, 1);
        near.send(far, 20, 5000);
        near.lnd().setInterfaces(near.nid(), List.of("ib1", "ib2"));
        near.awaitOutcomes(20);
        assertThat(near.pairs(far)).containsExactly("1→0", "2→1");
        near.sendWell(far, 4, 5000);
        world.time().run(10 * IbWorld.SECOND);
        near.sendWell(far, 4, 5000);
        assertThat(near.queuePairs(3)).containsExactly(0, 1, 1);
        far.targets().put(new Target(near.nid(), List.of(IbWorld.address(0, 1), IbWorld.address(0, 2))));
        world.time().run(10 * IbWorld.SECOND);
        far.sendWell(near, 10, 5000);
        assertThat(far.pairs(near)).containsExactly("0→1", "1→2");
        near.lnd().setInterfaces(near.nid(), List.of("ib2", "ib0"));
        near.sendWell(far, 10, 5000);
        assertThat(near.pairs(far)).containsExactly("2→0", "0→1");
    }

    @Test
    @Requirement({"cb-003", "cb-140", "cb-142"})
    void aPeerWithoutATargetAnswersAGroupWhoseFirstInterfaceHasLeft() {
        Side near = Side.group(world, 0, 2);
        Side far = Side.ordinary(world, 1);
        far.sendWell(near, 2, 5000);
        near.lnd().setInterfaces(near.nid(), List.of("ib1"));
        world.time().run(10 * IbWorld.SECOND);
        int before = far.stack().outcomes().size();
        far.send(near, 1, 10);
        far.awaitOutcomes(before + 1);
        assertThat(far.lastOutcome().health())
                .as("nobody listens at the address of the NID")
                .isNotEqualTo(HealthStatus.OK);
        near.sendWell(far, 2, 5000);
        far.sendWell(near, 2, 5000);
        assertThat(near.queuePairs(2)).containsExactly(0, 1);
    }

    @Test
    @Requirement("cb-005")
    void anInterfaceMayBeInGroupsOfSeveralNets() {
        Side near = Side.group(world, 0, 2).knows(1, 0, 1);
        Side far = Side.group(world, 1, 2);
        TestNi second = new TestNi(
                Nid.of(Net.parse("o2ib1"), IbWorld.address(1, 1)),
                Net.parse("o2ib1"),
                "ib1,ib2",
                NetTunables.DEFAULT,
                Map.of());
        try (LogTap log = new LogTap(O2ibLnd.class.getName())) {
            far.lnd().startup(second);
            assertThat(log.lines())
                    .containsExactly(
                            "WARNING " + second.nid() + ": ib1 carries " + far.nid() + ", too: they share its link");
        }
        near.sendWell(far, 4, 10);
        assertThat(far.stack().arrived()).isEqualTo(4);
        far.lnd().shutdown(second);
        near.sendWell(far, 4, 10);
        assertThat(far.stack().arrived()).isEqualTo(8);
    }

    @Test
    @Requirement("cb-005")
    void anInterfaceIsInOneGroupOfItsNetOnly() {
        Side near = Side.group(world, 0, 2);
        for (String names : List.of("ib1,ib2", "ib1")) {
            TestNi second = new TestNi(Nid.of(NET, IbWorld.address(0, 1)), NET, names, NetTunables.DEFAULT, Map.of());
            assertThatThrownBy(() -> near.lnd().startup(second))
                    .hasMessageContaining("ib1 is in " + near.nid() + " already")
                    .satisfies(e -> assertThat(((ErrnoException) e).errno()).isEqualTo(Errno.EEXIST));
        }
        TestNi alone = new TestNi(
                Nid.of(NET, IbWorld.address(0, 2)), NET, "ib2", NetTunables.DEFAULT, Map.of("channel_bonding", 1));
        near.lnd().startup(alone);
        assertThatThrownBy(() -> near.lnd().setInterfaces(near.nid(), List.of("ib0", "ib2")))
                .hasMessageContaining("ib2 is in " + alone.nid() + " already");
        near.lnd().shutdown(alone);
        near.lnd().setInterfaces(near.nid(), List.of("ib0", "ib2"));
    }

    @Test
    @Requirement({"cb-002", "cb-003", "cb-005", "cb-008"})
    void whatAGroupMayConsistOf() {
        O2ibLnd lnd = Side.group(world, 2, 1).lnd();
        NiBinding binding = lnd.resolve(NiRequest.ofInterface(NET, "ib1,ib0"));
        assertThat(binding.nid()).isEqualTo(IbWorld.nid(2, 1));
        assertThat(binding.interfaceName()).isEqualTo("ib1,ib0");
        assertThatThrownBy(() -> lnd.resolve(NiRequest.ofInterface(NET, "ib1,ib1")))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> lnd.resolve(NiRequest.ofInterface(NET, "ib0,ib8")))
                .hasMessageContaining("ib8: is no InfiniBand interface");
        String many = String.join(",", Collections.nCopies(17, "ib0"));
        assertThatThrownBy(() -> lnd.resolve(NiRequest.ofInterface(NET, many)))
                .hasMessageContaining("too many interfaces for net o2ib");
        assertThatThrownBy(() -> lnd.resolve(NiRequest.ofInterface(NET, "ib8")))
                .hasMessageContaining("there is no InfiniBand interface ib8 here; there are ib0, ib1, ib2")
                .satisfies(e -> assertThat(((ErrnoException) e).errno()).isEqualTo(Errno.ENETDOWN));
    }

    @Test
    @Requirement({"cb-049", "cb-305"})
    void bothBeginAtOnceOnAllRoutes() {
        for (int delay : new int[] {0, 1_000, 20_000, 60_000, 200_000}) {
            IbWorld fresh = new IbWorld(100_000_000, 3);
            Side near = Side.group(fresh, 0, 3).knows(1, 0, 1, 2);
            Side far = Side.group(fresh, 1, 3).knows(0, 0, 1, 2);
            near.send(far, 30, 5000);
            fresh.time().run(delay);
            far.send(near, 30, 5000);
            near.awaitOutcomes(30);
            far.awaitOutcomes(30);
            fresh.time().run(10 * IbWorld.SECOND);
            assertThat(near.queuePairs(3)).as("delay %d", delay).isEqualTo(List.of(1, 1, 1));
            assertThat(far.queuePairs(3)).isEqualTo(List.of(1, 1, 1));
            assertThat(near.messages(far)).containsExactly(10L, 10L, 10L);
            assertThat(far.messages(near)).containsExactly(10L, 10L, 10L);
            assertThat(far.stack().arrived()).isEqualTo(30);
            assertThat(near.stack().arrived()).isEqualTo(30);
        }
    }
}
