package org.railyard.selftest.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;

/** The vectors of spec 03 §8: most are bytes of kernel nodes. Each is read as what it means, and written as it is. */
class VectorsTest {
    private static final long CONSOLE = Nid.parse("10.99.0.11@tcp").nid4();
    private static final long DERIVED = Nid.parse("192.168.1.20@tcp").nid4();
    private static final SessionId SESSION = new SessionId(CONSOLE, 210_826);
    private static final SessionId OTHER = new SessionId(DERIVED, 1_754_000_000_123L);

    private record Vector(String name, Service service, boolean isRequest, Body body, String hex) {}

    private static final List<Vector> VECTORS = List.of(
            new Vector(
                    "S1",
                    Service.MAKE_SESSION,
                    true,
                    new MakeSession(0x881000000000002L, SESSION, false, "cap"),
                    "0df0b0ee01000000000000000000000000000000010000000200000000008108"
                            + "0b00630a000002008a370300000000000000000063617000"),
            new Vector(
                    "S2",
                    Service.MAKE_SESSION,
                    false,
                    new WelcomeReply(0, SESSION, 100, ""),
                    "0df0b0ee0100000001000000000000000000000001000000000000000b00630a"
                            + "000002008a3703000000000064000000"),
            new Vector(
                    "S3",
                    Service.TEST,
                    true,
                    new TestRequest(
                            0x925000000000003L,
                            0,
                            new SessionId(CONSOLE, 370_070),
                            2,
                            11,
                            1,
                            1,
                            false,
                            true,
                            0,
                            TestParameters.of(new TestParameters.Bulk(1, 2, 4096, 0), true)),
                    "0df0b0ee01000000080000000000000000000000010000000300000000002509"
                            + "00000000000000000b00630a0000020096a50500000000000200000000000000"
                            + "0b0000000100000001000000000100000000010002000010"),
            new Vector(
                    "S4",
                    Service.TEST,
                    true,
                    new TestRequest(
                            0x68f1000000000004L,
                            0x68f1000000000005L,
                            OTHER,
                            1,
                            11,
                            TestRequest.FOR_EVER,
                            8,
                            true,
                            true,
                            1,
                            TestParameters.of(new TestParameters.Bulk(1, 2, 1 << 20, 0), true)),
                    "0df0b0ee0100000008000000000000000000000001000000040000000000f168"
                            + "050000000000f1681401a8c0000002007b048c62980100000100000000000000"
                            + "0b000000ffffffff0800000001010100000001000200000010000000"),
            new Vector(
                    "S6",
                    Service.PING,
                    true,
                    new PingRequest(0x881000000000008L, PingRequest.WORD, 1, 0x6b00088cL, 0x23f4451bL),
                    "0df0b0ee010000000e0000000000000000000000010000000800000000008108"
                            + "cefabeba010000008c08006b000000001b45f42300000000"),
            new Vector(
                    "S7",
                    Service.PING,
                    false,
                    new PingTestReply(0, PingRequest.WORD, 1),
                    "0df0b0ee010000000f00000000000000000000000100000000000000cefabeba01000000"),
            new Vector(
                    "S8",
                    Service.BRW,
                    true,
                    new BrwRequest(0x979000000000007L, 0x979000000000008L, BrwRequest.READ, 1 << 20, 3),
                    "0df0b0ee010000000c0000000000000000000000010000000700000000007909"
                            + "080000000000790901000000000010000300000000000000"),
            new Vector(
                    "S9", Service.BRW, false, new StatusReply(0), "0df0b0ee010000000d000000000000000000000001000000"),
            new Vector(
                    "S10",
                    Service.BATCH,
                    true,
                    new BatchRequest(0x68f1000000000001L, OTHER, 1, BatchRequest.RUN, 0, 0),
                    "0df0b0ee0100000004000000000000000000000001000000010000000000f168"
                            + "1401a8c0000002007b048c6298010000010000000000000001000000"),
            new Vector(
                    "S11",
                    Service.BATCH,
                    false,
                    new BatchReply(0, OTHER, 0, 0),
                    "0df0b0ee0100000005000000000000000000000001000000000000001401a8c0" + "000002007b048c6298010000"),
            new Vector(
                    "S12",
                    Service.STAT,
                    false,
                    new StatReply(
                            0,
                            new SessionId(CONSOLE, 457_122),
                            new StatReply.Framework(4781, 0, 0, 0, 0),
                            new StatReply.Rpc(0, 0, 5, 0, 0, 0, 2 << 20),
                            new StatReply.Lnet(0, 2, 0, 9, 8, 0, 0, (2 << 20) + 736, 848, 0, 0)),
                    "0df0b0ee0100000007000000000000000000000001000000000000000b00630a"
                            + "00000200a2f9060000000000ad12000000000000000000000000000000000000"
                            + "0000000000000000050000000000000000000000000000000000000000002000"
                            + "0000000000000000020000000000000009000000080000000000000000000000"
                            + "e0022000000000005003000000000000"));

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex + "0".repeat(2 * RpcMessage.BYTES - hex.length()));
    }

    @TestFactory
    Stream<DynamicTest> eachVectorIsReadAndWritten() {
        return VECTORS.stream().map(vector -> DynamicTest.dynamicTest(vector.name, () -> check(vector)));
    }

    private static void check(Vector vector) throws WireFormatException {
        MemorySegment given = MemorySegment.ofArray(bytes(vector.hex));
        MemorySegment written = MemorySegment.ofArray(new byte[RpcMessage.BYTES]);
        written.fill((byte) 0x5a);
        if (vector.isRequest) {
            RpcMessage<Request> read = RpcMessage.readRequest(given, RpcMessage.BYTES, vector.service);
            assertThat(read).isEqualTo(new RpcMessage<>(1, vector.body));
            RpcMessage.writeRequest(written, vector.service, read.features(), read.body());
        } else {
            RpcMessage<Reply> read = RpcMessage.readReply(given, RpcMessage.BYTES, vector.service);
            assertThat(read).isEqualTo(new RpcMessage<>(1, vector.body));
            RpcMessage.writeReply(written, vector.service, read.features(), read.body());
        }
        assertThat(RpcMessage.isVersionKnown(given)).isTrue();
        assertThat(written.mismatch(given)).isEqualTo(-1);
    }

    @Test
    void aListOfTargetsHasAnEntryForEach() {
        MemorySegment list = MemorySegment.ofArray(HexFormat.of().parseHex("0a01a8c00000020039300000"));
        assertThat(TargetList.read(list, 1, ByteOrder.LITTLE_ENDIAN))
                .containsExactly(ProcessId.of(Nid.parse("192.168.1.10@tcp")));
        MemorySegment written = MemorySegment.ofArray(new byte[12]);
        TargetList.write(written, List.of(ProcessId.of(Nid.parse("192.168.1.10@tcp"))));
        assertThat(written.mismatch(list)).isEqualTo(-1);
    }

    @Test
    void whatABigEndianNodeWroteIsReadTheOtherWayRound() throws WireFormatException {
        String sid = "00020000c0a8011400000198628c047b";
        bigEndian(
                Service.MAKE_SESSION,
                "eeb0f00d00000001000000000000000000000000000000010102030405060708" + sid + "00000001626967",
                new MakeSession(0x102030405060708L, OTHER, true, "big"));
        bigEndian(
                Service.TEST,
                "eeb0f00d000000010000000800000000000000000000000100000000000000040000000000000005" + sid
                        + "00000000000000010000000bffffffff00000008010100000001000100020010000000000008",
                new TestRequest(
                        4,
                        5,
                        OTHER,
                        1,
                        11,
                        TestRequest.FOR_EVER,
                        8,
                        true,
                        true,
                        1,
                        TestParameters.of(new TestParameters.Bulk(1, 2, 1 << 20, 8), true)));
        bigEndian(
                Service.BRW,
                "eeb0f00d000000010000000c00000000000000000000000100000000000000070000000000000008000000020000100000000003",
                new BrwRequest(7, 8, BrwRequest.WRITE, 4096, 3));
        bigEndian(
                Service.JOIN,
                "eeb0f00d00000001000000100000000000000000000000010000000000000003" + sid + "67",
                new JoinRequest(3, OTHER, "g"));
        MemorySegment stat =
                MemorySegment.ofArray(bytes("eeb0f00d00000001000000070000000000000000000000010000000b" + sid
                        + "0000000100000002000000030000000400000005000000060000000700000008000000090000000a000000000000000b"
                        + "000000000000000c0000000d0000000e0000000f00000010000000110000001200000013000000000000001400000000"
                        + "0000001500000000000000160000000000000017"));
        assertThat(RpcMessage.readReply(stat, RpcMessage.BYTES, Service.STAT))
                .isEqualTo(new RpcMessage<>(
                        1,
                        ByteOrder.BIG_ENDIAN,
                        new StatReply(
                                11,
                                OTHER,
                                new StatReply.Framework(1, 2, 3, 4, 5),
                                new StatReply.Rpc(6, 7, 8, 9, 10, 11, 12),
                                new StatReply.Lnet(13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23))));
        assertThat(TargetList.read(
                        MemorySegment.ofArray(HexFormat.of().parseHex("00020000c0a8010a00003039")),
                        1,
                        ByteOrder.BIG_ENDIAN))
                .containsExactly(ProcessId.of(Nid.parse("192.168.1.10@tcp")));
    }

    private static void bigEndian(Service service, String hex, Request body) throws WireFormatException {
        MemorySegment given = MemorySegment.ofArray(bytes(hex));
        assertThat(RpcMessage.readRequest(given, RpcMessage.BYTES, service))
                .isEqualTo(new RpcMessage<>(1, ByteOrder.BIG_ENDIAN, body));
        assertThat(RpcMessage.isVersionKnown(given)).isTrue();
        assertThat(given.mismatch(MemorySegment.ofArray(bytes(hex)))).isEqualTo(-1);
    }

    @Test
    void aLongListHasAGapBehindEachPageAndLosesItsTail() {
        byte[] bytes = new byte[12 * 342];
        MemorySegment list = MemorySegment.ofArray(bytes);
        assertThat(TargetList.bytes(342)).isEqualTo(bytes.length);
        assertThat(TargetList.read(list, 341, ByteOrder.LITTLE_ENDIAN)).hasSize(341);
        // The last one begins at 4096, and the transfer ends at 4104.
        assertThat(TargetList.read(list, 342, ByteOrder.LITTLE_ENDIAN)).hasSize(341);
    }

    @Test
    void pagesAreCountedWithoutExactLengths() {
        TestParameters.Bulk bulk = new TestParameters.Bulk(BrwRequest.WRITE, 3, 8192, 0);
        assertThat(TestParameters.of(bulk, false)).isEqualTo(new TestParameters(2, 2, 3));
        assertThat(TestParameters.of(bulk, false).bulk(false)).isEqualTo(bulk);
        assertThat(TestParameters.of(bulk, true).bulk(true)).isEqualTo(bulk);
        assertThat(new TestParameters(1, -1, 1).bulk(false).length()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void whatIsNoMessageIsRefused() {
        byte[] bytes = bytes(VECTORS.getFirst().hex);
        MemorySegment message = MemorySegment.ofArray(bytes);
        assertThatThrownBy(() -> RpcMessage.readRequest(message, 159, Service.MAKE_SESSION))
                .isInstanceOf(WireFormatException.class)
                .hasMessageContaining("159");
        assertThatThrownBy(() -> RpcMessage.readRequest(message, RpcMessage.BYTES, Service.DEBUG))
                .isInstanceOf(WireFormatException.class)
                .hasMessageContaining("expected 10");
        assertThatThrownBy(() -> RpcMessage.readReply(message, RpcMessage.BYTES, Service.MAKE_SESSION))
                .isInstanceOf(WireFormatException.class);
        bytes[4] = 2;
        assertThat(RpcMessage.isVersionKnown(message)).isFalse();
        bytes[0] = 0;
        assertThatThrownBy(() -> RpcMessage.readRequest(message, RpcMessage.BYTES, Service.MAKE_SESSION))
                .isInstanceOf(WireFormatException.class)
                .hasMessageContaining("eeb0f00d");
    }

    @Test
    void namesAreCutToWhatFits() throws WireFormatException {
        MemorySegment message = MemorySegment.ofArray(new byte[RpcMessage.BYTES]);
        RpcMessage.writeRequest(message, Service.MAKE_SESSION, 1, new MakeSession(1, OTHER, true, "n".repeat(40)));
        MakeSession read = (MakeSession) RpcMessage.readRequest(message, RpcMessage.BYTES, Service.MAKE_SESSION)
                .body();
        assertThat(read.name()).isEqualTo("n".repeat(31));
        assertThat(read.force()).isTrue();
    }
}
