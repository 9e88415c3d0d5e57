package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.base.Errno;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.o2iblnd.RawListener.Answer;
import org.railyard.o2iblnd.bond.RouteView;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.o2iblnd.wire.ConnectionParameters;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.RejectReason;
import org.railyard.o2iblnd.wire.RejectRecord;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.CmAddress;

/** What the side that asks makes of the answers of a scripted peer (spec 20 §5.3, §6). */
class RejectReactionTest {
    private static final long STAMP = 4711;

    private final IbWorld world = new IbWorld(100_000_000);
    private final RecordingStack stack = new RecordingStack();
    private final TestNi ni = IbWorld.ni(0, 0);
    private @Nullable O2ibLnd lnd;

    private RawListener send(Function<KibMessage, Answer> script) {
        RawListener listener =
                new RawListener(world.node(1), new CmAddress(IbWorld.address(1, 0), Kib.SERVICE_PORT), script);
        O2ibLnd started = world.start(0, stack, Tunables.DEFAULT);
        lnd = started;
        started.startup(ni);
        sendAgain();
        return listener;
    }

    private void sendAgain() {
        assertThat(Objects.requireNonNull(lnd).send(ni, TestMessage.put(IbWorld.nid(0, 0), IbWorld.nid(1, 0), 10)))
                .isZero();
    }

    private void awaitOutcome(Errno errno, HealthStatus health) {
        assertThat(world.time().runUntil(() -> !stack.outcomes().isEmpty(), 100 * IbWorld.SECOND))
                .isTrue();
        assertThat(stack.outcomes()).hasSize(1);
        assertThat(Errno.ofStatus(stack.outcomes().getFirst().status())).isEqualTo(errno);
        assertThat(stack.outcomes().getFirst().health()).isEqualTo(health);
    }

    private static Answer reject(RejectReason why, int depth, int fragments) {
        MemorySegment data = Arena.ofAuto().allocate(RejectRecord.BYTES);
        RejectRecord.of(Kib.V2, why, STAMP, ConnectionParameters.of(depth, fragments))
                .write(data, 0);
        return new Answer(false, data);
    }

    private static Answer rejectOfOldNode(RejectReason why) {
        MemorySegment data = Arena.ofAuto().allocate(RejectRecord.V1_BYTES);
        MemorySegment whole = Arena.ofAuto().allocate(RejectRecord.BYTES);
        RejectRecord.of(Kib.V1, why, STAMP, ConnectionParameters.of(8, 256)).write(whole, 0);
        MemorySegment.copy(whole, 0, data, 0, data.byteSize());
        return new Answer(false, data);
    }

    private static Answer accept(KibMessage request, KibType type, int depth, int fragments, long stampOff) {
        KibMessage answer = new KibMessage();
        answer.setConnection(request.header().version(), type, ConnectionParameters.of(depth, fragments));
        answer.header().setSource(request.header().destinationNid(), STAMP);
        answer.header()
                .setDestination(request.header().sourceNid(), request.header().sourceStamp() + stampOff);
        return new Answer(true, RawPeer.bytes(answer));
    }

    @ParameterizedTest
    @CsvSource({
        "RDMA_FRAGS, 8, 257",
        "RDMA_FRAGS, 8, 300",
        "RDMA_FRAGS, 8, 0",
        "MSG_QUEUE_SIZE, 8, 257",
        "MSG_QUEUE_SIZE, 9, 257",
        "MSG_QUEUE_SIZE, 0, 257",
        "NO_RESOURCES, 8, 257",
        "FATAL, 8, 257",
        "EARLY, 8, 257"
    })
    @Requirement({"ibl-030", "mod-051"})
    void whatCanNotBeHelpedEndsTheAttempt(RejectReason why, int depth, int fragments) {
        RawListener listener = send(_ -> reject(why, depth, fragments));
        awaitOutcome(Errno.ECONNREFUSED, HealthStatus.REMOTE_DROPPED);
        assertThat(listener.requests()).hasSize(1);
        assertThat(stack.peerNews()).containsExactly(false);
    }

    @Test
    @Requirement({"ibl-030", "mod-051"})
    void aRejectThatSaysNothingEndsTheAttempt() {
        RawListener listener = send(_ -> new Answer(false, MemorySegment.NULL));
        awaitOutcome(Errno.ECONNREFUSED, HealthStatus.REMOTE_DROPPED);
        assertThat(listener.requests()).hasSize(1);
        assertThat(route().lastError())
                .as("the reason of the connection manager, not what is wrong with data that nobody sent")
                .isEqualTo("rejected for reason 28 (by the program there), without a reason of LNet");
    }

    private RouteView route() {
        return Objects.requireNonNull(lnd).routes().getFirst().routes().getFirst();
    }

