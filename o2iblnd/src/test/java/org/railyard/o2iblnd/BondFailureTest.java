package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.conformance.TestMessage;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.o2iblnd.bond.MemberState;
import org.railyard.o2iblnd.bond.RouteState;
import org.railyard.o2iblnd.bond.RouteView;
import org.railyard.testkit.Requirement;

/** Groups some of whose interfaces or routes fail (spec 21 §5, §6). */
class BondFailureTest {
    private static final int LARGE = 100_000;

    /** Bits that the first of several payloads is made of. */
    private static final long FIRST = 100;

    private final IbWorld world = new IbWorld(100_000_000, 3);

    private static List<RecordingStack.Outcome> failures(Side side) {
        return side.stack().outcomes().stream()
                .filter(outcome -> outcome.health() != HealthStatus.OK)
                .toList();
    }

    @Test
    @Requirement({"cb-060", "cb-063", "cb-064", "cb-066", "cb-067", "cb-068", "cb-069", "cb-302"})
    void aPortGoesDownInMidStream() {
        Side near = Side.group(world, 0, 3).knows(1, 0, 1, 2);
        Side far = Side.group(world, 1, 3).knows(0, 0, 1, 2);
        near.sendWell(far, 3, 10);
        near.send(far, 120, LARGE);
        near.awaitOutcomes(20);
        near.link(1, false);
        near.awaitOutcomes(123);
        assertThat(near.members())
                .containsExactly(MemberState.PORT_ACTIVE, MemberState.PORT_DOWN, MemberState.PORT_ACTIVE);
        assertThat(failures(near))
                .as("those that left there")
                .hasSizeBetween(1, 8)
                .allSatisfy(outcome -> {
                    assertThat(outcome.status()).isEqualTo(Errno.ENETDOWN.status());
                    assertThat(outcome.health()).isEqualTo(HealthStatus.LOCAL_ERROR);
                });
        assertThat(near.stack().deviceNews()).containsExactly(DeviceEvent.DEGRADED);
        assertThat(near.stack().peerNews()).doesNotContain(false);
        List<Long> before = near.messages(far);
        near.sendWell(far, 20, LARGE);
        assertThat(near.messages(far)).containsExactly(before.get(0) + 10, before.get(1), before.get(2) + 10);
        near.link(1, true);
        world.time().run(IbWorld.SECOND);
        assertThat(near.states(far)).containsOnly(RouteState.CONNECTED);
        assertThat(near.stack().deviceNews()).containsExactly(DeviceEvent.DEGRADED, DeviceEvent.CLEAR);
        before = near.messages(far);
        near.sendWell(far, 30, LARGE);
        assertThat(near.messages(far)).containsExactly(before.get(0) + 10, before.get(1) + 10, before.get(2) + 10);
    }

    /**
     * A card that has not sent what is posted says so when its port goes down: nothing is lost, nothing comes twice.
     */
    @Test
    @Requirement({"cb-067", "cb-302"})
    void whatIsPostedAndHasNotLeftGoesOverTheOthers() {
        Side near = Side.group(world, 0, 3).knows(1, 0, 1, 2);
        Side far = Side.group(world, 1, 3).knows(0, 0, 1, 2);
        near.sendWell(far, 3, 10);
        world.device(0, 1).haltSends(true);
        near.send(far, 12, 10);
        near.send(far, 3, LARGE);
        near.stack().placeReplies();
        for (int i = 0; i < 3; i++) {
            assertThat(near.lnd().send(near.ni(), TestMessage.get(near.nid(), far.nid(), LARGE)))
                    .isZero();
        }
        world.time().run(100_000_000);
        assertThat(near.stack().outcomes())
                .as("the others are done, GETs with a REPLY")
                .hasSize(3 + 8 + 2 + 4);
        assertThat(far.stack().arrived()).isEqualTo(3 + 8 + 2 + 2);
        near.link(1, false);
        near.awaitOutcomes(3 + 12 + 3 + 6);
        world.time().run(100_000_000);
        assertThat(failures(near))
                .as("the peer has nothing for GETs")
                .hasSize(6)
                .allSatisfy(outcome -> assertThat(outcome.status()).isEqualTo(Errno.ENODATA.status()));
        assertThat(far.stack().arrived()).as("each once, the GETs included").isEqualTo(3 + 12 + 3 + 3);
    }

