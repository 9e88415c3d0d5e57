package org.railyard.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.host.Traced;
import org.railyard.roce.api.RoceCounters.Counter;
import org.railyard.roce.api.RoceSettings;
import org.railyard.roce.wire.Aeth;
import org.railyard.roce.wire.CmReply;
import org.railyard.roce.wire.CmRequest;
import org.railyard.roce.wire.Opcode;
import org.railyard.roce.wire.Psn;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.Access;
import org.railyard.verbs.ArenaRegion;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.Completion;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.Cq;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.Pd;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsProvider;
import org.railyard.verbs.WorkChain;

/** How many packets are under way: more towards peers that say how much they have room for, and not more than pays. */
class WindowTest {
    private static final int PEER = VirtualWorld.ip(77);
    private static final int PEER_QP = 40;
    private static final int FIRST_PSN = 100;
    private static final int CODE_1024 = 3;
    private static final int SERVICE = 987;
    private static final int MESSAGE = 4096;
    private static final int PACKETS = MESSAGE / 1024;
    private static final int MESSAGES = 400;
    private static final int LARGE_ROOM = 8192;

    /** One side of a connection: posts so many messages, and counts what completes. */
    private static final class Side {
        private final EventLoop loop;
        private final MemorySegment memory = Arena.ofAuto().allocate(MESSAGE);
        private final Completion[] batch = Completion.batch(2 * MESSAGES);
        private @Nullable Qp qp;
        private @Nullable ArenaRegion region;
        private boolean established;
        private int completed;

        Side(VerbsProvider provider) {
            loop = provider.createEventLoop("window");
        }

        void prepare(CmId id) {
            VerbsDevice device = Objects.requireNonNull(id.device());
            Pd pd = device.openPd();
            ArenaRegion made = pd.registerArena(memory, Access.LOCAL_WRITE);
            Cq cq = device.createCq(4 * MESSAGES, loop, this::onCompletions);
            Qp queues = id.createQp(pd, cq, new QpCapabilities(MESSAGES, MESSAGES, 1));
            for (int i = 0; i < MESSAGES; i++) {
                queues.postReceive(i, made.addressOf(0), MESSAGE, made.localKey());
            }
            cq.arm();
            region = made;
            qp = queues;
        }

        private void onCompletions(Cq cq) {
            cq.arm();
            for (int count = cq.poll(batch); count > 0; count = cq.poll(batch)) {
                for (int i = 0; i < count; i++) {
                    assertThat(batch[i].isSuccess()).as(batch[i].toString()).isTrue();
                    completed++;
                }
            }
        }

        void post() {
            ArenaRegion from = Objects.requireNonNull(region);
            WorkChain chain = new WorkChain();
            for (int i = 0; i < MESSAGES; i++) {
                chain.send(i, true).gather(from.addressOf(0), MESSAGE, from.localKey());
            }
            loop.execute(
                    () -> assertThat(Objects.requireNonNull(qp).postSend(chain)).isEqualTo(MESSAGES));
        }
    }

    private static Side listening(VirtualWorld world) {
        Side side = new Side(world.provider(0));
        side.loop.execute(() -> {
            CmId id = world.provider(0).createId(side.loop, (_, event) -> {
                CmId request = event.request();
                if (request != null) {
                    side.prepare(request);
                    request.accept(ConnectParameters.DEFAULT, MemorySegment.NULL);
                }
            });
            id.bind(world.address(0, SERVICE), false);
            id.listen();
        });
        world.settle();
        return side;
    }

    /** Returns how many packets come after each acknowledgement of all that came. */
    private static int underWay(int room, int rounds) {
        VirtualWorld world = new VirtualWorld(5, 1500, false);
        try (world) {
            BareNode peer = new BareNode(world.net(), PEER);
            Side side = listening(world);
            peer.say(
                    VirtualWorld.ip(0),
                    new CmRequest(
                            9,
                            1,
                            PEER_QP,
                            FIRST_PSN,
                            5,
                            6,
                            CODE_1024,
                            31,
                            7,
                            PEER,
                            1021,
                            VirtualWorld.ip(0),
                            SERVICE,
                            room,
                            MemorySegment.NULL));
            world.settle();
            side.post();
            world.time().run(1_000_000);
            int qpn = peer.last(CmReply.class).qpn();
            long last = 0;
            for (int i = 0; i <= rounds; i++) {
                long came = peer.distinctPsns(PEER_QP);
                if (i == rounds) {
                    return (int) (came - last);
                }
                last = came;
                peer.packet(
                        VirtualWorld.ip(0),
                        qpn,
                        Opcode.ACKNOWLEDGE,
                        Psn.plus(FIRST_PSN, (int) came - 1),
                        0,
                        frame -> frame.aeth(Aeth.ACK, (int) came / PACKETS));
                world.time().run(1_000_000);
            }
            throw new AssertionError("not reached");
        }
    }

