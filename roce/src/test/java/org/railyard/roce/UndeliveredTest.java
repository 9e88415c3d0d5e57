package org.railyard.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.roce.wire.Aeth;
import org.railyard.roce.wire.CmReply;
import org.railyard.roce.wire.CmRequest;
import org.railyard.roce.wire.Opcode;
import org.railyard.roce.wire.Psn;
import org.railyard.verbs.Access;
import org.railyard.verbs.ArenaRegion;
import org.railyard.verbs.CmId;
import org.railyard.verbs.Completion;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.Cq;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.WorkChain;
import org.railyard.verbs.WorkStatus;

/**
 * A SEND that is flushed is told to be undelivered if its last packet never left, and only then: what may have left may
 * have arrived. Also, when packets leave at all. The peer keeps all packets that reach it and acknowledges what it is
 * told to.
 */
class UndeliveredTest {
    private static final int PEER = VirtualWorld.ip(77);
    private static final int SERVICE = 987;
    private static final int CODE_1024 = 3;
    private static final int MTU = 1024;
    private static final int PEER_QP = 40;
    private static final int FIRST_PSN = 100;
    /** Three packets. */
    private static final int MESSAGE = 2 * MTU + 1;

    private static final int PACKETS = 3;
    private static final int MESSAGES = 40;
    /** Window of a connection, packets. */
    private static final int WINDOW = 64;

    private final VirtualWorld world = new VirtualWorld(3, 1500, false);
    private final BareNode peer = new BareNode(world.net(), PEER);
    private final EventLoop loop = world.provider(0).createEventLoop("undelivered");
    private final List<Completion> completions = new ArrayList<>();
    private @Nullable Qp qp;
    private @Nullable Cq cq;
    private @Nullable ArenaRegion region;

    UndeliveredTest() {
        inLoop(() -> {
            CmId id = world.provider(0).createId(loop, (_, event) -> {
                CmId request = event.request();
                if (request != null) {
                    accept(request);
                }
            });
            id.bind(world.address(0, SERVICE), false);
            id.listen();
        });
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
                        0,
                        MemorySegment.NULL));
        world.settle();
    }

    private void accept(CmId request) {
        MemorySegment memory = Arena.ofAuto().allocate(MESSAGE);
        var pd = Objects.requireNonNull(request.device()).openPd();
        region = pd.registerArena(memory, Access.LOCAL_WRITE);
        cq = Objects.requireNonNull(request.device()).createCq(2 * MESSAGES, loop, _ -> {});
        qp = request.createQp(pd, cq, new QpCapabilities(MESSAGES, 1, 1));
        request.accept(ConnectParameters.DEFAULT, MemorySegment.NULL);
    }

    @AfterEach
    void close() {
        world.close();
    }

    private void inLoop(Runnable task) {
        loop.execute(task);
        world.settle();
    }

    private Qp qp() {
        return Objects.requireNonNull(qp);
    }

    private void post(boolean write) {
        WorkChain chain = chain(write, MESSAGES, MESSAGE);
        inLoop(() -> assertThat(qp().postSend(chain)).isEqualTo(MESSAGES));
    }

    private WorkChain chain(boolean write, int messages, int bytes) {
        ArenaRegion from = Objects.requireNonNull(region);
        WorkChain chain = new WorkChain();
        for (int i = 0; i < messages; i++) {
            (write ? chain.write(i, true, 0, 0) : chain.send(i, true))
                    .gather(from.addressOf(0), bytes, from.localKey());
        }
        return chain;
    }

    /** Returns how often packets left before a task ended that posted messages. */
    private long flushesWhilePosting(int messages, int bytes) {
        WorkChain chain = chain(false, messages, bytes);
        long[] flushes = new long[1];
        inLoop(() -> {
            long before = world.net().flushes(VirtualWorld.ip(0));
            qp().postSend(chain);
            flushes[0] = world.net().flushes(VirtualWorld.ip(0)) - before;
        });
        return flushes[0];
    }

    private void acknowledge(int messages) {
        peer.packet(
                VirtualWorld.ip(0),
                peer.last(CmReply.class).qpn(),
                Opcode.ACKNOWLEDGE,
                Psn.plus(FIRST_PSN, messages * PACKETS - 1),
                0,
                frame -> frame.aeth(Aeth.ACK, messages));
        world.settle();
    }

    private void breakConnection() {
        inLoop(() -> qp().modifyToError());
        inLoop(() -> {
            Completion[] batch = Completion.batch(2 * MESSAGES);
            completions.addAll(
                    List.of(batch).subList(0, Objects.requireNonNull(cq).poll(batch)));
        });
        assertThat(completions).hasSize(MESSAGES);
    }

    /** The window is full in the middle of a message: that one has not left as a whole. */
    @Test
    void whatIsBehindTheWindowHasNotLeft() {
        post(false);
        breakConnection();
        assertThat(peer.distinctPsns(PEER_QP)).isEqualTo(WINDOW);
        for (Completion each : completions) {
            assertThat(each.status()).isEqualTo(WorkStatus.FLUSHED);
            assertThat(each.isUndelivered()).as("message %d", each.id()).isEqualTo((each.id() + 1) * PACKETS > WINDOW);
        }
    }

    /** Acknowledgements move the window: more has left, and what is done is done. */
    @Test
    void whatLeftLaterMayHaveArrived() {
        post(false);
        acknowledge(20);
        breakConnection();
        long left = peer.distinctPsns(PEER_QP);
        assertThat(left).isGreaterThan(WINDOW);
        for (Completion each : completions) {
            assertThat(each.status()).isEqualTo(each.id() < 20 ? WorkStatus.SUCCESS : WorkStatus.FLUSHED);
            assertThat(each.isUndelivered()).as("message %d", each.id()).isEqualTo((each.id() + 1) * PACKETS > left);
        }
    }

    /** Lost on the way is not undelivered: nobody on this side can know. */
    @Test
    void whatTheNetworkLosesMayHaveArrived() {
        world.net().cut(VirtualWorld.ip(0), PEER, true);
        post(false);
        breakConnection();
        assertThat(completions.getFirst().isUndelivered()).isFalse();
        assertThat(completions.getLast().isUndelivered()).isTrue();
    }

    /** The other side shall be at work on the first of many large messages while the others are made. */
    @Test
    void manyLargeMessagesDoNotWaitForTheEndOfTheTurn() {
        assertThat(flushesWhilePosting(18, MESSAGE)).isEqualTo(3);
    }

    @Test
    void fewLargeOrManySmallMessagesLeaveTogether() {
        assertThat(flushesWhilePosting(5, MESSAGE)).isZero();
        assertThat(flushesWhilePosting(MESSAGES, 1000)).isZero();
    }

    /** A packet that the system refuses has not left. */
    @Test
    void whatTheSystemRefusesHasNotLeft() {
        world.net().setDown(VirtualWorld.ip(0), true);
        post(false);
        breakConnection();
        assertThat(peer.distinctPsns(PEER_QP)).isZero();
        assertThat(completions).allMatch(Completion::isUndelivered);
    }

    @Test
    void onlySendsAreToldToBeUndelivered() {
        post(true);
        breakConnection();
        assertThat(completions).noneMatch(Completion::isUndelivered);
    }

    @Test
    void whatIsPostedAfterTheEndHasNotLeft() {
        inLoop(() -> qp().modifyToError());
        post(false);
        breakConnection();
        assertThat(completions).allMatch(Completion::isUndelivered);
    }
}
