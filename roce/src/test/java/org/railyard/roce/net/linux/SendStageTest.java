package org.railyard.roce.net.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.base.Errno;
import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.api.RoceCounters.Counter;
import org.railyard.roce.wire.Frame;
import org.railyard.roce.wire.Opcode;
import org.railyard.roce.wire.UdpRoute;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.card.memory.MemoryPiece;

/** Which packets leave together, with which checksums, and what happens to those that are refused. */
class SendStageTest {
    private static final int PORT = 14_798;
    private static final UdpRoute ROUTE = new UdpRoute(0x7F00_2F01, PORT, 0x7F00_2F02, PORT);
    private static final UdpRoute OTHER = new UdpRoute(0x7F00_2F01, PORT, 0x7F00_2F03, PORT);
    private static final int HEADERS = 16;
    private static final int UNUSED = 5000;

    private final SteeredCalls calls = new SteeredCalls();
    private final RoceCounters counters = new RoceCounters();
    private final int fd = calls.socket();
    private final SendStage stage = new SendStage(calls, fd, counters, () -> this.now);
    private final List<Integer> unsent = new ArrayList<>();
    private int psn;
    private long now;

    @AfterEach
    void close() {
        calls.close(fd);
    }

    private boolean add(UdpRoute route, int length) {
        stage.outgoing().begin(Opcode.SEND_ONLY, 7, false, false, psn).payload(length);
        boolean taken = stage.add(route, unsent::add, psn);
        psn += taken ? 1 : 0;
        return taken;
    }

