package org.railyard.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.host.Traced;
import org.railyard.roce.api.RoceCounters.Counter;
import org.railyard.roce.api.RoceSettings;
import org.railyard.roce.wire.Aeth;
import org.railyard.roce.wire.CmAttribute;
import org.railyard.roce.wire.CmBody;
import org.railyard.roce.wire.CmMessage;
import org.railyard.roce.wire.CmNotice;
import org.railyard.roce.wire.CmReject;
import org.railyard.roce.wire.CmReply;
import org.railyard.roce.wire.CmRequest;
import org.railyard.roce.wire.Deth;
import org.railyard.roce.wire.Frame;
import org.railyard.roce.wire.Opcode;
import org.railyard.roce.wire.Psn;
import org.railyard.roce.wire.UdpRoute;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.Access;
import org.railyard.verbs.ArenaRegion;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.CmRejectReason;
import org.railyard.verbs.Completion;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.Cq;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.Pd;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.WorkChain;
import org.railyard.verbs.WorkStatus;

/**
 * A peer made of bare packets against a provider: what is wrong is counted and turned away, and the connection beside
 * it goes on.
 */
class BadPacketsTest {
    private static final int SERVICE = 987;
    private static final int BARE_IP = VirtualWorld.ip(77);
    private static final long GUID = 0x0200_0000_1234_5678L;
    private static final int OWN_PSN = 0xFF_FFFE;
    private static final long MILLISECOND = 1_000_000L;

    private final VirtualWorld world = new VirtualWorld(5, 1500, false);
    private final List<CmEvent> events = new ArrayList<>();
    private final List<CmId> requests = new ArrayList<>();
    private final List<Completion> completions = new ArrayList<>();
    private final BareNode bare = new BareNode(world.net(), BARE_IP);
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(8192);
    private final EventLoop loop = world.provider(0).createEventLoop("victim");
    private @Nullable Qp qp;
    private @Nullable Pd domain;
    private @Nullable ArenaRegion region;
    private @Nullable CmId listener;

    @BeforeEach
    void listen() {
        inLoop(() -> {
            CmId id = world.provider(0).createId(loop, this::onEvent);
            id.bind(world.address(0, SERVICE), false);
            id.listen();
            listener = id;
        });
    }

