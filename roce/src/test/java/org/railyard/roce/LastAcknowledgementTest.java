package org.railyard.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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

/** What arrived is acknowledged, also if the software ends the queue pair as soon as it is told of it. */
class LastAcknowledgementTest {
    private static final int PEER = VirtualWorld.ip(77);
    private static final int SERVICE = 987;
    private static final int CODE_1024 = 3;
    private static final int PEER_QP = 40;

    private final VirtualWorld world = new VirtualWorld(3, 1500, false);
    private final BareNode peer = new BareNode(world.net(), PEER);
    private final EventLoop loop = world.provider(0).createEventLoop("last");
    private boolean closes;
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
        var region = pd.registerArena(Arena.ofAuto().allocate(64), Access.LOCAL_WRITE);
        var cq = device.createCq(4, loop, _ -> end());
        Qp made = request.createQp(pd, cq, new QpCapabilities(1, 1, 1));
        made.postReceive(1, region.addressOf(0), 64, region.localKey());
        cq.arm();
        qp = made;
        request.accept(ConnectParameters.DEFAULT, MemorySegment.NULL);
    }

    /** In the turn in which the message came, before its acknowledgement has left. */
    private void end() {
        Qp ending = Objects.requireNonNull(qp);
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
}