    /** It has no buffers for what comes over the connections that it accepts, so that they end. */
    @Test
    @Requirement({"mod-003", "mod-007"})
    void smallerLimitsOfAnAcceptCountAndAreKept() {
        ConnectionParameters smaller = ConnectionParameters.of(4, 32);
        RawListener listener = send(request -> accept(request, KibType.CONNACK, 4, 32, 0));
        assertThat(world.time().runUntil(() -> !listener.requests().isEmpty(), IbWorld.SECOND))
                .isTrue();
        assertThat(world.time().runUntil(() -> route().connections() == 1, IbWorld.SECOND))
                .isTrue();
        assertThat(route().agreed()).isEqualTo(smaller);
        assertThat(world.time().runUntil(() -> !stack.outcomes().isEmpty(), 300 * IbWorld.SECOND))
                .isTrue();
        int before = listener.requests().size();
        sendAgain();
        assertThat(world.time().runUntil(() -> listener.requests().size() > before, 300 * IbWorld.SECOND))
                .isTrue();
        assertThat(listener.requests().getFirst().parameters()).isEqualTo(ConnectionParameters.of(8, 257));
        assertThat(listener.requests().getLast().parameters()).isEqualTo(smaller);
    }

    @Test
    @Requirement({"ibl-030", "ibl-040", "mod-003", "mod-006", "mod-007"})
    void smallerLimitsAreTriedAndKept() {
        RawListener listener = send(request -> {
            ConnectionParameters asked = request.parameters();
            if (asked.queueDepth() > 4) {
                return reject(RejectReason.MSG_QUEUE_SIZE, 4, 32);
            }
            return asked.maxFragments() > 32
                    ? reject(RejectReason.RDMA_FRAGS, 4, 32)
                    : reject(RejectReason.NO_RESOURCES, 4, 32);
        });
        try (LogTap log = new LogTap(O2ibLnd.class.getName())) {
            awaitOutcome(Errno.ECONNREFUSED, HealthStatus.REMOTE_DROPPED);
            assertThat(log.lines())
                    .as("which rule applied")
                    .filteredOn(line -> line.contains("has smaller limits, which count"))
                    .hasSize(2)
                    .anyMatch(line -> line.contains("(MSG_QUEUE_SIZE)"))
                    .anyMatch(line -> line.contains("(RDMA_FRAGS)"));
        }
        assertThat(listener.requests())
                .extracting(KibMessage::parameters)
                .containsExactly(
                        ConnectionParameters.of(8, 257),
                        ConnectionParameters.of(4, 257),
                        ConnectionParameters.of(4, 32));
        stack.outcomes().clear();
        world.time().run(100 * IbWorld.SECOND);
        sendAgain();
        awaitOutcome(Errno.ECONNREFUSED, HealthStatus.REMOTE_DROPPED);
        assertThat(listener.requests())
                .as("the next connection begins with what was agreed on")
                .extracting(KibMessage::parameters)
                .hasSize(4)
                .last()
                .isEqualTo(ConnectionParameters.of(4, 32));
    }

    @Test
    @Requirement("ibl-030")
    void aStalePeerIsAskedAgainByItsNewIncarnation() {
        RawListener listener = send(request -> request.header().destinationStamp() == 0
                ? reject(RejectReason.CONN_STALE, 8, 257)
                : reject(RejectReason.FATAL, 8, 257));
        awaitOutcome(Errno.ECONNREFUSED, HealthStatus.REMOTE_DROPPED);
        assertThat(listener.requests())
                .extracting(request -> request.header().destinationStamp())
                .containsExactly(0L, STAMP);
    }

    @Test
    @Requirement({"ibl-030", "ibl-040"})
    void anOldNodeIsAskedInItsVersion() {
        RawListener listener = send(request -> request.header().version() == Kib.V2
                ? rejectOfOldNode(RejectReason.FATAL)
                : accept(request, KibType.CONNACK, 8, 256, 0));
        world.time().run(IbWorld.SECOND);
        assertThat(listener.requests())
                .extracting(request -> request.header().version())
                .containsExactly(Kib.V2, Kib.V1);
        KibMessage second = listener.requests().getLast();
        assertThat(second.parameters())
                .as("what old nodes accept, and nothing else")
                .isEqualTo(ConnectionParameters.of(8, 256));
        assertThat(second.header().destinationStamp())
                .as("a node that was upgraded meanwhile notices")
                .isEqualTo(-1);
        assertThat(stack.peerNews()).startsWith(true);
    }

    @Test
    @Requirement("ibl-030")
    void anOldNodeThatRefusesItsOwnVersionIsGivenUp() {
        RawListener listener = send(_ -> rejectOfOldNode(RejectReason.FATAL));
        awaitOutcome(Errno.ECONNREFUSED, HealthStatus.REMOTE_DROPPED);
        assertThat(listener.requests()).hasSize(2);
    }

