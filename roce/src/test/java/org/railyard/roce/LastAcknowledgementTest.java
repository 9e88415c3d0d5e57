package org.railyard.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.roce.api.RoceCounters.Counter;
import org.railyard.roce.wire.Aeth;
import org.railyard.roce.wire.CmReply;
import org.railyard.roce.wire.CmRequest;
import org.railyard.roce.wire.Opcode;
import org.railyard.verbs.Access;
import org.railyard.verbs.CmId;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;

/**
 * What arrived is acknowledged, also if the software ends the queue pair as soon as it is told of it; much that arrived
 * at once before the software is told.
 */
class LastAcknowledgementTest {
    private static final int PEER = VirtualWorld.ip(77);
    private static final int SERVICE = 987;
    private static final int CODE_1024 = 3;
    private static final int PEER_QP = 40;
    private static final int MTU = 1024;
    private static final int RECEIVES = 12;

    private final VirtualWorld world = new VirtualWorld(3, 1500, false);
    private final BareNode peer = new BareNode(world.net(), PEER);
    private final EventLoop loop = world.provider(0).createEventLoop("last");
    private boolean closes;
    private boolean stays;
    private long sentWhenTold;
    private @Nullable Qp qp;

    LastAcknowledgementTest() {
        loop.execute(() -> {
            CmId id = world.provider(0).createId(loop, (_, event) -> {
                CmId request = event.request();
                if (request != null) {
                    accept(request);
                }
            });
            id.bind(world.address(0, SERVICE), false);
            id.listen();
        });
        world.settle();
        int here = VirtualWorld.ip(0);
        peer.say(
                here,
                new CmRequest(
                        9, 1, PEER_QP, 100, 5, 6, CODE_1024, 31, 7, PEER, 1021, here, SERVICE, 0, MemorySegment.NULL));
        world.settle();
    }

    private void accept(CmId request) {
        VerbsDevice device = Objects.requireNonNull(request.device());
        var pd = device.openPd();
        var region = pd.registerArena(Arena.ofAuto().allocate(MTU), Access.LOCAL_WRITE);
        var cq = device.createCq(2 * RECEIVES, loop, _ -> end());
        Qp made = request.createQp(pd, cq, new QpCapabilities(1, RECEIVES, 1));
        for (int i = 0; i < RECEIVES; i++) {
            made.postReceive(i, region.addressOf(0), MTU, region.localKey());
        }
        cq.arm();
        qp = made;
        request.accept(ConnectParameters.DEFAULT, MemorySegment.NULL);
    }

    /** In the turn in which the message came, before its acknowledgement has left. */
    private void end() {
        Qp ending = Objects.requireNonNull(qp);
        sentWhenTold = sent();
        if (stays) {
            return;
        }
        if (closes) {
            ending.close();
        } else {
            ending.modifyToError();
        }
    }

    @AfterEach
    void close() {
        world.close();
    }

    private void send() {
        CmReply reply = peer.last(CmReply.class);
        peer.packet(VirtualWorld.ip(0), reply.qpn(), Opcode.SEND_ONLY, reply.startingPsn(), 8, _ -> {});
        world.settle();
        assertThat(peer.answers()).containsExactly(new BareNode.Answer(PEER_QP, reply.startingPsn(), Aeth.ACK, 1));
    }

    @Test
    void beforeAnError() {
        send();
    }

    @Test
    void beforeTheEnd() {
        closes = true;
        send();
    }

    private long sent() {
        return ((RoceProvider) world.provider(0)).counters().get(Counter.SENT);
    }

    /** Returns how many packets had left when the software was told. */
    private long sendTogether(int packets) {
        stays = true;
        long before = sent();
        CmReply reply = peer.last(CmReply.class);
        for (int i = 0; i < packets; i++) {
            peer.packet(VirtualWorld.ip(0), reply.qpn(), Opcode.SEND_ONLY, reply.startingPsn() + i, MTU, _ -> {});
        }
        world.settle();
        assertThat(peer.answers())
                .containsExactly(new BareNode.Answer(PEER_QP, reply.startingPsn() + packets - 1, Aeth.ACK, packets));
        return sentWhenTold - before;
    }

    /** The sender can go on while the software is at work. */
    @Test
    void muchIsAcknowledgedBeforeTheSoftwareIsTold() {
        assertThat(sendTogether(8)).isEqualTo(1);
    }

    /** The acknowledgement may leave with what the software answers. */
    @Test
    void littleIsAcknowledgedBehindWhatTheSoftwareDoes() {
        assertThat(sendTogether(7)).isZero();
    }
}