    private void add(UdpRoute route, int length, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(add(route, length)).isTrue();
        }
    }

    /** Returns lengths and identifications of the packets in a message. */
    private static List<Integer> identifications(byte[] message, int segment, UdpRoute route) {
        List<Integer> found = new ArrayList<>();
        int each = segment == 0 ? message.length : segment;
        for (int at = 0; at < message.length; at += each) {
            Frame frame = new Frame();
            frame.clear();
            frame.datagram().put(message, at, Math.min(each, message.length - at));
            assertThat(frame.arrived(route)).isEqualTo(Frame.Fault.NONE);
            found.add(frame.identification());
        }
        return found;
    }

    @Test
    @Requirement("sv-040")
    void equalOnesLeaveTogetherAndTheLastMayBeShorter() {
        add(ROUTE, 64, 3);
        add(ROUTE, 8, 1);
        add(ROUTE, 64, 1);
        add(OTHER, 64, 2);
        add(OTHER, 128, 1);
        stage.flush();
        assertThat(calls.segments()).containsExactly(64 + HEADERS, 0, 64 + HEADERS, 0);
        List<byte[]> sent = calls.sent();
        assertThat(identifications(sent.get(0), 64 + HEADERS, ROUTE)).containsExactly(0, 1, 2, 3);
        assertThat(identifications(sent.get(1), 0, ROUTE)).containsExactly(0);
        assertThat(identifications(sent.get(2), 64 + HEADERS, OTHER)).containsExactly(0, 1);
        assertThat(identifications(sent.get(3), 0, OTHER)).containsExactly(0);
        stage.flush();
        assertThat(calls.sent()).as("nothing twice").isEmpty();
    }

    /** Adds a packet whose payload stays in a memory, all but its beginning. */
    private void leave(UdpRoute route, MemorySegment memory) {
        MemoryPiece piece = new MemoryPiece();
        int length = (int) memory.byteSize() - UNUSED;
        piece.set(memory.asByteBuffer(), UNUSED, length, memory.address() + UNUSED);
        stage.outgoing().begin(Opcode.SEND_ONLY, 7, false, false, psn).payload(piece);
        assertThat(stage.add(route, unsent::add, psn++)).isTrue();
    }

    private static MemorySegment filled(Arena arena, int length, int value) {
        MemorySegment memory = arena.allocate(UNUSED + length);
        memory.asSlice(UNUSED).fill((byte) value);
        return memory;
    }

    /** Returns the first byte of the payload of each packet that is good; −1 of each that is not. */
    private static List<Integer> payloads(byte[] message, int segment) {
        List<Integer> found = new ArrayList<>();
        for (int at = 0; at < message.length; at += segment) {
            Frame frame = new Frame();
            frame.clear();
            frame.datagram().put(message, at, Math.min(segment, message.length - at));
            boolean good = frame.arrived(ROUTE) == Frame.Fault.NONE;
            found.add(good ? (int) frame.memory().get(ValueLayout.JAVA_BYTE, frame.payloadOffset()) : -1);
        }
        return found;
    }

    @Test
    void payloadIsFetchedFromWhereItIs() {
        try (Arena arena = Arena.ofConfined()) {
            leave(ROUTE, filled(arena, 256, 1));
            add(ROUTE, 256, 1);
            leave(ROUTE, filled(arena, 256, 3));
            leave(ROUTE, filled(arena, 99, 4));
            stage.flush();
        }
        assertThat(calls.segments()).containsExactly(256 + HEADERS);
        assertThat(calls.pieces())
                .as("three of payload, and what is before, between and behind them")
                .containsExactly(7);
        byte[] sent = calls.sent().getFirst();
        assertThat(sent).hasSize(3 * (256 + HEADERS) + 100 + HEADERS);
        assertThat(payloads(sent, 256 + HEADERS)).containsExactly(1, 0, 3, 4);
        add(ROUTE, 64, 1);
        stage.flush();
        assertThat(calls.pieces()).as("nothing of it is left").containsExactly(1);
    }

    /** The room for where payload is comes free with each message that has left. */
    @Test
    void asMuchAsThereIsLeavesFromWhereItIs() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = filled(arena, 256, 1);
            for (int i = 0; i < 1000; i++) {
                leave(ROUTE, memory);
                stage.flush();
                assertThat(calls.sent()).hasSize(1);
            }
        }
    }

    @Test
    void whatIsNotTakenIsNotLookedAtAnyMore() {
        calls.takeOnly(1, Errno.EAGAIN);
        try (Arena arena = Arena.ofConfined()) {
            leave(OTHER, filled(arena, 64, 1));
            MemorySegment second = filled(arena, 256, 2);
            leave(ROUTE, second);
            leave(ROUTE, filled(arena, 256, 3));
            stage.flush();
            assertThat(stage.isBlocked()).isTrue();
            second.fill((byte) 9);
            // Behind what was fetched already.
            leave(ROUTE, filled(arena, 256, 4));
            calls.sent();
            calls.takeAll();
            stage.flush();
        }
        assertThat(payloads(calls.sent().getFirst(), 256 + HEADERS)).containsExactly(2, 3, 4);
        assertThat(unsent).isEmpty();
    }

    /** Where a packet stands whose payload was elsewhere, another one stands later whose payload is not. */
    @Test
    void whatWasElsewhereIsForgotten() {
        try (Arena arena = Arena.ofConfined()) {
            leave(ROUTE, filled(arena, 256, 1));
            leave(ROUTE, filled(arena, 256, 2));
            stage.flush();
            calls.sent();
            calls.takeOnly(0, Errno.EAGAIN);
            add(ROUTE, 256, 1);
            leave(ROUTE, filled(arena, 256, 4));
            stage.flush();
        }
        calls.takeAll();
        stage.flush();
        assertThat(payloads(calls.sent().getFirst(), 256 + HEADERS)).containsExactly(0, 4);
    }

    @Test
    void refusedSegmentsTakeTheirPayloadWithThem() {
        calls.withoutSegments(Errno.EIO);
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 1; i <= 3; i++) {
                leave(ROUTE, filled(arena, 256, i));
            }
            stage.flush();
        }
        List<Integer> found = new ArrayList<>();
        for (byte[] each : calls.sent()) {
            assertThat(identifications(each, 0, ROUTE)).containsExactly(0);
            found.addAll(payloads(each, each.length));
        }
        assertThat(found).containsExactly(1, 2, 3);
    }

    /** Whatever the network does not take: one by one, or together. */
    @Test
    void behindWhatLeavesOneByOneNothingIsLookedAtEither() {
        calls.withoutSegments(Errno.EIO);
        calls.takeOnly(1, Errno.EAGAIN);
        try (Arena arena = Arena.ofConfined()) {
            add(ROUTE, 64, 2);
            MemorySegment behind = filled(arena, 256, 2);
            leave(ROUTE, behind);
            stage.flush();
            assertThat(stage.isBlocked()).isTrue();
            behind.fill((byte) 9);
            calls.sent();
            calls.takeAll();
            stage.flush();
        }
        assertThat(payloads(calls.sent().getLast(), 256 + HEADERS)).containsExactly(2);
    }

    /** As an application that frees memory too early: its own packets are damaged, and nobody takes them for good. */
    @Test
    void freedMemoryMakesABadPacket() {
        calls.takeOnly(0, Errno.EAGAIN);
        Arena arena = Arena.ofConfined();
        leave(ROUTE, filled(arena, 256, 1));
        add(ROUTE, 256, 1);
        arena.close();
        stage.flush();
        calls.takeAll();
        stage.flush();
        assertThat(payloads(calls.sent().getFirst(), 256 + HEADERS)).containsExactly(-1, 0);
    }

    @Test
    void aPacketOfFreedMemoryIsRefusedAndOthersGoOn() {
        Arena arena = Arena.ofConfined();
        MemorySegment gone = filled(arena, 256, 9);
        MemoryPiece piece = new MemoryPiece();
        piece.set(gone.asByteBuffer(), UNUSED, 256, gone.address() + UNUSED);
        arena.close();
        add(ROUTE, 256, 1);
        for (UdpRoute route : List.of(ROUTE, OTHER)) {
            stage.outgoing().begin(Opcode.SEND_ONLY, 7, false, false, psn).payload(piece);
            assertThatThrownBy(() -> stage.add(route, unsent::add, psn)).isInstanceOf(IllegalStateException.class);
        }
        add(ROUTE, 256, 2);
        stage.flush();
        assertThat(identifications(calls.sent().getFirst(), 256 + HEADERS, ROUTE))
                .containsExactly(0, 1, 2);
        assertThat(unsent).isEmpty();
    }

    @Test
    void freedMemoryMakesABadPacketOneByOneToo() {
        calls.takeOnly(0, Errno.EAGAIN);
        Arena arena = Arena.ofConfined();
        add(ROUTE, 256, 1);
        leave(ROUTE, filled(arena, 256, 2));
        arena.close();
        stage.flush();
        calls.takeAll();
        calls.withoutSegments(Errno.EIO);
        stage.flush();
        List<Integer> found = new ArrayList<>();
        calls.sent().forEach(each -> found.addAll(payloads(each, each.length)));
        assertThat(found).containsExactly(0, -1);
    }

    /** Queue pairs end behind the socket of a provider that is closed. */
    @Test
    void aClosedSocketAsksForNothing() {
        LinuxDatagrams net = new LinuxDatagrams(calls, () -> now);
        LinuxSocket socket = new LinuxSocket(net, calls, calls.socket(), ROUTE, counters);
        calls.takeOnly(0, Errno.EAGAIN);
        socket.outgoing().begin(Opcode.SEND_ONLY, 7, false, false, 0).payload(64);
        socket.send(ROUTE, unsent::add, 0);
        socket.flush();
        socket.close();
        calls.takeAll();
        socket.flush();
        net.close();
        assertThat(calls.sent()).isEmpty();
        assertThat(unsent).as("what a file that is closed refuses").isEmpty();
    }

    @Test
    void atMost64Segments() {
        add(ROUTE, 4, 64);
        assertThat(calls.sent()).as("a full message leaves at once").hasSize(1);
        add(ROUTE, 4, 65);
        stage.flush();
        assertThat(calls.segments()).containsExactly(4 + HEADERS, 0);
    }

    @Test
    void noLongerThanAnIpPacket() {
        add(ROUTE, 4096, 14);
        assertThat(stage.fullBytes()).isZero();
        add(ROUTE, 4096, 2);
        assertThat(stage.fullBytes()).as("another packet would not fit").isEqualTo(15 * 4112);
        stage.flush();
        assertThat(stage.fullBytes()).isZero();
        assertThat(calls.sent()).extracting(each -> each.length).containsExactly(15 * 4112, 4112);
    }

    @Test
    void whatIsNotTakenStays() {
        calls.takeOnly(1, Errno.EAGAIN);
        add(ROUTE, 64, 2);
        add(ROUTE, 128, 1);
        stage.flush();
        assertThat(stage.isBlocked()).isTrue();
        assertThat(calls.sent()).hasSize(1);
        add(ROUTE, 128, 1);
        stage.flush();
        assertThat(calls.sent()).as("nothing is taken yet").isEmpty();
        calls.takeAll();
        stage.flush();
        assertThat(stage.isBlocked()).isFalse();
        assertThat(calls.segments()).containsExactly(128 + HEADERS);
        assertThat(identifications(calls.sent().getFirst(), 128 + HEADERS, ROUTE))
                .containsExactly(0, 1);
        assertThat(unsent).isEmpty();
    }

    @Test
    void thereIsAnEndToWhatWaits() {
        calls.takeOnly(0, Errno.EAGAIN);
        int taken = 0;
        while (add(ROUTE, 4096)) {
            taken++;
        }
        assertThat(taken).isBetween(95, 97);
        assertThat(add(ROUTE, 4)).isFalse();
        calls.takeAll();
        assertThat(add(ROUTE, 4)).as("room again").isTrue();
        stage.flush();
        assertThat(calls.sent().stream().mapToInt(each -> each.length).sum()).isEqualTo(taken * 4112 + 20);
    }

    /** As the system answers for a device without checksums, and for a path of smaller packets. */
    @ParameterizedTest
    @EnumSource(names = {"EIO", "EINVAL"})
    void refusedSegmentsLeaveOneByOneFromThenOn(Errno errno) {
        calls.withoutSegments(errno);
        add(ROUTE, 64, 3);
        add(ROUTE, 12, 1);
        add(OTHER, 64, 1);
        stage.flush();
        assertThat(calls.segments()).containsOnly(0).hasSize(5);
        for (byte[] each : calls.sent().subList(0, 4)) {
            assertThat(identifications(each, 0, ROUTE)).containsExactly(0);
        }
        calls.withSegments();
        now += SendStage.WHOLE_NANOS - 1;
        add(ROUTE, 64, 2);
        stage.flush();
        assertThat(calls.sent()).as("they are not tried yet").hasSize(2);
        now++;
        add(ROUTE, 64, 2);
        stage.flush();
        assertThat(calls.sent()).as("they are tried again").hasSize(1);
        assertThat(unsent).isEmpty();
        assertThat(counters.get(Counter.SEND_FAILURES)).isZero();
    }

    @Test
    void oneByOneStaysInOrderWhenTheNetworkIsBusy() {
        calls.withoutSegments(Errno.EIO);
        calls.takeOnly(2, Errno.EAGAIN);
        add(ROUTE, 64, 4);
        stage.flush();
        assertThat(stage.isBlocked()).isTrue();
        add(ROUTE, 64, 1);
        calls.takeAll();
        stage.flush();
        List<Integer> psns = new ArrayList<>();
        for (byte[] each : calls.sent()) {
            psns.add((int) each[11]);
        }
        assertThat(psns).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void whatIsRefusedIsTold() {
        calls.takeOnly(1, Errno.ENETUNREACH);
        add(ROUTE, 64, 1);
        add(ROUTE, 128, 3);
        stage.flush();
        assertThat(unsent).containsExactly(1, 2, 3);
        assertThat(counters.get(Counter.SEND_FAILURES)).isEqualTo(3);
        assertThat(stage.isBlocked()).isFalse();
        calls.takeAll();
        add(ROUTE, 64, 1);
        stage.flush();
        assertThat(calls.sent()).hasSize(2);
    }
}
