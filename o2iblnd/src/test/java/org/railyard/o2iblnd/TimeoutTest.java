package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.MessageType;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.softverbs.net.FabricFaultRule;
import org.railyard.softverbs.net.SoftSettings;
import org.railyard.softverbs.net.TrafficKind;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.card.memory.MemoryModel;

/**
 * Limits that pass: what had not left, what had not arrived for sure, what had arrived and was not answered (spec 20
 * §15.3).
 */
class TimeoutTest {
    private static final long PATIENCE = 7200 * IbWorld.SECOND;
    private static final long LIMIT = 50 * IbWorld.SECOND;

    /** More transfers, out of memory that a card can not read itself, than it has pieces of memory for. */
    private static final int MANY = 70;

    private final IbWorld world = new IbWorld(PATIENCE);
    private final RecordingStack stack = new RecordingStack();
    private final RecordingStack far = new RecordingStack();
    private final O2ibLnd lnd = world.start(0, stack, Tunables.DEFAULT);
    private final O2ibLnd farLnd = world.start(1, far, Tunables.DEFAULT);
    private final TestNi ni = IbWorld.ni(0, 0);
    private final TestNi farNi = IbWorld.ni(1, 0);

    private void connect() {
        lnd.startup(ni);
        farLnd.startup(farNi);
        send(10);
        assertThat(world.time().runUntil(() -> stack.outcomes().size() == 1, IbWorld.SECOND))
                .isTrue();
        assertThat(stack.outcomes().getFirst().health()).isEqualTo(HealthStatus.OK);
        stack.outcomes().clear();
    }

    private void send(int length) {
        send(ni, length);
    }

    private void send(TestNi from, int length) {
        assertThat(lnd.send(from, TestMessage.put(IbWorld.nid(0, 0), IbWorld.nid(1, 0), length)))
                .isZero();
    }

    private List<HealthStatus> outcomes(int count) {
        long start = world.time().now();
        assertThat(world.time().runUntil(() -> stack.outcomes().size() == count, 2 * LIMIT))
                .isTrue();
        assertThat(world.time().now() - start)
                .as("noticed within a quarter more than the limit, ns")
                .isBetween(LIMIT, LIMIT + LIMIT / 4);
        assertThat(stack.outcomes()).allMatch(outcome -> outcome.status() == Errno.ETIMEDOUT.status());
        assertThat(stack.peerNews()).endsWith(false);
        assertThat(world.device(0, 0).qpCount()).as("the connection is closed").isZero();
        return stack.outcomes().stream().map(RecordingStack.Outcome::health).toList();
    }

    @Test
    @Requirement({"ibl-100", "rsl-080", "rsl-081", "rsl-090", "rsl-142", "rsl-144"})
    void whatWasNotPostedIsThisNodesFault() {
        connect();
        world.device(0, 0).haltSends(true);
        for (int i = 0; i < 20; i++) {
            send(3000);
        }
        List<HealthStatus> health = outcomes(20);
        assertThat(health.subList(0, 7))
                .as("posted: one for each credit, of which one has not come back")
                .containsOnly(HealthStatus.NETWORK_TIMEOUT);
        assertThat(health.subList(7, 20)).as("queued").containsOnly(HealthStatus.LOCAL_TIMEOUT);
        assertThat(far.arrived()).isEqualTo(1);
    }

    @Test
    @Requirement({"ibl-100", "rsl-080", "rsl-081", "rsl-093", "rsl-143", "rsl-144"})
    void whatWasNotAcknowledgedIsTheNetworksFault() {
        connect();
        world.fabric().addFault(FabricFaultRule.drop(EnumSet.of(TrafficKind.ACK), world.port(1, 0), world.port(0, 0)));
        send(10);
        assertThat(outcomes(1)).containsExactly(HealthStatus.NETWORK_TIMEOUT);
        assertThat(far.arrived()).isEqualTo(2);
    }

    @Test
    @Requirement({"ibl-100", "rsl-080", "rsl-081", "rsl-096", "rsl-144"})
    void whatWasNotAnsweredIsThePeersFault() {
        connect();
        world.node(1).freeze();
        send(100_000);
        assertThat(outcomes(1)).containsExactly(HealthStatus.REMOTE_TIMEOUT);
        world.node(1).thaw();
        world.time().run(IbWorld.SECOND);
        send(100_000);
        assertThat(world.time().runUntil(() -> stack.outcomes().size() == 2, LIMIT))
                .isTrue();
        assertThat(stack.outcomes().getLast().health())
                .as("on a new connection")
                .isEqualTo(HealthStatus.OK);
    }