    @AfterEach
    void close() {
        world.close();
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    private void inLoop(Runnable task) {
        loop.execute(task);
        world.settle();
    }

    private void onEvent(CmId id, CmEvent event) {
        events.add(event);
        CmId request = event.request();
        if (request != null) {
            requests.add(request);
        }
    }

    private long count(Counter counter) {
        return world.counters(0).get(counter);
    }

    private CmRequest request(int id, int qpn) {
        return request(id, qpn, 19);
    }

    private CmRequest request(int id, int qpn, int ackTimeout) {
        return request(id, qpn, ackTimeout, 0);
    }

    private CmRequest request(int id, int qpn, int ackTimeout, int room) {
        return new CmRequest(
                id,
                GUID,
                qpn,
                OWN_PSN,
                5,
                6,
                3,
                ackTimeout,
                7,
                BARE_IP,
                1021,
                VirtualWorld.ip(0),
                SERVICE,
                room,
                MemorySegment.NULL);
    }

    private void say(CmBody body) {
        bare.say(VirtualWorld.ip(0), body);
        world.settle();
    }

    private void accept() {
        inLoop(() -> {
            CmId id = requests.getLast();
            Pd pd = Objects.requireNonNull(id.device()).openPd();
            domain = pd;
            region = pd.registerArena(memory, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
            Cq cq = Objects.requireNonNull(id.device()).createCq(64, loop, this::onCompletions);
            Qp made = id.createQp(pd, cq, new QpCapabilities(16, 8, 1));
            qp = made;
            for (int i = 0; i < 4; i++) {
                made.postReceive(i, region.addressOf(0), 4096, region.localKey());
            }
            cq.arm();
            id.accept(ConnectParameters.DEFAULT, MemorySegment.NULL);
        });
    }

    private void onCompletions(Cq cq) {
        Completion[] batch = Completion.batch(8);
        int count = cq.poll(batch);
        completions.addAll(List.of(batch).subList(0, count));
        cq.arm();
    }

    /** Connects as a bare peer; returns what the provider replied. */
    private CmReply connect(int id, int qpn) {
        return connect(request(id, qpn));
    }

    private CmReply connect(CmRequest asked) {
        int id = asked.localId();
        say(asked);
        accept();
        CmReply reply = bare.last(CmReply.class);
        say(CmNotice.of(CmAttribute.READY, id, reply.localId()));
        assertThat(Objects.requireNonNull(qp).state()).isEqualTo(Qp.State.READY_TO_SEND);
        return reply;
    }

    private void send(CmReply to, Opcode opcode, int psn, int length, Consumer<Frame> header) {
        bare.packet(VirtualWorld.ip(0), to.qpn(), opcode, psn, length, header);
        world.pass(MILLISECOND);
    }

    @Test
    void theBarePeerIsGoodEnoughToTalk() {
        CmReply reply = connect(1, 40);
        send(reply, Opcode.SEND_ONLY, reply.startingPsn(), 100, _ -> {});
        assertThat(completions)
                .singleElement()
                .satisfies(done -> assertThat(done.bytes()).isEqualTo(100));
        assertThat(bare.lastAnswer()).isEqualTo(new BareNode.Answer(40, reply.startingPsn(), Aeth.ACK, 1));
    }

    @Test
    @Requirement("sv-042")
    void keysAndBoundsOfWritesAreChecked() {
        for (int attempt = 0; attempt < 4; attempt++) {
            CmReply reply = connect(10 + attempt, 50 + attempt);
            ArenaRegion target = Objects.requireNonNull(region);
            long address = target.addressOf(0) + (attempt == 1 ? 8100 : attempt == 2 ? -1 : 0);
            int key = target.remoteKey() ^ (attempt == 0 ? 1 << 20 : 0);
            int claimed = attempt == 3 ? Integer.MAX_VALUE : 100;
            send(
                    reply,
                    claimed == 100 ? Opcode.WRITE_ONLY : Opcode.WRITE_FIRST,
                    reply.startingPsn(),
                    claimed == 100 ? 100 : 1024,
                    frame -> frame.reth(address, key, claimed));
            assertThat(bare.lastAnswer().syndrome()).as("attempt " + attempt).isEqualTo(Aeth.ACCESS_ERROR);
            assertThat(Objects.requireNonNull(qp).state()).isEqualTo(Qp.State.ERROR);
        }
        assertThat(count(Counter.ACCESS_ERRORS)).isEqualTo(4);
        assertThat(memory.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    }

    @Test
    void keysAreNotNumberedOneByOne() {
        List<Integer> keys = new ArrayList<>();
        inLoop(() -> {
            Pd pd = world.provider(0).devices().getFirst().openPd();
            for (int i = 0; i < 16; i++) {
                keys.add(pd.registerArena(memory, Access.REMOTE_WRITE).remoteKey());
            }
        });
        assertThat(keys).doesNotHaveDuplicates();
        for (int i = 1; i < keys.size(); i++) {
            assertThat(keys.get(i) - keys.get(i - 1)).isNotIn(1, 1 << 8);
        }
    }

    /** Sends the first packet of a WRITE to the beginning of the region. */
    private void beginWrite(CmReply reply, int length) {
        ArenaRegion target = Objects.requireNonNull(region);
        send(
                reply,
                Opcode.WRITE_FIRST,
                reply.startingPsn(),
                1024,
                frame -> frame.reth(target.addressOf(0), target.remoteKey(), length));
    }

    @Test
    void aWriteIsAsLongAsItSays() {
        CmReply reply = connect(20, 60);
        beginWrite(reply, 1500);
        send(reply, Opcode.WRITE_LAST, Psn.plus(reply.startingPsn(), 1), 600, _ -> {});
        assertThat(bare.lastAnswer().syndrome()).isEqualTo(Aeth.INVALID_REQUEST);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 1600)).isZero();
    }

    @Test
    void packetsThatDoNotBelongTogetherEndTheConnection() {
        List<Opcode> first = List.of(
                Opcode.SEND_MIDDLE, Opcode.SEND_LAST, Opcode.WRITE_MIDDLE, Opcode.WRITE_LAST, Opcode.SEND_FIRST);
        for (int i = 0; i < first.size(); i++) {
            CmReply reply = connect(30 + i, 70 + i);
            // The last one is the only one that may begin, but not with less than a whole packet.
            send(reply, first.get(i), reply.startingPsn(), 100, _ -> {});
            assertThat(bare.lastAnswer().syndrome()).as(first.get(i).toString()).isEqualTo(Aeth.INVALID_REQUEST);
            assertThat(Objects.requireNonNull(qp).state()).isEqualTo(Qp.State.ERROR);
        }
        assertThat(count(Counter.INVALID_REQUESTS)).isEqualTo(first.size());
    }

    @Test
    void aWriteThatIsNotOverDoesNotFillItsLengthAndEndsWithBytes() {
        for (int length : new int[] {1024, 2048}) {
            CmReply reply = connect(21 + length, 61 + length);
            beginWrite(reply, length);
            assertThat(Objects.requireNonNull(qp).state())
                    .isEqualTo(length == 1024 ? Qp.State.ERROR : Qp.State.READY_TO_SEND);
            send(reply, Opcode.WRITE_LAST, Psn.plus(reply.startingPsn(), 1), 0, _ -> {});
            assertThat(bare.lastAnswer().syndrome()).isEqualTo(Aeth.INVALID_REQUEST);
            assertThat(Objects.requireNonNull(qp).state()).isEqualTo(Qp.State.ERROR);
        }
        assertThat(count(Counter.INVALID_REQUESTS)).isEqualTo(2);
    }

    /** A last packet without bytes belongs to no message. */
    @Test
    void aMessageThatIsNotOverEndsWithBytes() {
        CmReply reply = connect(25, 65);
        send(reply, Opcode.SEND_FIRST, reply.startingPsn(), 1024, _ -> {});
        int last = Psn.plus(reply.startingPsn(), 1);
        send(reply, Opcode.SEND_LAST, last, 0, _ -> {});
        assertThat(bare.lastAnswer()).isEqualTo(new BareNode.Answer(65, last, Aeth.INVALID_REQUEST, 0));
        assertThat(Objects.requireNonNull(qp).state()).isEqualTo(Qp.State.ERROR);
        assertThat(completions).extracting(Completion::status).containsOnly(WorkStatus.FLUSHED);
    }

    /** The owner may take the right away between two packets. */
    @Test
    @Requirement("sv-042")
    void aWriteEndsWithItsRegion() {
        CmReply reply = connect(22, 62);
        ArenaRegion target = Objects.requireNonNull(region);
        beginWrite(reply, 1500);
        inLoop(target::close);
        int last = Psn.plus(reply.startingPsn(), 1);
        send(reply, Opcode.WRITE_LAST, last, 476, _ -> {});
        assertThat(bare.lastAnswer()).isEqualTo(new BareNode.Answer(62, last, Aeth.ACCESS_ERROR, 0));
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 1023)).isEqualTo((byte) 1);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 1024)).isZero();
        assertThat(count(Counter.ACCESS_ERRORS)).isEqualTo(1);
    }

    @Test
    void aMessageOfSeveralPacketsIsPutTogether() {
        CmReply reply = connect(23, 63);
        send(reply, Opcode.SEND_FIRST, reply.startingPsn(), 1024, _ -> {});
        send(reply, Opcode.SEND_MIDDLE, Psn.plus(reply.startingPsn(), 1), 1024, _ -> {});
        assertThat(completions).isEmpty();
        send(reply, Opcode.SEND_LAST, Psn.plus(reply.startingPsn(), 2), 1, _ -> {});
        assertThat(completions).extracting(Completion::bytes).containsExactly(2049);
        assertThat(memory.asSlice(0, 2049).toArray(ValueLayout.JAVA_BYTE)).containsOnly(1);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 2049)).isZero();
        assertThat(bare.lastAnswer()).isEqualTo(new BareNode.Answer(63, Psn.plus(reply.startingPsn(), 2), Aeth.ACK, 1));
    }

    /** Otherwise its sender would say that this side does not answer, instead of what it has done wrong. */
    @Test
    void theAnswerThatEndsTheConnectionIsGivenAgainIfItWasLost() {
        CmReply reply = connect(24, 64);
        int psn = reply.startingPsn();
        send(reply, Opcode.SEND_ONLY, psn, 8, _ -> {});
        int wrong = Psn.plus(psn, 1);
        long unknown = count(Counter.UNKNOWN_QP);
        for (int time = 1; time <= 2; time++) {
            send(reply, Opcode.WRITE_ONLY, wrong, 8, frame -> frame.reth(0x1000, 0x4711, 8));
            assertThat(bare.answers()).hasSize(1 + time);
            assertThat(bare.lastAnswer()).isEqualTo(new BareNode.Answer(64, wrong, Aeth.ACCESS_ERROR, 1));
        }
        assertThat(count(Counter.UNKNOWN_QP)).isEqualTo(unknown + 1);
        send(reply, Opcode.SEND_ONLY, Psn.plus(wrong, 1), 8, _ -> {});
        assertThat(bare.answers()).as("only to the packet that it is about").hasSize(3);
    }

    /** A message that is too long for the memory that waits for it, and one for memory that is not registered. */
    @Test
    void whatHasNoPlaceEndsTheConnectionAndIsToldAgain() {
        for (int attempt = 0; attempt < 2; attempt++) {
            CmReply reply = connect(26 + attempt, 66 + attempt);
            int syndrome = attempt == 0 ? Aeth.INVALID_REQUEST : Aeth.OPERATION_ERROR;
            if (attempt == 1) {
                inLoop(Objects.requireNonNull(region)::close);
            }
            int psn = reply.startingPsn();
            if (attempt == 0) {
                for (int i = 0; i < 4; i++) {
                    send(reply, i == 0 ? Opcode.SEND_FIRST : Opcode.SEND_MIDDLE, Psn.plus(psn, i), 1024, _ -> {});
                }
                psn = Psn.plus(psn, 4);
            }
            int before = bare.answers().size();
            for (int time = 1; time <= 2; time++) {
                send(reply, attempt == 0 ? Opcode.SEND_LAST : Opcode.SEND_ONLY, psn, 1, _ -> {});
                assertThat(bare.answers()).hasSize(before + time);
                assertThat(bare.lastAnswer()).isEqualTo(new BareNode.Answer(66 + attempt, psn, syndrome, 0));
            }
            assertThat(Objects.requireNonNull(qp).state()).isEqualTo(Qp.State.ERROR);
        }
        assertThat(completions)
                .extracting(Completion::status)
                .filteredOn(status -> status != WorkStatus.FLUSHED)
                .containsExactly(WorkStatus.LOCAL_LENGTH, WorkStatus.LOCAL_PROTECTION);
        assertThat(count(Counter.INVALID_REQUESTS)).isEqualTo(1);
    }

    /** A sender with a window may ask only at the end of a message that is longer than the window. */
    @Test
    void muchIsAcknowledgedWithoutBeingAsked() {
        CmReply reply = connect(28, 68);
        ArenaRegion target = Objects.requireNonNull(region);
        int psn = reply.startingPsn();
        for (int i = 0; i < 96; i++) {
            assertThat(bare.answers()).hasSize(i / 48);
            int each = Psn.plus(psn, i);
            send(
                    reply,
                    Opcode.WRITE_ONLY,
                    each,
                    8,
                    frame -> frame.begin(Opcode.WRITE_ONLY, reply.qpn(), false, false, each)
                            .reth(target.addressOf(0), target.remoteKey(), 8));
        }
        assertThat(bare.answers())
                .containsExactly(
                        new BareNode.Answer(68, Psn.plus(psn, 47), Aeth.ACK, 48),
                        new BareNode.Answer(68, Psn.plus(psn, 95), Aeth.ACK, 96));
    }

    /** The RTU is lost, and its sender goes on: what it sends says the same. */
    @Test
    void aMessageSaysThatTheConnectionIsUp() {
        List<AsyncEvent> told = new ArrayList<>();
        inLoop(() -> world.provider(0).devices().getFirst().listen(loop, (_, event) -> told.add(event)));
        say(request(29, 69));
        accept();
        CmReply reply = bare.last(CmReply.class);
        for (int i = 0; i < 2; i++) {
            send(reply, Opcode.SEND_ONLY, Psn.plus(reply.startingPsn(), i), 8, _ -> {});
        }
        assertThat(told).containsExactly(AsyncEvent.ofQp(AsyncEvent.Type.QP_COMMUNICATION_ESTABLISHED, reply.qpn()));
        assertThat(events).extracting(CmEvent::type).doesNotContain(CmEvent.Type.ESTABLISHED);
        inLoop(() -> requests.getLast().communicationEstablished());
        assertThat(events.getLast().type()).isEqualTo(CmEvent.Type.ESTABLISHED);
    }

    /** Code 0 means that there is no limit, not that it is 4.096 µs. */
    @Test
    void aPeerWithoutATimeLimitIsNotGivenUp() {
        CmReply reply = connect(request(65, 105, 0));
        Qp own = Objects.requireNonNull(qp);
        inLoop(() -> post(1000));
        assertThat(world.elapse(() -> own.state() == Qp.State.ERROR)).isFalse();
        assertThat(count(Counter.RESENT)).as("no more than twice a second").isBetween(10L, 1300L);
        send(reply, Opcode.ACKNOWLEDGE, OWN_PSN, 0, frame -> frame.aeth(Aeth.ACK, 1));
        assertThat(completions).extracting(Completion::status).containsExactly(WorkStatus.SUCCESS);
    }

    @Test
    void aMissingPacketIsAskedForOnceAndAnOldOneIsAcknowledgedAgain() {
        CmReply reply = connect(40, 80);
        int psn = reply.startingPsn();
        for (int ahead = 1; ahead < 4; ahead++) {
            send(reply, Opcode.SEND_ONLY, Psn.plus(psn, ahead), 8, _ -> {});
        }
        assertThat(bare.answers())
                .as("kernels heed no NAK before an acknowledgement")
                .containsExactly(
                        new BareNode.Answer(80, Psn.plus(psn, -1), Aeth.ACK, 0),
                        new BareNode.Answer(80, psn, Aeth.SEQUENCE_ERROR, 0));
        send(reply, Opcode.SEND_ONLY, psn, 8, _ -> {});
        send(reply, Opcode.SEND_ONLY, psn, 8, _ -> {});
        send(reply, Opcode.SEND_ONLY, Psn.plus(psn, -5), 8, _ -> {});
        BareNode.Answer good = new BareNode.Answer(80, psn, Aeth.ACK, 1);
        assertThat(bare.answers().subList(2, 5)).containsExactly(good, good, good);
        assertThat(completions).hasSize(1);
        assertThat(count(Counter.DUPLICATES)).isEqualTo(2);
        assertThat(count(Counter.OUT_OF_SEQUENCE)).isEqualTo(3);
    }

    /** The kernel's rdma_rxe goes on after 2.1 s only if the NAK was lost, or the retransmission of the last packet. */
    @Test
    @Requirement("sv-041")
    void aSenderThatStopsAfterALossIsAskedAgain() {
        CmReply reply = connect(43, 83);
        int psn = reply.startingPsn();
        send(reply, Opcode.SEND_ONLY, Psn.plus(psn, 1), 8, _ -> {});
        BareNode.Answer ack = new BareNode.Answer(83, Psn.plus(psn, -1), Aeth.ACK, 0);
        BareNode.Answer nak = new BareNode.Answer(83, psn, Aeth.SEQUENCE_ERROR, 0);
        assertThat(bare.answers()).containsExactly(ack, nak);
        world.pass(10 * MILLISECOND);
        assertThat(bare.answers()).containsExactly(ack, nak, ack, nak);
        world.pass(10 * MILLISECOND);
        assertThat(bare.answers()).containsExactly(ack, nak, ack, nak, ack, nak);
        world.settle();
        assertThat(bare.answers()).as("each costs a try").hasSize(6);

        int begun = psn;
        send(reply, Opcode.SEND_FIRST, begun, 1024, _ -> {});
        int before = bare.answers().size();
        world.pass(10 * MILLISECOND);
        assertThat(bare.answers().subList(before, before + 2))
                .as("the rest of the message")
                .containsExactly(
                        new BareNode.Answer(83, begun, Aeth.ACK, 0),
                        new BareNode.Answer(83, Psn.plus(begun, 1), Aeth.SEQUENCE_ERROR, 0));
        send(reply, Opcode.SEND_LAST, Psn.plus(begun, 1), 8, _ -> {});
        int naks = (int) count(Counter.NAKS_SENT);
        BareNode.Answer all = new BareNode.Answer(83, Psn.plus(begun, 1), Aeth.ACK, 1);
        assertThat(bare.lastAnswer()).isEqualTo(all);
        before = bare.answers().size();
        world.settle();
        assertThat(bare.answers().subList(before, bare.answers().size())).containsExactly(all, all);
        assertThat(count(Counter.NAKS_SENT)).as("nothing is missing").isEqualTo(naks);
    }

    @Test
    @Requirement("sv-041")
    void aSenderThatStopsIsNotAskedAgainWithoutLossOrIfItSendsAgainSoonItself() {
        CmReply reply = connect(44, 84);
        send(reply, Opcode.SEND_FIRST, reply.startingPsn(), 1024, _ -> {});
        int before = bare.answers().size();
        world.settle();
        assertThat(bare.answers()).as("nothing was lost").hasSize(before);

        CmReply kin = connect(request(45, 85, 19, /* room= */ 1024));
        send(kin, Opcode.SEND_ONLY, Psn.plus(kin.startingPsn(), 1), 8, _ -> {});
        before = bare.answers().size();
        assertThat(bare.lastAnswer().syndrome()).isEqualTo(Aeth.SEQUENCE_ERROR);
        world.settle();
        assertThat(bare.answers()).hasSize(before);
    }

    /**
     * As a kernel node repeats after a time-out of its own: nothing asks for an answer before the packet that is
     * missing.
     */
    @Test
    @Requirement("sv-041")
    void whatArrivedIsAcknowledgedBeforeAMissingPacketIsAskedFor() {
        CmReply reply = connect(42, 82);
        int psn = reply.startingPsn();
        for (int ahead : new int[] {0, 1, 3, 4}) {
            int each = Psn.plus(psn, ahead);
            bare.packet(
                    VirtualWorld.ip(0),
                    reply.qpn(),
                    Opcode.SEND_ONLY,
                    each,
                    8,
                    frame -> frame.begin(Opcode.SEND_ONLY, reply.qpn(), false, false, each));
        }
        world.pass(MILLISECOND);
        assertThat(bare.answers())
                .containsExactly(
                        new BareNode.Answer(82, Psn.plus(psn, 1), Aeth.ACK, 2),
                        new BareNode.Answer(82, Psn.plus(psn, 2), Aeth.SEQUENCE_ERROR, 2));
        assertThat(count(Counter.NAKS_SENT)).isEqualTo(1);
    }

    @Test
    @Requirement("sv-041")
    void thatAGapIsClosedIsToldWithoutBeingAsked() {
        CmReply reply = connect(41, 81);
        int psn = reply.startingPsn();
        send(reply, Opcode.SEND_ONLY, Psn.plus(psn, 1), 8, _ -> {});
        int before = bare.answers().size();
        send(reply, Opcode.SEND_ONLY, psn, 8, frame -> frame.begin(Opcode.SEND_ONLY, reply.qpn(), false, false, psn));
        assertThat(bare.answers()).hasSize(before + 1);
        assertThat(bare.lastAnswer()).isEqualTo(new BareNode.Answer(81, psn, Aeth.ACK, 1));
        int next = Psn.plus(psn, 1);
        send(reply, Opcode.SEND_ONLY, next, 8, frame -> frame.begin(Opcode.SEND_ONLY, reply.qpn(), false, false, next));
        assertThat(bare.answers()).as("nobody asked, and nothing is missing").hasSize(before + 1);
    }

    @Test
    void whatIsNoPacketOfTheConnectionIsCountedAndForgotten() {
        CmReply reply = connect(50, 90);
        int psn = reply.startingPsn();
        int before = bare.answers().size();
        UdpRoute route = new UdpRoute(BARE_IP, RoceSettings.UDP_PORT, VirtualWorld.ip(0), RoceSettings.UDP_PORT);
        for (byte[] bytes : List.of(new byte[0], new byte[15], new byte[17], new byte[5000])) {
            world.net().inject(route, bytes);
        }
        Frame frame = new Frame();
        for (int bad = 0; bad < 4; bad++) {
            ByteBuffer good = frame.begin(Opcode.SEND_ONLY, reply.qpn(), false, true, psn)
                    .payload(16)
                    .finish(route);
            byte[] bytes = new byte[good.remaining()];
            good.get(bytes);
            bytes[bad == 0 ? 0 : bad] ^= (byte) (bad == 0 ? 0x40 : bad == 1 ? 1 : 0x55);
            world.net().inject(route, bytes);
        }
        world.settle();
        assertThat(count(Counter.MALFORMED)).isEqualTo(4 + 4);
        byte[] damaged = bare.bytes(VirtualWorld.ip(0), reply.qpn(), Opcode.SEND_ONLY, psn, 16, _ -> {});
        damaged[14] ^= 1;
        world.net().inject(route, damaged);
        world.settle();
        assertThat(count(Counter.BAD_CHECKSUM)).isEqualTo(1);
        bare.packet(VirtualWorld.ip(0), reply.qpn() + 1, Opcode.SEND_ONLY, psn, 16, _ -> {});
        world.settle();
        assertThat(count(Counter.UNKNOWN_QP)).isEqualTo(1);
        BareNode stranger = new BareNode(world.net(), VirtualWorld.ip(78));
        stranger.packet(VirtualWorld.ip(0), reply.qpn(), Opcode.SEND_ONLY, psn, 16, _ -> {});
        stranger.say(VirtualWorld.ip(0), CmNotice.disconnect(50, reply.localId(), reply.qpn()));
        world.settle();
        assertThat(count(Counter.SPOOFED)).isEqualTo(2);
        assertThat(completions).isEmpty();
        assertThat(bare.answers()).hasSize(before);
        // It goes on.
        send(reply, Opcode.SEND_ONLY, psn, 16, _ -> {});
        assertThat(completions).hasSize(1);
    }

    /** A packet with any opcode and the right checksum. */
    private void sendCode(CmReply to, int code, int psn, int bytes) {
        UdpRoute route = new UdpRoute(BARE_IP, RoceSettings.UDP_PORT, VirtualWorld.ip(0), RoceSettings.UDP_PORT);
        Frame frame = new Frame();
        int datagram = frame.begin(Opcode.SEND_ONLY, to.qpn(), false, true, psn)
                .payload(bytes)
                .finish(route)
                .remaining();
        frame.memory().set(ValueLayout.JAVA_BYTE, 0, (byte) code);
        frame.withoutIdentification(route, datagram);
        world.net().inject(route, frame.memory().asSlice(0, datagram).toArray(ValueLayout.JAVA_BYTE));
        world.settle();
    }

    /** Otherwise its sender takes it for lost, and repeats it until it gives up without knowing why. */
    @Test
    void aRequestThatIsNotCarriedOutEndsTheConnection() {
        List<Integer> codes = List.of(
                0x03, 0x05, 0x09, 0x0B, 0x0C, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x1C, 0x1D, 0x1E,
                0x1F);
        for (int code : codes) {
            CmReply reply = connect(200 + code, 300 + code);
            int psn = reply.startingPsn();
            sendCode(reply, code, Psn.plus(psn, -1), 28);
            assertThat(bare.lastAnswer().syndrome()).as("what came before").isEqualTo(Aeth.ACK);
            sendCode(reply, code, Psn.plus(psn, 1), 28);
            assertThat(bare.lastAnswer().syndrome()).as("what comes later").isEqualTo(Aeth.SEQUENCE_ERROR);
            assertThat(Objects.requireNonNull(qp).state()).isEqualTo(Qp.State.READY_TO_SEND);
            sendCode(reply, code, psn, 28);
            assertThat(bare.lastAnswer())
                    .as("opcode " + code)
                    .isEqualTo(new BareNode.Answer(300 + code, psn, Aeth.INVALID_REQUEST, 0));
            assertThat(Objects.requireNonNull(qp).state()).isEqualTo(Qp.State.ERROR);
        }
        assertThat(count(Counter.INVALID_REQUESTS)).isEqualTo(codes.size());
        assertThat(count(Counter.MALFORMED)).isZero();
        assertThat(completions).extracting(Completion::status).containsOnly(WorkStatus.FLUSHED);
    }

    /** The largest packet that there can be. */
    @Test
    void aRequestThatIsNotCarriedOutMayBeLong() {
        CmReply reply = connect(52, 92);
        sendCode(reply, Opcode.WRITE_ONLY_IMMEDIATE.code(), reply.startingPsn(), 20 + 4096);
        assertThat(bare.lastAnswer().syndrome()).isEqualTo(Aeth.INVALID_REQUEST);
    }

    /** Answers to READ and atomic requests; packets of unreliable connections and of others. */
    @Test
    void packetsThatAreNoRequestsOfAReliableConnectionAreForgotten() {
        CmReply reply = connect(53, 93);
        List<Integer> codes = List.of(0x0D, 0x0E, 0x0F, 0x10, 0x12, 0x20, 0x24, 0x44, 0x60, 0x81, 0xA0, 0xFF);
        for (int code : codes) {
            sendCode(reply, code, reply.startingPsn(), 28);
        }
        assertThat(count(Counter.MALFORMED)).isEqualTo(codes.size());
        assertThat(bare.answers()).isEmpty();
        send(reply, Opcode.SEND_ONLY, reply.startingPsn(), 16, _ -> {});
        assertThat(completions).extracting(Completion::status).containsExactly(WorkStatus.SUCCESS);
    }

    /** Its checksum is right, so that only its length tells. */
    @Test
    void aPacketThatIsShorterThanItsHeadersIsForgotten() {
        CmReply reply = connect(51, 91);
        UdpRoute route = new UdpRoute(BARE_IP, RoceSettings.UDP_PORT, VirtualWorld.ip(0), RoceSettings.UDP_PORT);
        Frame frame = new Frame();
        List<Opcode> opcodes = new ArrayList<>(List.of(Opcode.values()));
        opcodes.removeIf(each -> each.extraHeaderBytes() == 0 && each != Opcode.SEND_ONLY);
        assertThat(opcodes).contains(Opcode.WRITE_ONLY, Opcode.ACKNOWLEDGE, Opcode.DATAGRAM, Opcode.READ);
        for (int bad = 0; bad < opcodes.size(); bad++) {
            // Less than the header that belongs to it; padding without bytes.
            Opcode opcode = opcodes.get(bad);
            int length = Math.max(0, opcode.extraHeaderBytes() - 4);
            int datagram = frame.begin(Opcode.SEND_ONLY, reply.qpn(), false, true, reply.startingPsn())
                    .payload(length)
                    .finish(route)
                    .remaining();
            frame.memory().set(ValueLayout.JAVA_BYTE, 0, (byte) opcode.code());
            frame.memory().set(ValueLayout.JAVA_BYTE, 1, (byte) (opcode == Opcode.SEND_ONLY ? 0x10 : 0));
            frame.withoutIdentification(route, datagram);
            world.net().inject(route, frame.memory().asSlice(0, datagram).toArray(ValueLayout.JAVA_BYTE));
            world.settle();
            assertThat(count(Counter.MALFORMED)).as(opcode.toString()).isEqualTo(bad + 1);
        }
        assertThat(bare.answers()).isEmpty();
        assertThat(completions).isEmpty();
        send(reply, Opcode.SEND_ONLY, reply.startingPsn(), 16, _ -> {});
        assertThat(completions).hasSize(1);
    }

    @Test
    void answersThatNobodyWaitsForChangeNothing() {
        CmReply reply = connect(60, 100);
        for (int syndrome : List.of(Aeth.ACK, Aeth.SEQUENCE_ERROR, Aeth.ACCESS_ERROR, Aeth.RECEIVER_NOT_READY)) {
            send(reply, Opcode.ACKNOWLEDGE, 12_345, 0, frame -> frame.aeth(syndrome, 1));
        }
        assertThat(count(Counter.STALE_ANSWERS)).isEqualTo(4);
        assertThat(Objects.requireNonNull(qp).state()).isEqualTo(Qp.State.READY_TO_SEND);
    }

    /** Its payload is fetched when it leaves; until then the memory must not be given back to its owner. */
    @Test
    void whatWaitsToLeaveIsNotAcknowledged() {
        CmReply reply = connect(61, 101);
        UdpRoute route = new UdpRoute(BARE_IP, RoceSettings.UDP_PORT, VirtualWorld.ip(0), RoceSettings.UDP_PORT);
        byte[] forged = bare.bytes(
                VirtualWorld.ip(0), reply.qpn(), Opcode.ACKNOWLEDGE, OWN_PSN, 0, frame -> frame.aeth(Aeth.ACK, 1));
        inLoop(() -> {
            post(1000);
            world.net().injectNow(route, forged);
        });
        assertThat(count(Counter.STALE_ANSWERS)).isEqualTo(1);
        assertThat(completions).isEmpty();
        send(reply, Opcode.ACKNOWLEDGE, OWN_PSN, 0, frame -> frame.aeth(Aeth.ACK, 1));
        assertThat(completions).extracting(Completion::id).containsExactly(8L);
    }

    private void post(int length) {
        ArenaRegion source = Objects.requireNonNull(region);
        WorkChain chain = new WorkChain().send(8, true).gather(source.addressOf(0), length, source.localKey());
        assertThat(Objects.requireNonNull(qp).postSend(chain)).isEqualTo(1);
    }

    /** What was posted before it completes first, and is sent again if it was lost. */
    @Test
    void aRequestThatFailsWaitsForThoseBeforeIt() {
        CmReply reply = connect(67, 107);
        ArenaRegion source = Objects.requireNonNull(region);
        inLoop(() -> {
            post(1000);
            WorkChain wrong = new WorkChain().send(9, true).gather(source.addressOf(0), 8, source.localKey() ^ 1 << 20);
            assertThat(Objects.requireNonNull(qp).postSend(wrong)).isEqualTo(1);
            post(8);
        });
        assertThat(count(Counter.RESENT)).isPositive();
        assertThat(bare.distinctPsns(107)).as("nothing of it, nor behind it").isEqualTo(1);
        assertThat(completions).isEmpty();
        send(reply, Opcode.ACKNOWLEDGE, OWN_PSN, 0, frame -> frame.aeth(Aeth.ACK, 1));
        assertThat(completions.subList(0, 3))
                .extracting(Completion::status)
                .containsExactly(WorkStatus.SUCCESS, WorkStatus.LOCAL_PROTECTION, WorkStatus.FLUSHED);
    }

    /** It is sent again only then, and it may need any number of tries. */
    @Test
    void aReceiverThatIsNotReadyIsGivenTheTimeThatItAsksFor() {
        CmReply reply = connect(68, 108);
        inLoop(() -> post(1000));
        long before = count(Counter.RESENT);
        long start = world.time().now();
        // Code 31: 491.52 ms, more than a time without an answer.
        bare.packet(
                VirtualWorld.ip(0),
                reply.qpn(),
                Opcode.ACKNOWLEDGE,
                OWN_PSN,
                0,
                frame -> frame.aeth(Aeth.RECEIVER_NOT_READY | 31, 0));
        assertThat(world.elapse(() -> count(Counter.NAKS_RECEIVED) == 1)).isTrue();
        assertThat(world.elapse(() -> count(Counter.RESENT) > before)).isTrue();
        assertThat(world.time().now() - start).isBetween(491_520_000L, 500_000_000L);
        assertThat(world.traced().getLast())
                .isInstanceOfSatisfying(
                        Traced.Retransmission.class,
                        again -> assertThat(again.reason()).isEqualTo("RNR NAK"));
    }

    /** Answers the oldest packet so often in a way, each time after it has come again. */
    private void refuse(CmReply reply, int psn, int syndrome, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(Objects.requireNonNull(qp).state()).isEqualTo(Qp.State.READY_TO_SEND);
            bare.packet(VirtualWorld.ip(0), reply.qpn(), Opcode.ACKNOWLEDGE, psn, 0, frame -> frame.aeth(syndrome, 0));
            world.time().run(5_000_000);
        }
    }

    /** As often as the peer says, 6 times for a receive and 5 times for a packet; what goes on begins anew. */
    @Test
    void whatIsRefusedTooOftenInARowIsGivenUp() {
        for (int syndrome : List.of(Aeth.RECEIVER_NOT_READY | 1, Aeth.SEQUENCE_ERROR)) {
            boolean notReady = syndrome != Aeth.SEQUENCE_ERROR;
            int limit = notReady ? 6 : 5;
            completions.clear();
            CmReply reply = connect(syndrome, syndrome);
            loop.execute(() -> post(1025));
            world.time().run(1_000_000);
            refuse(reply, OWN_PSN, syndrome, limit);
            refuse(reply, Psn.plus(OWN_PSN, 1), syndrome, limit + 1);
            assertThat(completions.getFirst().status())
                    .isEqualTo(notReady ? WorkStatus.RNR_RETRY_EXCEEDED : WorkStatus.RETRY_EXCEEDED);
            assertThat(Objects.requireNonNull(qp).state()).isEqualTo(Qp.State.ERROR);
        }
    }

    @Test
    void memoryThatIsFreedAlreadyIsToldByCompletions() {
        connect(64, 104);
        arena.close();
        inLoop(() -> post(1000));
        assertThat(completions)
                .filteredOn(each -> each.id() == 8)
                .extracting(Completion::status)
                .containsExactly(WorkStatus.FLUSHED);
        assertThat(Objects.requireNonNull(qp).state()).isEqualTo(Qp.State.ERROR);
    }

    /** What is sent again by itself, after a time without an answer, is read from memory again. */
    @Test
    void memoryThatIsFreedMeanwhileEndsItsConnectionAndNoOther() {
        connect(62, 102);
        Qp first = Objects.requireNonNull(qp);
        inLoop(() -> post(1000));
        assertThat(first.state()).isEqualTo(Qp.State.READY_TO_SEND);
        CmReply other = connect(63, 103);
        inLoop(() -> post(0));
        arena.close();
        send(other, Opcode.ACKNOWLEDGE, OWN_PSN, 0, frame -> frame.aeth(Aeth.ACK, 1));
        assertThat(world.elapse(() -> first.state() == Qp.State.ERROR)).isTrue();
        assertThat(Objects.requireNonNull(qp).state()).isEqualTo(Qp.State.READY_TO_SEND);
        assertThat(completions)
                .filteredOn(each -> each.id() == 8)
                .extracting(Completion::status)
                .containsExactlyInAnyOrder(WorkStatus.SUCCESS, WorkStatus.FLUSHED);
    }

    @Test
    void requestsThatComeAgainAreAnsweredAgain() {
        CmRequest first = request(70, 110);
        say(first);
        say(first);
        assertThat(requests).as("asked twice, told once").hasSize(1);
        accept();
        int replies = bare.count(CmReply.class);
        bare.say(VirtualWorld.ip(0), first);
        // Far less than the time after which it is sent again by itself.
        world.time().run(1_000_000);
        assertThat(bare.count(CmReply.class)).isEqualTo(replies + 1);
        assertThat(requests).hasSize(1);
    }

    /** What is over stays over, and the peer may use its queue pair for another connection. */
    @Test
    void aRequestThatComesAgainAfterTheEndIsNoNewOne() {
        CmRequest first = request(79, 119);
        CmReply reply = connect(first);
        say(CmNotice.disconnect(79, reply.localId(), reply.qpn()));
        assertThat(events.getLast().type()).isEqualTo(CmEvent.Type.DISCONNECTED);
        inLoop(() -> requests.getLast().close());
        int replies = bare.count(CmReply.class);
        say(first);
        assertThat(requests).hasSize(1);
        assertThat(bare.count(CmReply.class)).isEqualTo(replies);
        connect(81, 119);
        assertThat(requests).hasSize(2);
        assertThat(bare.count(CmReject.class)).isZero();
    }

    /** Otherwise it asks for a minute: a DREQ says nothing to a peer whose REP was lost. */
    @Test
    void whoDoesNotKnowThatItWasAcceptedHearsThatItIsOver() {
        for (boolean answers : new boolean[] {false, true}) {
            CmRequest first = request(answers ? 84 : 83, answers ? 124 : 123);
            say(first);
            accept();
            CmReply reply = bare.last(CmReply.class);
            inLoop(() -> requests.getLast().close());
            assertThat(bare.last(CmNotice.class).attribute()).isEqualTo(CmAttribute.DISCONNECT_REQUEST);
            if (answers) {
                // As a kernel node does for a connection that it does not know.
                say(CmNotice.of(CmAttribute.DISCONNECT_REPLY, first.localId(), reply.localId()));
            }
            int before = bare.count(CmReject.class);
            for (int time = 1; time <= 2; time++) {
                say(first);
                assertThat(bare.count(CmReject.class)).isEqualTo(before + time);
                CmReject no = bare.last(CmReject.class);
                assertThat(no.reason()).isEqualTo(CmRejectReason.CONSUMER_DEFINED);
                assertThat(no.remoteId()).isEqualTo(first.localId());
            }
        }
        assertThat(requests).hasSize(2);
    }

    /** Nothing of what set it up is repeated, and nothing ends it by itself, on either side. */
    @Test
    void aConnectionThatIsUpStaysUp() {
        connect(85, 125);
        Qp asked = Objects.requireNonNull(qp);
        ask();
        Qp asking = Objects.requireNonNull(qp);
        assertThat(asking).isNotSameAs(asked);
        CmRequest request = bare.last(CmRequest.class);
        say(new CmReply(86, request.localId(), 126, 7, 6, GUID, 0, MemorySegment.NULL));
        int requests = bare.count(CmRequest.class);
        int replies = bare.count(CmReply.class);
        assertThat(world.elapse(
                        () -> asked.state() != Qp.State.READY_TO_SEND || asking.state() != Qp.State.READY_TO_SEND))
                .isFalse();
        assertThat(bare.count(CmRequest.class)).isEqualTo(requests);
        assertThat(bare.count(CmReply.class)).isEqualTo(replies);
        assertThat(events.getLast().type()).isEqualTo(CmEvent.Type.ESTABLISHED);
    }

    /** It is told so often, and so long, that whoever is there has heard it. */
    @Test
    void aPeerThatNeverSaysThatItKnowsOfTheReplyIsGivenUp() {
        say(request(87, 127));
        accept();
        assertThat(world.elapse(() -> events.getLast().type() == CmEvent.Type.UNREACHABLE))
                .isTrue();
        assertThat(bare.count(CmReply.class)).isEqualTo(1 + RoceSettings.DEFAULT.managerRetries());
        assertThat(Objects.requireNonNull(qp).state()).isEqualTo(Qp.State.ERROR);
        assertThat(completions).hasSize(4).extracting(Completion::status).containsOnly(WorkStatus.FLUSHED);
    }

    /** Otherwise no connection could be made any more some day. */
    @Test
    void anEndThatWasGivenBackIsForgottenOnceThePeerHasAnswered() {
        CmReply reply = connect(88, 128);
        CmReply late = new CmReply(88, reply.localId(), 128, 7, 6, GUID, 0, MemorySegment.NULL);
        inLoop(() -> requests.getLast().close());
        say(late);
        assertThat(bare.count(CmReject.class)).as("known still").isZero();
        say(CmNotice.of(CmAttribute.DISCONNECT_REPLY, 88, reply.localId()));
        say(late);
        assertThat(bare.last(CmReject.class).reason()).as("no such connection").isEqualTo(6);
        assertThat(events).extracting(CmEvent::type).doesNotContain(CmEvent.Type.DISCONNECTED);
    }

    @Test
    void thatNumbersMayBeUsedAgainIsToldASecondAfterTheEnd() {
        CmReply reply = connect(89, 129);
        say(CmNotice.disconnect(89, reply.localId(), reply.qpn()));
        assertThat(events.getLast().type()).isEqualTo(CmEvent.Type.DISCONNECTED);
        world.settle();
        world.settle();
        assertThat(events.getLast().type()).isEqualTo(CmEvent.Type.TIMEWAIT_EXIT);
    }

    @Test
    void aRequestThatWasTurnedDownStaysTurnedDown() {
        CmRequest first = request(71, 111);
        say(first);
        inLoop(() -> requests.getLast().reject(MemorySegment.ofArray(new byte[] {1, 2, 3})));
        say(first);
        assertThat(bare.count(CmReject.class)).isEqualTo(2);
        inLoop(() -> requests.getLast().close());
        say(first);
        assertThat(bare.count(CmReject.class)).isEqualTo(3);
        assertThat(bare.last(CmReject.class).reason()).isEqualTo(28);
        assertThat(requests).hasSize(1);
    }

    /** Nobody else would ever answer it. */
    @Test
    void aRequestThatNobodyIsToldOfAnyMoreIsTurnedDown() {
        byte[] mad = new byte[CmMessage.BYTES];
        new CmMessage(7, request(78, 118)).write(MemorySegment.ofArray(mad), 0);
        byte[] asked = bare.bytes(
                VirtualWorld.ip(0),
                1,
                Opcode.DATAGRAM,
                0,
                mad.length,
                frame -> frame.deth(Deth.MANAGER_KEY, 1)
                        .memory()
                        .asSlice(frame.payloadOffset(), mad.length)
                        .copyFrom(MemorySegment.ofArray(mad)));
        UdpRoute route = new UdpRoute(BARE_IP, RoceSettings.UDP_PORT, VirtualWorld.ip(0), RoceSettings.UDP_PORT);
        inLoop(() -> {
            world.net().injectNow(route, asked);
            // Between the request and the listener's turn.
            loop.schedule(0, Objects.requireNonNull(listener)::close);
        });
        assertThat(requests).isEmpty();
        assertThat(bare.last(CmReject.class).reason()).isEqualTo(CmRejectReason.CONSUMER_DEFINED);
        say(request(78, 118));
        assertThat(bare.count(CmReject.class))
                .as("to a request that comes again")
                .isEqualTo(2);
    }

    /** Whoever gives up before our reply has come does not know our number. */
    @Test
    @Requirement("sv-041")
    void whoAsksAndGivesUpIsHeard() {
        say(request(66, 106));
        accept();
        long refused = count(Counter.CM_REFUSED);
        say(new CmReject(67, 0, 2, CmRejectReason.TIMEOUT, GUID, MemorySegment.NULL));
        assertThat(count(Counter.CM_REFUSED)).as("another one's").isEqualTo(refused + 1);
        say(new CmReject(66, 0, 2, CmRejectReason.TIMEOUT, GUID, MemorySegment.NULL));
        assertThat(events.getLast().type()).isEqualTo(CmEvent.Type.REJECTED);
        assertThat(events.getLast().reason()).isEqualTo(CmRejectReason.TIMEOUT);
    }

    /** Both sides end a connection at once, and each answers the other. */
    @Test
    void endsThatCrossAreNotRefused() {
        for (boolean closes : new boolean[] {false, true}) {
            int number = closes ? 91 : 90;
            CmReply reply = connect(number, number + 40);
            CmId own = requests.getLast();
            inLoop(closes ? own::close : own::disconnect);
            say(CmNotice.disconnect(number, reply.localId(), reply.qpn()));
            assertThat(bare.last(CmNotice.class).attribute()).isEqualTo(CmAttribute.DISCONNECT_REPLY);
            say(CmNotice.of(CmAttribute.READY, number, reply.localId()));
            for (int time = 1; time <= 2; time++) {
                say(CmNotice.of(CmAttribute.DISCONNECT_REPLY, number, reply.localId()));
            }
            assertThat(count(Counter.CM_REFUSED)).as("closes: " + closes).isZero();
        }
        CmReply reply = connect(92, 132);
        new BareNode(world.net(), VirtualWorld.ip(78))
                .say(VirtualWorld.ip(0), CmNotice.of(CmAttribute.DISCONNECT_REPLY, 91, reply.localId() ^ 1));
        world.settle();
        assertThat(count(Counter.CM_REFUSED)).as("of nobody").isEqualTo(1);
    }

    /** The peer gives its request up while the program here turns it down, or takes it back. */
    @Test
    void refusalsThatCrossAreNotRefused() {
        for (int ours = 0; ours < 3; ours++) {
            say(request(93 + ours, 133 + ours));
            CmId own = requests.getLast();
            if (ours == 2) {
                accept();
                inLoop(own::disconnect);
            } else {
                inLoop(ours == 0 ? () -> own.reject(MemorySegment.NULL) : own::close);
            }
            say(new CmReject(93 + ours, 0, 2, CmRejectReason.TIMEOUT, GUID, MemorySegment.NULL));
            assertThat(count(Counter.CM_REFUSED)).as("attempt " + ours).isZero();
        }
        assertThat(events.getLast().type()).as("nothing else is waited for").isEqualTo(CmEvent.Type.DISCONNECTED);
    }

    /** The network may repeat a request, or bring it later than what follows it. */
    @Test
    void aRequestThatIsOverIsNoSecondRequest() {
        for (boolean accepted : new boolean[] {false, true}) {
            int number = accepted ? 111 : 110;
            CmRequest asked = request(number, 150 + number);
            say(asked);
            if (accepted) {
                accept();
            }
            int before = requests.size();
            say(new CmReject(number, 0, 2, CmRejectReason.TIMEOUT, GUID, MemorySegment.NULL));
            say(asked);
            inLoop(requests.getLast()::close);
            say(asked);
            assertThat(requests).as("accepted: " + accepted).hasSize(before);
        }
        assertThat(bare.count(CmReject.class)).as("its sender knows").isZero();
    }

    /** The peer may not have heard that it was accepted: it asks in vain otherwise, or for a second connection. */
    @Test
    void aRequestWhoseReplyWasNotAnsweredIsTurnedDownWhenItComesAgain() {
        CmRequest asked = request(112, 152);
        say(asked);
        accept();
        assertThat(world.elapse(() -> events.getLast().type() == CmEvent.Type.UNREACHABLE))
                .isTrue();
        say(asked);
        inLoop(requests.getLast()::close);
        say(asked);
        assertThat(requests).hasSize(1);
        assertThat(bare.count(CmReject.class)).isEqualTo(2);
        CmReject no = bare.last(CmReject.class);
        assertThat(no.rejected()).isEqualTo(CmReject.OF_REQUEST);
        assertThat(no.reason()).isEqualTo(CmRejectReason.CONSUMER_DEFINED);
        assertThat(no.remoteId()).isEqualTo(112);
    }

    /** Asks the bare peer for a connection. */
    private CmId ask() {
        CmId[] asking = new CmId[1];
        inLoop(() -> {
            CmId id = world.provider(0).createId(loop, this::onEvent);
            asking[0] = id;
            id.bind(world.address(0, 0), false);
            id.resolveAddress(new CmAddress(BARE_IP, SERVICE), 1_000_000_000L);
        });
        inLoop(() -> asking[0].resolveRoute(-1, 1_000_000_000L));
        inLoop(() -> {
            VerbsDevice device = Objects.requireNonNull(asking[0].device());
            Cq cq = device.createCq(8, loop, this::onCompletions);
            qp = asking[0].createQp(device.openPd(), cq, new QpCapabilities(1, 1, 1));
            asking[0].connect(ConnectParameters.DEFAULT, MemorySegment.NULL);
        });
        return asking[0];
    }

    @Test
    void fromAPortThatIsDownNobodyIsLookedFor() {
        world.port(0, false);
        world.settle();
        for (int port : new int[] {-1, 0}) {
            inLoop(() -> {
                CmId id = world.provider(0).createId(loop, this::onEvent);
                if (port == 0) {
                    id.bind(world.address(0, port), false);
                }
                id.resolveAddress(new CmAddress(BARE_IP, SERVICE), 1_000_000_000L);
            });
            assertThat(events.removeLast())
                    .isEqualTo(CmEvent.failed(CmEvent.Type.ADDRESS_ERROR, Errno.ENETUNREACH.number()));
            assertThat(events).isEmpty();
        }
    }

    /** The peer finds its end by the device that asked. */
    @Test
    void whoeverIsAskedInVainIsToldByWhom() {
        CmId asking = ask();
        CmRequest asked = bare.last(CmRequest.class);
        inLoop(asking::close);
        CmReject given = bare.last(CmReject.class);
        assertThat(given.reason()).isEqualTo(CmRejectReason.TIMEOUT);
        assertThat(given.localId()).isEqualTo(asked.localId());
        assertThat(given.caGuid()).isEqualTo(asked.caGuid()).isNotZero();
    }

    /** MRA: the peer needs more time, and is not asked again as soon as one that says nothing. */
    @Test
    void whoeverAsksForTimeGetsIt() {
        ask();
        CmRequest asked = bare.last(CmRequest.class);
        long start = world.time().now();
        say(CmNotice.of(CmAttribute.WAIT, 82, asked.localId()));
        int before = bare.count(CmRequest.class);
        assertThat(world.elapse(() -> bare.count(CmRequest.class) > before)).isTrue();
        assertThat(world.time().now() - start)
                .isBetween(RoceSettings.MAX_MANAGER_TIMEOUT_NANOS, RoceSettings.MAX_MANAGER_TIMEOUT_NANOS + 1_000_000);
        say(new CmReply(82, asked.localId(), 121, 7, 6, GUID, 0, MemorySegment.NULL));
        assertThat(events.getLast().type()).isEqualTo(CmEvent.Type.ESTABLISHED);
    }

    /** Otherwise a peer that never answers keeps a request, and all that waits for it, for ever. */
    @Test
    void whoeverAsksForTimeAgainAndAgainIsGivenUp() {
        ask();
        CmRequest asked = bare.last(CmRequest.class);
        long start = world.time().now();
        long limit = RoceSettings.MAX_EXTENSION_NANOS
                + (RoceSettings.DEFAULT.managerRetries() + 2) * RoceSettings.MAX_MANAGER_TIMEOUT_NANOS;
        while (events.getLast().type() != CmEvent.Type.UNREACHABLE
                && world.time().now() - start < limit) {
            say(CmNotice.of(CmAttribute.WAIT, 83, asked.localId()));
        }
        assertThat(events.getLast()).isEqualTo(CmEvent.failed(CmEvent.Type.UNREACHABLE, Errno.ETIMEDOUT.number()));
        assertThat(Objects.requireNonNull(qp).state()).isEqualTo(Qp.State.ERROR);
        assertThat(world.time().now() - start).isGreaterThan(RoceSettings.MAX_EXTENSION_NANOS);
    }

    @Test
    void aQueuePairThatIsKnownIsStale() {
        connect(72, 112);
        say(request(73, 112));
        assertThat(bare.last(CmReject.class).reason()).isEqualTo(10);
        assertThat(Objects.requireNonNull(qp).state()).isEqualTo(Qp.State.ERROR);
        assertThat(bare.last(CmNotice.class).attribute()).isEqualTo(CmAttribute.DISCONNECT_REQUEST);
    }

    /** The peer began anew and forgot the old connection: what it replies with is known from there. */
    @Test
    void aReplyWithAQueuePairThatIsKnownIsStale() {
        connect(96, 136);
        Qp old = Objects.requireNonNull(qp);
        ask();
        CmRequest asked = bare.last(CmRequest.class);
        say(new CmReply(97, asked.localId(), 136, 7, 6, GUID, 0, MemorySegment.NULL));
        CmReject no = bare.last(CmReject.class);
        assertThat(no.rejected()).isEqualTo(CmReject.OF_REPLY);
        assertThat(no.reason()).isEqualTo(CmRejectReason.STALE_CONNECTION);
        assertThat(no.localId()).isEqualTo(asked.localId());
        assertThat(no.remoteId()).isEqualTo(97);
        CmNotice end = bare.last(CmNotice.class);
        assertThat(end.attribute()).isEqualTo(CmAttribute.DISCONNECT_REQUEST);
        assertThat(end.remoteId()).as("the old one").isEqualTo(96);
        assertThat(old.state()).isEqualTo(Qp.State.ERROR);
        assertThat(events.getLast().type()).isEqualTo(CmEvent.Type.REJECTED);
        assertThat(events.getLast().reason()).isEqualTo(CmRejectReason.STALE_CONNECTION);
        assertThat(Objects.requireNonNull(qp).state()).as("the new one").isEqualTo(Qp.State.ERROR);
    }

    /** The first answer was lost, or it was the packet that the network has repeated. */
    @Test
    void aRequestWithAStaleQueuePairStaysTurnedDown() {
        connect(102, 142);
        CmRequest again = request(103, 142);
        say(again);
        CmNotice end = bare.last(CmNotice.class);
        assertThat(end.attribute()).isEqualTo(CmAttribute.DISCONNECT_REQUEST);
        for (int time = 2; time <= 3; time++) {
            say(again);
            assertThat(bare.count(CmReject.class)).isEqualTo(time);
            assertThat(bare.last(CmReject.class).reason()).isEqualTo(CmRejectReason.STALE_CONNECTION);
            assertThat(bare.last(CmReject.class).remoteId()).isEqualTo(103);
            say(CmNotice.of(CmAttribute.DISCONNECT_REPLY, 102, end.localId()));
        }
        assertThat(requests).hasSize(1);
        connect(104, 142);
    }

    /** Its sender would ask in vain otherwise, until it gives up. */
    @Test
    void aReplyWithAStaleQueuePairIsTurnedDownEachTimeThatItComes() {
        connect(105, 145);
        CmId asking = ask();
        CmReply reply = new CmReply(106, bare.last(CmRequest.class).localId(), 145, 7, 6, GUID, 0, MemorySegment.NULL);
        for (int time = 1; time <= 2; time++) {
            say(reply);
            assertThat(bare.count(CmReject.class)).isEqualTo(time);
            CmReject no = bare.last(CmReject.class);
            assertThat(no.rejected()).isEqualTo(CmReject.OF_REPLY);
            assertThat(no.reason()).isEqualTo(CmRejectReason.STALE_CONNECTION);
            assertThat(no.remoteId()).isEqualTo(106);
        }
        inLoop(asking::close);
        say(reply);
        assertThat(bare.last(CmReject.class).reason()).as("no such connection").isEqualTo(CmRejectReason.INVALID_ID);
    }

    /** The peer turns a request down, and accepts it all the same; or its reply was under way for too long. */
    @Test
    void aReplyToARequestThatIsOverIsAnsweredAndNotRefused() {
        ask();
        CmRequest asked = bare.last(CmRequest.class);
        say(new CmReject(107, asked.localId(), CmReject.OF_REQUEST, 28, 0, MemorySegment.NULL));
        assertThat(events.getLast().type()).isEqualTo(CmEvent.Type.REJECTED);
        say(new CmReply(107, asked.localId(), 147, 7, 6, GUID, 0, MemorySegment.NULL));
        CmReject no = bare.last(CmReject.class);
        assertThat(no.rejected()).isEqualTo(CmReject.OF_REPLY);
        assertThat(no.reason()).isEqualTo(CmRejectReason.INVALID_ID);
        assertThat(no.remoteId()).isEqualTo(107);
        say(CmNotice.of(CmAttribute.READY, 107, asked.localId()));
        assertThat(count(Counter.CM_REFUSED)).isZero();
        assertThat(events.getLast().type()).isEqualTo(CmEvent.Type.REJECTED);
    }

    /** Only the last ends that are over are remembered: those without a peer do not take their places. */
    @Test
    void endsWithoutAPeerAreNotRemembered() {
        CmReply reply = connect(108, 148);
        inLoop(requests.getLast()::close);
        CmNotice over = CmNotice.of(CmAttribute.DISCONNECT_REPLY, 108, reply.localId());
        say(over);
        inLoop(() -> {
            for (int i = 0; i < 40_000; i++) {
                CmId end = world.provider(0).createId(loop, this::onEvent);
                if (i % 2 == 0) {
                    end.bind(world.address(0, 988), false);
                }
                end.close();
            }
        });
        say(CmNotice.of(CmAttribute.READY, 109, reply.localId()));
        assertThat(count(Counter.CM_REFUSED)).as("it is remembered").isZero();
    }

    /** It knows the queue pairs of those that it asked, too, as long as it has the connection. */
    @Test
    void theQueuePairOfAReplyIsKnown() {
        CmId asking = ask();
        CmRequest asked = bare.last(CmRequest.class);
        CmReply reply = new CmReply(98, asked.localId(), 138, 7, 6, GUID, 0, MemorySegment.NULL);
        say(reply);
        say(reply);
        assertThat(bare.count(CmReject.class)).as("the same reply again").isZero();
        assertThat(events.getLast().type()).isEqualTo(CmEvent.Type.ESTABLISHED);
        say(request(99, 138));
        assertThat(bare.last(CmReject.class).reason()).isEqualTo(CmRejectReason.STALE_CONNECTION);
        assertThat(Objects.requireNonNull(qp).state()).isEqualTo(Qp.State.ERROR);
        say(CmNotice.of(CmAttribute.DISCONNECT_REPLY, 98, asked.localId()));
        connect(100, 138);
        assertThat(bare.count(CmReject.class)).as("once that is over").isEqualTo(1);
        inLoop(asking::close);
        say(request(101, 138));
        assertThat(bare.count(CmReject.class))
                .as("now it is that of another one")
                .isEqualTo(2);
    }

    @Test
    void messagesThatMakeNoSenseAreRefused() {
        connect(74, 113);
        long refused = count(Counter.CM_REFUSED);
        say(CmNotice.of(CmAttribute.READY, 1, 0x1234));
        say(CmNotice.of(CmAttribute.DISCONNECT_REPLY, 1, 0x1234));
        assertThat(count(Counter.CM_REFUSED)).isEqualTo(refused + 2);
        say(new CmReply(5, 0x1234, 9, 9, 6, GUID, 0, MemorySegment.NULL));
        assertThat(bare.last(CmReject.class).reason()).as("no such connection").isEqualTo(6);
        say(CmNotice.disconnect(5, 0x1234, 9));
        assertThat(bare.last(CmNotice.class).attribute()).isEqualTo(CmAttribute.DISCONNECT_REPLY);
        // Who says to be somebody else is not answered.
        int before = bare.count(CmReject.class);
        say(new CmRequest(
                75,
                GUID,
                9,
                1,
                5,
                6,
                3,
                19,
                7,
                VirtualWorld.ip(1),
                1021,
                VirtualWorld.ip(0),
                1,
                0,
                MemorySegment.NULL));
        assertThat(bare.count(CmReject.class)).isEqualTo(before);
        assertThat(count(Counter.SPOOFED)).isEqualTo(1);
        // Packets larger than the interface takes.
        say(new CmRequest(
                76, GUID, 9, 1, 5, 6, 5, 19, 7, BARE_IP, 1021, VirtualWorld.ip(0), SERVICE, 0, MemorySegment.NULL));
        assertThat(bare.last(CmReject.class).reason()).isEqualTo(26);
    }

    @Test
    void managementDatagramsOfOtherKindsAreRefused() {
        byte[] mad = new byte[CmMessage.BYTES];
        new CmMessage(1, request(77, 114)).write(MemorySegment.ofArray(mad), 0);
        for (int place : List.of(0, 1, 2, 3, 17)) {
            byte[] bad = mad.clone();
            bad[place] ^= 0x40;
            bare.datagram(VirtualWorld.ip(0), 1, Deth.MANAGER_KEY, bad);
        }
        bare.datagram(VirtualWorld.ip(0), 1, Deth.MANAGER_KEY, new byte[100]);
        world.settle();
        assertThat(count(Counter.CM_REFUSED)).isEqualTo(6);
        bare.datagram(VirtualWorld.ip(0), 1, 0x1111_1111, mad);
        bare.datagram(VirtualWorld.ip(0), 2, Deth.MANAGER_KEY, mad);
        world.settle();
        assertThat(count(Counter.UNKNOWN_QP)).isEqualTo(2);
        assertThat(requests).isEmpty();
    }

    /** The window of the sender: so many packets, and not one more, before an answer. */
    @Test
    @Requirement("sv-043")
    void thereAreNeverMoreThan64PacketsWithoutAnAnswer() {
        CmReply reply = connect(80, 120);
        ArenaRegion source = Objects.requireNonNull(region);
        inLoop(() -> {
            WorkChain chain = new WorkChain();
            for (int i = 0; i < 8; i++) {
                chain.write(i, true, 0x1000, 0x42).gather(source.addressOf(0), 8192, source.localKey());
            }
            chain.write(8, true, 0x1000, 0x42).gather(source.addressOf(0), 8192, source.localKey());
            Objects.requireNonNull(qp).postSend(chain);
        });
        assertThat(reply.qpn()).isPositive();
        assertThat(bare.distinctPsns(120)).isEqualTo(64);
    }

    /** A kernel node answers only when it is asked, and a message may be longer than the window. */
    @Test
    @Requirement("sv-043")
    void inAMessageThatIsLongerThanTheWindowAnswersAreAskedFor() {
        connect(82, 122);
        loop.execute(() -> {
            MemorySegment large = arena.allocate(65 << 10);
            ArenaRegion source = Objects.requireNonNull(domain).registerArena(large, 0);
            WorkChain chain = new WorkChain()
                    .write(8, true, 0x1000, 0x42)
                    .gather(source.addressOf(0), 65 << 10, source.localKey());
            assertThat(Objects.requireNonNull(qp).postSend(chain)).isEqualTo(1);
        });
        // Less than the time after which it is sent again.
        world.time().run(1_000_000);
        assertThat(bare.distinctPsns(122)).isEqualTo(64);
        assertThat(bare.askingPsns(122))
                .containsExactly(
                        Psn.plus(OWN_PSN, 15), Psn.plus(OWN_PSN, 31), Psn.plus(OWN_PSN, 47), Psn.plus(OWN_PSN, 63));
    }
}