    /** What was copied for the connection that broke is copied once more for the next one. */
    @Test
    @Requirement("cb-067")
    void whatMovesToAnotherRouteHasItsPayload() {
        Side near = Side.group(world, 0, 3).knows(1, 0, 1, 2);
        Side far = Side.group(world, 1, 3).knows(0, 0, 1, 2);
        near.sendWell(far, 3, 10);
        far.stack().storeCopies();
        world.device(0, 1).haltSends(true);
        for (int number = 0; number < 12; number++) {
            assertThat(near.lnd().send(near.ni(), TestMessage.put(near.nid(), far.nid(), 1000, FIRST + number)))
                    .isZero();
        }
        world.time().run(100_000_000);
        assertThat(near.stack().outcomes()).as("the others are done").hasSize(3 + 8);
        near.link(1, false);
        near.awaitOutcomes(3 + 12);
        world.time().run(100_000_000);
        assertThat(far.stack().outcomes())
                .extracting(outcome -> numberOf(outcome.message().fragments()[0]))
                .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }

    /** Returns which message a payload is of, −1 if of none. */
    private static int numberOf(ByteBuffer payload) {
        for (int number = 0; number < 12; number++) {
            boolean all = true;
            for (int i = 0; i < payload.capacity(); i++) {
                all &= payload.get(i) == TestMessage.pattern(FIRST + number, i);
            }
            if (all) {
                return number;
            }
        }
        return -1;
    }

    /** A message that moves has the time that it had, not as much again. */
    @Test
    @Requirement({"cb-067", "rsl-080"})
    void whatMovesToAnotherRouteKeepsItsDeadline() {
        Side near = Side.group(world, 0, 2).knows(1, 0, 1);
        Side far = Side.group(world, 1, 2).knows(0, 0, 1);
        near.sendWell(far, 2, 10);
        world.device(0, 0).haltSends(true);
        world.device(0, 1).haltSends(true);
        long start = world.time().now();
        near.send(far, 6, 10);
        world.time().run(30 * IbWorld.SECOND);
        near.link(1, false);
        world.time().run(IbWorld.SECOND);
        assertThat(near.stack().outcomes()).as("those of the other route moved").hasSize(2);
        near.awaitOutcomes(2 + 6);
        assertThat(failures(near)).hasSize(6);
        assertThat(world.time().now() - start)
                .as("the limit is 50 s, and noticed within a quarter more, ns")
                .isBetween(50 * IbWorld.SECOND, 63 * IbWorld.SECOND);
    }

    @Test
    @Requirement({"cb-067"})
    void withoutLocalRetryAllOfTheRouteIsLost() {
        Side near =
                Side.group(world, 0, 3, Map.of("bond_local_retry", 0)).start().knows(1, 0, 1, 2);
        Side far = Side.group(world, 1, 3).knows(0, 0, 1, 2);
        near.sendWell(far, 3, 10);
        near.send(far, 120, LARGE);
        near.awaitOutcomes(20);
        near.link(1, false);
        near.awaitOutcomes(123);
        assertThat(failures(near)).as("posted and queued").hasSizeGreaterThan(20);
    }