    /** Each half of a PUT with a handshake has its share of the time, and no more than that (spec 20 §15). */
    @Test
    @Requirement("rsl-140")
    void theSecondHalfOfAPutHasItsShareAndNoMore() {
        connect();
        far.store();
        long share = 20 * IbWorld.SECOND;
        TestMessage message = TestMessage.put(IbWorld.nid(0, 0), IbWorld.nid(1, 0), 100_000);
        message.setTimeoutNanos(share);
        world.node(1).freeze();
        long start = world.time().now();
        assertThat(lnd.send(ni, message)).isZero();
        world.time().run(share * 3 / 4);
        assertThat(stack.outcomes()).isEmpty();
        world.node(1).thaw();
        world.fabric().addFault(FabricFaultRule.drop(EnumSet.of(TrafficKind.ACK), world.port(1, 0), world.port(0, 0)));
        assertThat(world.time().runUntil(() -> stack.outcomes().size() == 1, 2 * LIMIT))
                .isTrue();
        assertThat(stack.outcomes().getFirst().status()).isEqualTo(Errno.ETIMEDOUT.status());
        assertThat(world.time().now() - start)
                .as("begun anew once, noticed within a quarter more, ns")
                .isBetween(share + share / 2, 2 * share);
    }

    /** Nor does it begin anew when the memory for it comes late: a transfer to another peer has all there is. */
    @Test
    @Requirement("rsl-140")
    void theWaitForMemoryIsPartOfTheSecondHalf() {
        TestNi from = deep(0);
        takeAllMemory(from, 15 * IbWorld.SECOND);
        long share = 20 * IbWorld.SECOND;
        long start = world.time().now();
        sendLarge(from, 1, share);
        world.time().run(IbWorld.SECOND);
        assertThat(far.arrived()).isEqualTo(2);
        dropData(1);
        assertThat(world.time().runUntil(() -> stack.outcomes().size() == 2, 2 * LIMIT))
                .isTrue();
        assertThat(stack.outcomes()).allMatch(outcome -> outcome.status() == Errno.ETIMEDOUT.status());
        assertThat(world.time().now() - start)
                .as("noticed within a quarter more, ns")
                .isBetween(share, share + share / 4);
    }

    /** Lets a transfer to the third machine, which does not end, have all memory that there is for such. */
    private void takeAllMemory(TestNi from, long limit) {
        takeMemory(from, limit, 1, () -> world.device(0, 0).failNextRegistrations(1000));
    }

    /** Lets transfers to the third machine, which do not end, have as much memory as they may. */
    private void takeMemory(TestNi from, long limit, int transfers, Runnable connected) {
        lnd.startup(from);
        farLnd.startup(IbWorld.ni(1, 0));
        far.store();
        RecordingStack other = new RecordingStack();
        other.store();
        world.start(2, other, Tunables.DEFAULT).startup(deep(2));
        for (int machine : new int[] {1, 2}) {
            sendLarge(from, machine, LIMIT);
            assertThat(world.time().runUntil(() -> stack.outcomes().size() == 1, IbWorld.SECOND))
                    .as("connected")
                    .isTrue();
            stack.outcomes().clear();
        }
        connected.run();
        world.node(2).freeze();
        for (int i = 0; i < transfers; i++) {
            sendLarge(from, 2, limit);
        }
        world.time().run(IbWorld.SECOND);
        dropData(2);
        world.node(2).thaw();
        world.time().run(IbWorld.SECOND);
        assertThat(other.arrived()).as("all have begun").isEqualTo(1 + transfers);
    }

    /** What is to be sent to it, and does not get there, has half of the memory at most. */
    @Test
    void aPeerThatIsSilentLeavesMemoryForTransfersToOthers() {
        TestNi from = deep(0);
        takeMemory(from, LIMIT, MANY, () -> {});
        for (int i = 0; i < MANY; i++) {
            sendLarge(from, 1, LIMIT);
        }
        assertThat(world.time().runUntil(() -> stack.outcomes().size() == MANY, IbWorld.SECOND))
                .isTrue();
        assertThat(stack.outcomes()).allMatch(outcome -> outcome.health() == HealthStatus.OK);
    }

