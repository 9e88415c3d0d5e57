package org.railyard.roce;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.WireFormatException;
import org.railyard.roce.api.RoceSettings;
import org.railyard.roce.wire.CmBody;
import org.railyard.roce.wire.CmMessage;
import org.railyard.roce.wire.Deth;
import org.railyard.roce.wire.Frame;
import org.railyard.roce.wire.Opcode;
import org.railyard.roce.wire.UdpRoute;

/** A node that sends any packet it is told to, and keeps what comes back. */
final class BareNode {
    /**
     * An acknowledgement that came.
     *
     * @param qpn whom it is for
     */
    record Answer(int qpn, int psn, int syndrome, int msn) {}

    private record Data(int qpn, int psn) {}

    private final MemoryNet net;
    private final int ip;
    private final Frame frame = new Frame();
    private final List<Answer> answers = new ArrayList<>();
    private final List<Data> data = new ArrayList<>();
    private final List<Data> asking = new ArrayList<>();
    private final List<CmBody> messages = new ArrayList<>();

    BareNode(MemoryNet net, int ip) {
        this.net = net;
        this.ip = ip;
        net.listen(ip, this::arrived);
    }

    private void arrived(UdpRoute route, byte[] bytes) {
        Frame packet = new Frame();
        packet.clear();
        packet.datagram().put(bytes);
        if (packet.arrived(route) != Frame.Fault.NONE) {
            throw new AssertionError("a bad packet came from the provider");
        }
        switch (packet.opcode()) {
            case ACKNOWLEDGE ->
                answers.add(new Answer(packet.destinationQp(), packet.psn(), packet.syndrome(), packet.msn()));
            case DATAGRAM -> {
                try {
                    messages.add(CmMessage.read(packet.memory(), packet.payloadOffset(), packet.payloadLength())
                            .body());
                } catch (WireFormatException e) {
                    throw new AssertionError(e);
                }
            }
            default -> {
                Data came = new Data(packet.destinationQp(), packet.psn());
                data.add(came);
                if (packet.wantsAck()) {
                    asking.add(came);
                }
            }
        }
    }

    private UdpRoute to(int other) {
        return new UdpRoute(ip, RoceSettings.UDP_PORT, other, RoceSettings.UDP_PORT);
    }

    void say(int other, CmBody body) {
        byte[] mad = new byte[CmMessage.BYTES];
        new CmMessage(7, body).write(MemorySegment.ofArray(mad), 0);
        datagram(other, 1, Deth.MANAGER_KEY, mad);
    }

    void datagram(int other, int qpn, int key, byte[] payload) {
        frame.begin(Opcode.DATAGRAM, qpn, false, true, 0).deth(key, 1);
        MemorySegment.copy(MemorySegment.ofArray(payload), 0, frame.memory(), frame.payloadOffset(), payload.length);
        finish(other, payload.length);
    }

    private void finish(int other, int length) {
        net.inject(to(other), copy(frame.payload(length).finish(to(other))));
    }

    private static byte[] copy(ByteBuffer from) {
        byte[] bytes = new byte[from.remaining()];
        from.get(bytes);
        return bytes;
    }

    /** Sends a packet with a payload of ones. */
    void packet(int other, int qpn, Opcode opcode, int psn, int length, Consumer<Frame> header) {
        frame.begin(opcode, qpn, false, true, psn);
        header.accept(frame);
        frame.memory().asSlice(frame.payloadOffset(), length).fill((byte) 1);
        finish(other, length);
    }

    /** Returns a packet without sending it. */
    byte[] bytes(int other, int qpn, Opcode opcode, int psn, int length, Consumer<Frame> header) {
        header.accept(frame.begin(opcode, qpn, false, true, psn));
        return copy(frame.payload(length).finish(to(other)));
    }

    List<Answer> answers() {
        return answers;
    }

    Answer lastAnswer() {
        return answers.getLast();
    }

    long distinctPsns(int qpn) {
        return data.stream().filter(each -> each.qpn == qpn).distinct().count();
    }

    /** Returns the numbers of the packets that asked for an answer, without repetitions. */
    List<Integer> askingPsns(int qpn) {
        return asking.stream()
                .filter(each -> each.qpn == qpn)
                .distinct()
                .map(Data::psn)
                .toList();
    }

    int count(Class<? extends CmBody> kind) {
        return (int) messages.stream().filter(kind::isInstance).count();
    }

    <T extends CmBody> T last(Class<T> kind) {
        @Nullable T found = null;
        for (CmBody each : messages) {
            if (kind.isInstance(each)) {
                found = kind.cast(each);
            }
        }
        if (found == null) {
            throw new AssertionError("no " + kind.getSimpleName() + " among " + messages);
        }
        return found;
    }
}