    @Test
    @Requirement({"cb-065", "cb-068"})
    void nothingWorks() {
        Side near = Side.group(world, 0, 2).knows(1, 0, 1);
        Side far = Side.group(world, 1, 2).knows(0, 0, 1);
        near.sendWell(far, 2, 10);
        near.link(0, false);
        world.time().run(IbWorld.SECOND);
        near.link(1, false);
        world.time().run(IbWorld.SECOND);
        assertThat(near.stack().deviceNews()).containsExactly(DeviceEvent.DEGRADED, DeviceEvent.FATAL);
        near.send(far, 1, 10);
        near.awaitOutcomes(3);
        assertThat(near.lastOutcome().status()).isEqualTo(Errno.ENETDOWN.status());
        assertThat(near.lastOutcome().health()).isEqualTo(HealthStatus.LOCAL_NO_ROUTE);
        near.link(1, true);
        world.time().run(IbWorld.SECOND);
        assertThat(near.stack().deviceNews())
                .containsExactly(DeviceEvent.DEGRADED, DeviceEvent.FATAL, DeviceEvent.CLEAR, DeviceEvent.DEGRADED);
        near.sendWell(far, 4, 10);
    }

    @Test
    @Requirement({"cb-064", "cb-065"})
    void aPeerThatIsGoneIsTriedLessAndLess() {
        Side near = Side.group(world, 0, 2).knows(1, 0, 1);
        near.send(IbWorld.nid(1, 0), 1, 10);
        near.awaitOutcomes(1);
        assertThat(near.lastOutcome().health()).isEqualTo(HealthStatus.REMOTE_DROPPED);
        assertThat(near.stack().peerNews()).containsExactly(false);
        Side gone = Side.group(world, 1, 2, Map.of());
        assertThat(near.states(gone)).as("both were tried").containsOnly(RouteState.DISCONNECTED);
        assertThat(near.routes(gone))
                .allSatisfy(route -> assertThat(route.lastError()).isNotNull());
        near.send(gone, 1, 10);
        near.awaitOutcomes(2);
        assertThat(near.lastOutcome().status()).as("at once").isEqualTo(Errno.EHOSTUNREACH.status());
        assertThat(near.states(gone)).containsOnly(RouteState.DISCONNECTED);
        gone.start();
        world.time().run(1_100_000_000);
        near.sendWell(gone, 2, 10);
        world.time().run(IbWorld.SECOND);
        assertThat(near.states(gone)).containsOnly(RouteState.CONNECTED);
        assertThat(near.routes(gone)).extracting(RouteView::lastError).containsOnlyNulls();
    }

    @Test
    @Requirement({"cb-061", "cb-303"})
    void aSlowLinkIsShownAndUsed() {
        Side near = Side.group(world, 0, 2).knows(1, 0, 1);
        Side far = Side.group(world, 1, 2);
        world.fabric().setRate(world.port(0, 1).fabricPort(), 1, LinkSpeed.SDR);
        world.time().run(IbWorld.SECOND);
        assertThat(near.members()).containsExactly(MemberState.PORT_ACTIVE, MemberState.PORT_DEGRADE);
        assertThat(near.stack().deviceNews()).containsExactly(DeviceEvent.DEGRADED);
        near.sendWell(far, 10, LARGE);
        assertThat(near.messages(far)).containsExactly(5L, 5L);
    }

    @Test
    @Requirement("cb-061")
    void aLinkThatIsSlowerThanExpectedFromTheBeginning() {
        Side near = Side.group(world, 0, 2, Map.of("expected_link", 10_000)).start();
        assertThat(near.members()).containsOnly(MemberState.PORT_DEGRADE);
        assertThat(near.stack().deviceNews()).containsExactly(DeviceEvent.DEGRADED);
    }

    @Test
    @Requirement({"cb-061", "cb-062"})
    void aDeviceBreaks() {
        Side near = Side.group(world, 0, 2).knows(1, 0, 1);
        Side sticky =
                Side.group(world, 2, 2, Map.of("fatal_is_sticky", 1)).start().knows(1, 0, 1);
        Side far = Side.group(world, 1, 2);
        for (int machine : new int[] {0, 2}) {
            world.device(machine, 0).fail();
            world.time().run(IbWorld.SECOND);
            world.device(machine, 0).repair();
            world.time().run(IbWorld.SECOND);
        }
        assertThat(near.members()).containsOnly(MemberState.PORT_ACTIVE);
        assertThat(sticky.members()).containsExactly(MemberState.FATAL, MemberState.PORT_ACTIVE);
        near.sendWell(far, 4, 10);
        assertThat(near.messages(far)).containsExactly(2L, 2L);
        sticky.sendWell(far, 4, 10);
        assertThat(sticky.messages(far)).containsExactly(0L, 4L);
    }