    /** A machine with one NI. */
    private record Machine(RecordingStack stack, O2ibLnd lnd, TestNi ni) {}

    /** Starts three machines, of which the first keeps what the others write. Returns the third. */
    private Machine startThreeMachines() {
        lnd.startup(deep(0));
        farLnd.startup(farNi);
        stack.storeCopies();
        RecordingStack third = new RecordingStack();
        Machine other = new Machine(third, world.start(2, third, Tunables.DEFAULT), deep(2));
        other.lnd.startup(other.ni);
        return other;
    }

    /** What it said it would write, and does not, has half of the memory at most. */
    @Test
    void aPeerThatIsSilentLeavesMemoryForWhatOthersWrite() {
        Machine other = startThreeMachines();
        sendBack(other.lnd, other.ni);
        assertThat(world.time().runUntil(() -> other.stack.outcomes().size() == 1, IbWorld.SECOND))
                .as("connected")
                .isTrue();
        dropData(2);
        for (int i = 0; i < MANY; i++) {
            sendBack(other.lnd, other.ni);
        }
        world.time().run(IbWorld.SECOND);
        for (int i = 0; i < MANY; i++) {
            sendBack(farLnd, farNi);
        }
        assertThat(world.time().runUntil(() -> far.outcomes().size() == MANY, IbWorld.SECOND))
                .isTrue();
        assertThat(far.outcomes()).allMatch(outcome -> outcome.health() == HealthStatus.OK);
    }

    /** Nobody but this node is at fault when it has no memory: the connection stays, and the peer is alive. */
    @Test
    void whatWaitsForMemoryForTooLongFailsAlone() {
        TestNi from = deep(0);
        takeAllMemory(from, LIMIT);
        long share = 20 * IbWorld.SECOND;
        far.outcomes().clear();
        sendLarge(from, 1, share);
        assertThat(world.time().runUntil(() -> !stack.outcomes().isEmpty(), share + share / 4))
                .isTrue();
        assertThat(stack.outcomes()).singleElement().satisfies(outcome -> {
            assertThat(outcome.status()).isEqualTo(Errno.ENOMEM.status());
            assertThat(outcome.health()).isEqualTo(HealthStatus.LOCAL_ERROR);
        });
        assertThat(far.outcomes()).extracting(RecordingStack.Outcome::status).containsExactly(Errno.ENOMEM.status());
        assertThat(stack.peerNews()).doesNotContain(false);
        send(from, 10);
        assertThat(world.time().runUntil(() -> stack.outcomes().size() == 2, IbWorld.SECOND))
                .as("on the connection that there is")
                .isTrue();
        assertThat(stack.outcomes().getLast().health()).isEqualTo(HealthStatus.OK);
    }

    /** Who answers a PUT waits for its payload as long as the transport does for anything, and no longer. */
    @Test
    @Requirement("rsl-140")
    void anAnswerToAPutHasTheLimitOfTheTransport() {
        connect();
        stack.store();
        dropData(1);
        long start = world.time().now();
        sendBack(farLnd, farNi);
        world.time().run(IbWorld.SECOND);
        world.node(1).freeze();
        assertThat(stack.arrived()).isEqualTo(1);
        assertThat(stack.outcomes()).isEmpty();
        world.time().run(LIMIT - 2 * IbWorld.SECOND);
        assertThat(stack.outcomes()).as("before its time").isEmpty();
        assertThat(world.time().runUntil(() -> !stack.outcomes().isEmpty(), LIMIT))
                .isTrue();
        assertThat(world.time().now() - start)
                .as("noticed within a quarter more than the limit, ns")
                .isBetween(LIMIT, LIMIT + LIMIT / 4);
        assertThat(stack.outcomes()).singleElement().satisfies(outcome -> {
            assertThat(outcome.status()).isEqualTo(Errno.ETIMEDOUT.status());
            assertThat(outcome.health()).isEqualTo(HealthStatus.NETWORK_TIMEOUT);
        });
    }