    @Test
    @Requirement("ibl-030")
    void aNodeThatWasUpgradedIsAskedInItsNewVersion() {
        RawListener listener = send(request -> {
            if (request.header().destinationStamp() == 0) {
                return rejectOfOldNode(RejectReason.FATAL);
            }
            return request.header().version() == Kib.V1
                    ? reject(RejectReason.CONN_STALE, 8, 257)
                    : accept(request, KibType.CONNACK, 8, 257, 0);
        });
        world.time().run(IbWorld.SECOND);
        assertThat(listener.requests())
                .extracting(request -> request.header().version())
                .containsExactly(Kib.V2, Kib.V1, Kib.V2);
        assertThat(listener.requests().getLast().header().destinationStamp()).isEqualTo(STAMP);
        assertThat(listener.requests().getLast().parameters()).isEqualTo(ConnectionParameters.of(8, 257));
    }

    @Test
    @Requirement({"ibl-030", "mod-051"})
    void aPeerThatCanNotDecideOnAVersionIsGivenUp() {
        RawListener listener = send(request -> request.header().version() == Kib.V2
                ? rejectOfOldNode(RejectReason.FATAL)
                : reject(RejectReason.CONN_STALE, 8, 257));
        world.time().run(IbWorld.SECOND / 2);
        assertThat(listener.requests()).as("the first one and ten more at once").hasSize(11);
        awaitOutcome(Errno.ETIMEDOUT, HealthStatus.NETWORK_TIMEOUT);
        int requests = listener.requests().size();
        world.time().run(100 * IbWorld.SECOND);
        assertThat(listener.requests()).as("nobody waits any more").hasSizeLessThan(requests + 3);
    }

    @Test
    @Requirement("ibl-030")
    void anUnknownVersionEndsTheAttempt() {
        RawListener listener = send(_ -> {
            MemorySegment data = Arena.ofAuto().allocate(RejectRecord.BYTES);
            RejectRecord.of(0x13, RejectReason.FATAL, STAMP, ConnectionParameters.of(8, 256))
                    .write(data, 0);
            return new Answer(false, data);
        });
        awaitOutcome(Errno.ECONNREFUSED, HealthStatus.REMOTE_DROPPED);
        assertThat(listener.requests()).hasSize(1);
    }

    @Test
    @Requirement("ibl-030")
    void attemptsThatLoseRacesSlowDown() {
        RawListener listener = send(_ -> reject(RejectReason.CONN_RACE, 8, 257));
        world.time().run(IbWorld.SECOND / 2);
        assertThat(listener.requests()).as("the first one and ten more at once").hasSize(11);
        awaitOutcome(Errno.ETIMEDOUT, HealthStatus.NETWORK_TIMEOUT);
        assertThat(listener.requests()).as("then one a second").hasSizeBetween(25, 40);
    }

    @ParameterizedTest
    @CsvSource({
        "CONNACK, 9, 257, 0",
        "CONNACK, 8, 258, 0",
        "CONNACK, 0, 257, 0",
        "CONNREQ, 8, 257, 0",
        "CONNACK, 8, 257, 1"
    })
    @Requirement({"ibl-030", "mod-051"})
    void anAnswerThatIsNoneIsNotTaken(KibType type, int depth, int fragments, long stampOff) {
        RawListener listener = send(request -> accept(request, type, depth, fragments, stampOff));
        awaitOutcome(stampOff == 0 ? Errno.EPROTO : Errno.ESTALE, HealthStatus.LOCAL_DROPPED);
        assertThat(listener.requests()).hasSize(1);
        world.time().run(IbWorld.SECOND);
        assertThat(world.device(0, 0).qpCount()).isZero();
    }

    @Test
    @Requirement("ibl-030")
    void aPeerThatDoesNotAnswerIsGivenUp() {
        world.node(1).freeze();
        RawListener listener = send(_ -> reject(RejectReason.FATAL, 8, 257));
        long start = world.time().now();
        awaitOutcome(Errno.ETIMEDOUT, HealthStatus.LOCAL_TIMEOUT);
        assertThat(world.time().now() - start).isBetween(12 * IbWorld.SECOND, 14 * IbWorld.SECOND);
        assertThat(listener.requests()).isEmpty();
    }

    @Test
    void nobodyListens() {
        O2ibLnd lnd = world.start(0, stack, Tunables.DEFAULT);
        lnd.startup(ni);
        assertThat(lnd.send(ni, TestMessage.put(IbWorld.nid(0, 0), IbWorld.nid(1, 0), 10)))
                .isZero();
        awaitOutcome(Errno.EHOSTUNREACH, HealthStatus.REMOTE_DROPPED);
    }
}