    @Test
    @Requirement("cb-006")
    void aGroupStartsWithWhatWorks() {
        world.device(0, 0).fail();
        Side near = Side.group(world, 0, 2).knows(1, 0, 1);
        Side far = Side.group(world, 1, 2);
        assertThat(near.members()).containsExactly(MemberState.FATAL, MemberState.PORT_ACTIVE);
        near.sendWell(far, 2, 10);
        assertThat(near.messages(far)).containsExactly(0L, 2L);
        world.device(0, 0).repair();
        world.time().run(IbWorld.SECOND);
        assertThat(near.members()).containsOnly(MemberState.PORT_ACTIVE);
        near.sendWell(far, 2, 10);
        assertThat(near.messages(far)).containsExactly(1L, 3L);
        world.device(2, 0).fail();
        world.device(2, 1).fail();
        assertThatThrownBy(() -> Side.group(world, 2, 2))
                .satisfies(e -> assertThat(((ErrnoException) e).errno()).isEqualTo(Errno.ENETDOWN));
    }

    @Test
    @Requirement({"cb-004", "cb-050"})
    void aPeerThatWasRestarted() {
        Side near = Side.group(world, 0, 2).knows(1, 0, 1);
        Side far = Side.group(world, 1, 2).knows(0, 0, 1);
        near.sendWell(far, 2, 10);
        world.node(1).close();
        Side again = Side.group(world, 1, 2).knows(0, 0, 1);
        again.sendWell(near, 1, 10);
        world.time().run(IbWorld.SECOND);
        assertThat(near.queuePairs(2))
                .as("the old ones are gone from all routes")
                .containsExactly(1, 0);
        near.sendWell(again, 4, 10);
        again.sendWell(near, 4, 10);
        assertThat(near.queuePairs(2)).containsExactly(1, 1);
    }

    @Test
    @Requirement({"cb-080", "cb-081", "cb-082", "cb-307"})
    void idleConnectionsAreClosedIfThatIsWanted() {
        Side near =
                Side.group(world, 0, 2, Map.of("conn_idle_timeout", 10)).start().knows(1, 0, 1);
        Side far = Side.group(world, 1, 2).knows(0, 0, 1);
        near.sendWell(far, 1, LARGE);
        world.time().run(8 * IbWorld.SECOND);
        near.sendWell(far, 1, LARGE);
        world.time().run(4 * IbWorld.SECOND);
        assertThat(near.states(far)).containsExactly(RouteState.NEW, RouteState.CONNECTED);
        world.time().run(20 * IbWorld.SECOND);
        assertThat(near.queuePairs(2)).containsExactly(0, 0);
        assertThat(far.queuePairs(2)).containsExactly(0, 0);
        assertThat(near.stack().peerNews()).doesNotContain(false);
        assertThat(far.stack().peerNews()).doesNotContain(false);
        near.sendWell(far, 2, 10);
        assertThat(near.states(far)).containsOnly(RouteState.CONNECTED);
        far.sendWell(near, 2, 10);
        assertThat(far.messages(near)).containsExactly(1L, 1L);
    }

    @Test
    @Requirement("cb-080")
    void otherwiseTheyStay() {
        Side near = Side.group(world, 0, 2).knows(1, 0, 1);
        Side far = Side.group(world, 1, 2);
        near.sendWell(far, 2, 10);
        world.time().run(1000 * IbWorld.SECOND);
        assertThat(near.queuePairs(2)).containsExactly(1, 1);
    }
}