    /** Nor does it begin anew when memory for the payload comes late: a PUT of another peer has all there is. */
    @Test
    @Requirement("rsl-140")
    void theWaitForMemoryIsPartOfTheAnswer() {
        Machine other = startThreeMachines();
        for (int i = 1; i <= 2; i++) {
            sendBack(i == 1 ? farLnd : other.lnd, i == 1 ? farNi : other.ni);
            int count = i;
            assertThat(world.time().runUntil(() -> stack.outcomes().size() == count, IbWorld.SECOND))
                    .as("connected")
                    .isTrue();
        }
        stack.outcomes().clear();
        world.device(0, 0).failNextRegistrations(1000);
        dropData(2);
        sendBack(other.lnd, other.ni);
        world.time().run(LIMIT / 2);
        assertThat(stack.arrived()).as("it is awaited").isEqualTo(3);
        long start = world.time().now();
        sendBack(farLnd, farNi);
        world.time().run(IbWorld.SECOND);
        assertThat(stack.arrived()).isEqualTo(4);
        world.node(1).freeze();
        assertThat(world.time().runUntil(() -> stack.outcomes().size() == 1, LIMIT))
                .isTrue();
        assertThat(world.time().now() - start).as("there is memory now, ns").isLessThan(LIMIT);
        assertThat(world.time().runUntil(() -> stack.outcomes().size() == 2, 2 * LIMIT))
                .isTrue();
        assertThat(stack.outcomes()).allMatch(outcome -> outcome.status() == Errno.ETIMEDOUT.status());
        assertThat(world.time().now() - start)
                .as("noticed within a quarter more, ns")
                .isBetween(LIMIT, LIMIT + LIMIT / 4);
    }

    private static void sendBack(O2ibLnd from, TestNi on) {
        assertThat(from.send(on, TestMessage.put(on.nid(), IbWorld.nid(0, 0), 100_000)))
                .isZero();
    }

    /** Lets nothing pass from the first machine to another one but acknowledgements. */
    private void dropData(int machine) {
        world.fabric()
                .addFault(FabricFaultRule.drop(EnumSet.of(TrafficKind.DATA), world.port(0, 0), world.port(machine, 0)));
    }

    /** An NI that lets as many transfers to a peer begin as there is memory for. */
    private static TestNi deep(int machine) {
        Nid nid = IbWorld.nid(machine, 0);
        return new TestNi(nid, nid.net(), "ib0", new NetTunables(180, 2 * MANY - 13, 0, 256), Map.of());
    }

    private void sendLarge(TestNi from, int machine, long limit) {
        TestMessage message =
                TestMessage.put(from.nid(), IbWorld.nid(machine, 0), TestMessage.BITS, ByteBuffer.allocate(100_000));
        message.setTimeoutNanos(limit);
        assertThat(lnd.send(from, message)).isZero();
    }

    /** The card repeats what is not acknowledged, and gives up long before this transport would. */
    @Test
    @Requirement("rsl-151")
    void theLimitOfTheCardIsTheShorterOne() {
        IbWorld usual = new IbWorld(SoftSettings.DEFAULT, IbWorld.RAILS, DeviceAttributes.MLX5, MemoryModel.SCATTERED);
        RecordingStack here = new RecordingStack();
        O2ibLnd near = usual.start(0, here, Tunables.DEFAULT);
        near.startup(ni);
        usual.start(1, new RecordingStack(), Tunables.DEFAULT).startup(IbWorld.ni(1, 0));
        for (int i = 1; i <= 2; i++) {
            assertThat(near.send(ni, TestMessage.put(ni.nid(), IbWorld.nid(1, 0), 10)))
                    .isZero();
            int count = i;
            assertThat(usual.time().runUntil(() -> here.outcomes().size() == count, LIMIT / 4))
                    .isTrue();
            usual.fabric()
                    .addFault(FabricFaultRule.drop(EnumSet.of(TrafficKind.DATA), usual.port(0, 0), usual.port(1, 0)));
        }
        assertThat(here.outcomes().getLast().status()).as("told by the card").isEqualTo(Errno.EIO.status());
        assertThat(here.outcomes().getLast().health()).isEqualTo(HealthStatus.NETWORK_TIMEOUT);
    }

    @Test
    @Requirement("rsl-139")
    void aPutWithAHandshakeTakesTwoMessages() {
        int inOne = KibMessage.MAX_IMMEDIATE_PAYLOAD;
        assertThat(lnd.messagesPer(MessageType.PUT, inOne)).isEqualTo(1);
        assertThat(lnd.messagesPer(MessageType.PUT, inOne + 1)).isEqualTo(2);
        assertThat(lnd.messagesPer(MessageType.GET, 0)).isEqualTo(1);
        assertThat(lnd.messagesPer(MessageType.GET, 1 << 20)).isEqualTo(1);
    }
}