    @Test
    @Requirement("sv-043")
    void peersOfWhichNothingIsKnownGetNoMoreThanBefore() {
        assertThat(underWay(0, 0)).isEqualTo(RoceSettings.UNKNOWN_WINDOW);
        assertThat(underWay(0, 4)).isEqualTo(RoceSettings.UNKNOWN_WINDOW);
    }

    @Test
    @Requirement("sv-043")
    void peersWithRoomGetMoreWhenItGoesWell() {
        assertThat(underWay(LARGE_ROOM, 0)).as("at first").isEqualTo(RoceSettings.UNKNOWN_WINDOW);
        assertThat(underWay(LARGE_ROOM, 1)).isEqualTo(2 * RoceSettings.UNKNOWN_WINDOW);
        assertThat(underWay(LARGE_ROOM, 3)).isEqualTo(RoceSettings.MAX_WINDOW);
        assertThat(underWay(416, 3))
                .as("a socket as systems give it by default")
                .isEqualTo(RoceSettings.UNKNOWN_WINDOW);
    }

    /** Virtual time, and packets that were repeated. */
    private record Cost(long nanos, long resent, List<Traced> traced) {
        Cost(long nanos, long resent) {
            this(nanos, resent, List.of());
        }
    }

    private static Cost transfer(int window, long seed, double loss) {
        VirtualWorld world = new VirtualWorld(
                seed,
                4200,
                false,
                new RoceSettings(RoceSettings.UDP_PORT, 19, 30_000_000, window, 250_000_000, 15, true, 0));
        try (world) {
            Side receiver = listening(world);
            Side sender = new Side(world.provider(1));
            CmAddress target = world.address(0, SERVICE);
            sender.loop.execute(() -> world.provider(1)
                    .createId(sender.loop, (id, event) -> {
                        switch (event.type()) {
                            case ADDRESS_RESOLVED -> id.resolveRoute(-1, 1_000_000_000L);
                            case ROUTE_RESOLVED -> {
                                sender.prepare(id);
                                id.connect(ConnectParameters.DEFAULT, MemorySegment.NULL);
                            }
                            default -> sender.established = event.type() == CmEvent.Type.ESTABLISHED;
                        }
                    })
                    .resolveAddress(target, 1_000_000_000L));
            assertThat(world.elapse(() -> sender.established)).isTrue();
            world.settle();
            world.disturb(loss, 0);
            long start = world.time().now();
            sender.post();
            assertThat(world.elapse(() -> sender.completed == MESSAGES && receiver.completed == MESSAGES))
                    .isTrue();
            return new Cost(world.time().now() - start, world.counters(1).get(Counter.RESENT), world.traced());
        }
    }

    /** The sum of many seeds: one run alone is a matter of luck. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.01, 0.05})
    void lossCostsNoMoreThanWithTheSmallWindow(double loss) {
        Cost small = new Cost(0, 0);
        Cost large = new Cost(0, 0);
        for (int seed = 0; seed < 24; seed++) {
            Cost one = transfer(RoceSettings.UNKNOWN_WINDOW, seed, loss);
            Cost other = transfer(RoceSettings.MAX_WINDOW, seed, loss);
            small = new Cost(small.nanos + one.nanos, small.resent + one.resent);
            large = new Cost(large.nanos + other.nanos, large.resent + other.resent);
        }
        assertThat(large.nanos).isLessThanOrEqualTo(small.nanos + small.nanos / 10);
        assertThat(large.resent).isLessThanOrEqualTo(small.resent + small.resent / 10);
    }

    @Test
    void whatIsRetransmittedIsRecorded() {
        Cost cost = transfer(RoceSettings.MAX_WINDOW, 5, 0.05);
        assertThat(cost.resent).isPositive();
        assertThat(cost.traced)
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each).isInstanceOfSatisfying(Traced.Retransmission.class, again -> {
                    assertThat(again.reason()).isIn("NAK", "time-out");
                    assertThat(again.packets()).isBetween(1, RoceSettings.MAX_WINDOW);
                    assertThat(again.device()).hasToString("roce_eth0");
                }));
        int packets = cost.traced.stream()
                .mapToInt(each -> ((Traced.Retransmission) each).packets())
                .sum();
        assertThat(cost.resent)
                .as("those that are acknowledged meanwhile are not")
                .isLessThanOrEqualTo(packets);
    }
}
