package org.railyard.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.railyard.base.wire.WireFormatException;
import org.railyard.roce.api.RoceSettings;
import org.railyard.roce.net.LocalInterface;
import org.railyard.roce.wire.Aeth;
import org.railyard.roce.wire.Captured;
import org.railyard.roce.wire.CmMessage;
import org.railyard.roce.wire.CmReply;
import org.railyard.roce.wire.CmRequest;
import org.railyard.roce.wire.Frame;
import org.railyard.roce.wire.Opcode;
import org.railyard.roce.wire.Psn;
import org.railyard.roce.wire.UdpRoute;
import org.railyard.softverbs.time.VirtualHost;
import org.railyard.softverbs.time.VirtualTime;
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
import org.railyard.verbs.WorkStatus;

/**
 * A kernel node as it was recorded, against a provider in the place of the other node. Its packets come as they are,
 * but for what the provider chose: number of the queue pair, first packet number, address and key of memory.
 */
class RecordedPeerTest {
    private static final int KERNEL = 0x0A63_000B;
    private static final int OTHER_KERNEL = 0x0A63_000C;
    private static final int SERVICE = 987;
    private static final int BUFFERS = 128;
    private static final int BUFFER = 4096;
    private static final int SINK = BUFFERS * BUFFER;
    private static final int SINK_BYTES = 1 << 20;
    private static final long SETTLE_NANOS = 200_000_000;

    private final VirtualTime time = new VirtualTime();
    private final MemoryNet net = new MemoryNet(time);
    private final MemorySegment memory = Arena.ofAuto().allocate(SINK + SINK_BYTES);
    private final List<CmEvent> events = new ArrayList<>();
    private final List<Completion> completions = new ArrayList<>();
    private @Nullable Qp qp;
    private @Nullable ArenaRegion region;
    private @Nullable CmId accepted;

    private BareNode replay(int kernel, int here) {
        BareNode peer = new BareNode(net, kernel);
        RoceProvider provider = new RoceProvider(
                new VirtualHost(time, new SplittableRandom(9), 0),
                net.machine(),
                List.of(new LocalInterface("eth0", "eth0", here, 24, 1500)),
                RoceSettings.DEFAULT);
        EventLoop loop = provider.createEventLoop("recorded");
        loop.execute(() -> {
            CmId id = provider.createId(loop, (listening, event) -> onEvent(loop, event));
            id.bind(new CmAddress(here, SERVICE), false);
            id.listen();
        });
        time.run(SETTLE_NANOS);
        return peer;
    }

    private void onEvent(EventLoop loop, CmEvent event) {
        events.add(event);
        CmId request = event.request();
        if (request != null) {
            Pd pd = Objects.requireNonNull(request.device()).openPd();
            ArenaRegion made = pd.registerArena(memory, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
            Cq cq = Objects.requireNonNull(request.device()).createCq(2 * BUFFERS, loop, this::onCompletions);
            Qp queues = request.createQp(pd, cq, new QpCapabilities(8, BUFFERS, 1));
            for (int i = 0; i < BUFFERS; i++) {
                queues.postReceive(i, made.addressOf((long) i * BUFFER), BUFFER, made.localKey());
            }
            cq.arm();
            request.accept(ConnectParameters.DEFAULT, MemorySegment.NULL);
            qp = queues;
            region = made;
            accepted = request;
        }
    }

    private void onCompletions(Cq cq) {
        Completion[] batch = Completion.batch(BUFFERS);
        completions.addAll(List.of(batch).subList(0, cq.poll(batch)));
        cq.arm();
    }

    private static Frame read(Captured packet) {
        Frame frame = new Frame();
        frame.clear();
        frame.datagram().put(packet.bytes());
        assertThat(frame.arrived(packet.route())).isEqualTo(Frame.Fault.NONE);
        return frame;
    }

    /**
     * The request of a kernel node is taken as it is, its checksum with its identification included; so are the
     * messages behind it.
     */
    @Test
    void aKernelNodeConnectsAndSends() throws IOException, WireFormatException {
        BareNode kernel = replay(KERNEL, OTHER_KERNEL);
        List<byte[]> sent = new ArrayList<>();
        int shift = 0;
        for (Captured packet : Captured.read("connect-discover-selftest.pcap")) {
            if (packet.route().sourceIp() != KERNEL) {
                continue;
            }
            Frame frame = read(packet);
            if (frame.opcode() == Opcode.DATAGRAM) {
                CmMessage message = CmMessage.read(frame.memory(), frame.payloadOffset(), frame.payloadLength());
                if (message.body() instanceof CmRequest request) {
                    net.inject(packet.route(), packet.bytes());
                    time.run(SETTLE_NANOS);
                    assertThat(events.getFirst().privateData().mismatch(request.privateData()))
                            .isEqualTo(-1);
                    CmId id = Objects.requireNonNull(accepted);
                    assertThat(id.remoteAddress()).isEqualTo(new CmAddress(KERNEL, request.sourcePort()));
                    assertThat(kernel.last(CmReply.class).remoteId()).isEqualTo(request.localId());
                }
            } else if (frame.opcode() == Opcode.SEND_ONLY) {
                if (sent.isEmpty()) {
                    shift = Psn.distance(frame.psn(), kernel.last(CmReply.class).startingPsn());
                }
                sent.add(frame.memory()
                        .asSlice(frame.payloadOffset(), frame.payloadLength())
                        .toArray(ValueLayout.JAVA_BYTE));
                pass(packet.route(), frame, shift);
            }
        }
        time.run(SETTLE_NANOS);
        assertThat(sent).hasSizeGreaterThan(4);
        assertThat(completions).hasSameSizeAs(sent);
        for (int i = 0; i < sent.size(); i++) {
            assertThat(completions.get(i).status()).isEqualTo(WorkStatus.SUCCESS);
            assertThat(memory.asSlice((long) i * BUFFER, completions.get(i).bytes())
                            .toArray(ValueLayout.JAVA_BYTE))
                    .isEqualTo(sent.get(i));
        }
        assertThat(kernel.lastAnswer().syndrome()).isEqualTo(Aeth.ACK);
        assertThat(kernel.lastAnswer().msn()).isEqualTo(sent.size());
    }

    /** Messages of many packets, as a kernel node writes them into memory. */
    @Test
    void aKernelNodeWritesIntoMemory() throws IOException {
        BareNode kernel = replay(KERNEL, OTHER_KERNEL);
        kernel.say(
                OTHER_KERNEL,
                new CmRequest(9, 1, 40, 1, 5, 6, 3, 19, 7, KERNEL, 1021, OTHER_KERNEL, SERVICE, 0, MemorySegment.NULL));
        time.run(SETTLE_NANOS);
        int psn = kernel.last(CmReply.class).startingPsn();
        byte[] expected = new byte[0];
        int messages = 0;
        for (Captured packet : Captured.read("selftest-bulk.pcap")) {
            Frame frame = read(packet);
            // Whoever of the two wrote: the packets of one message follow each other.
            if (!frame.opcode().isWrite()) {
                continue;
            }
            if (frame.opcode().begins()) {
                expected = new byte[0];
            }
            byte[] more = frame.memory()
                    .asSlice(frame.payloadOffset(), frame.payloadLength())
                    .toArray(ValueLayout.JAVA_BYTE);
            expected = Arrays.copyOf(expected, expected.length + more.length);
            System.arraycopy(more, 0, expected, expected.length - more.length, more.length);
            pass(
                    new UdpRoute(KERNEL, packet.route().sourcePort(), OTHER_KERNEL, RoceSettings.UDP_PORT),
                    frame,
                    Psn.distance(frame.psn(), psn));
            psn = Psn.plus(psn, 1);
            if (frame.opcode().ends()) {
                messages++;
                time.run(SETTLE_NANOS);
                assertThat(memory.asSlice(SINK, expected.length).toArray(ValueLayout.JAVA_BYTE))
                        .isEqualTo(expected);
                assertThat(kernel.lastAnswer())
                        .isEqualTo(new BareNode.Answer(40, Psn.plus(psn, -1), Aeth.ACK, messages));
                memory.asSlice(SINK, SINK_BYTES).fill((byte) 0);
            }
        }
        assertThat(messages).isEqualTo(4);
    }

    /** Passes a packet on with what the provider chose in it. */
    private void pass(UdpRoute route, Frame read, int shift) {
        ArenaRegion sink = Objects.requireNonNull(region);
        Frame frame = new Frame()
                .begin(
                        read.opcode(),
                        Objects.requireNonNull(qp).number(),
                        read.isSolicited(),
                        read.wantsAck(),
                        Psn.plus(read.psn(), shift));
        if (read.opcode() == Opcode.WRITE_FIRST || read.opcode() == Opcode.WRITE_ONLY) {
            frame.reth(sink.addressOf(SINK), sink.remoteKey(), (int) read.writeLength());
        }
        MemorySegment.copy(
                read.memory(), read.payloadOffset(), frame.memory(), frame.payloadOffset(), read.payloadLength());
        ByteBuffer bytes = frame.payload(read.payloadLength()).finish(route);
        byte[] datagram = new byte[bytes.remaining()];
        bytes.get(datagram);
        net.inject(route, datagram);
    }
}
