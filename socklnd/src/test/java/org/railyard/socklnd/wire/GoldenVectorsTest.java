package org.railyard.socklnd.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/** Bytes of kernel nodes, read and written again (spec 02 §14, spec 01 §11). */
class GoldenVectorsTest {
    private static final Nid A = Nid.parse("10.99.0.11@tcp");
    private static final Nid B = Nid.parse("10.99.0.12@tcp");
    private static final Nid A6 = Nid.parse("fd00:99::11@tcp");
    private static final Nid B6 = Nid.parse("fd00:99::12@tcp");

    private static final String G1 = "0071ceac010000000c00630a00000200";
    private static final String G2 =
            "63697245030000000b00630a000002000c00630a000002003930000000000000bc7a422c3cb4e91800000000000000000100000000000000";
    private static final String G3 = "63697245030000000c00630a000002000b00630a00000200393000000000000063762137"
            + "3db4e91800000000000000000100000000000000";
    private static final String G4 =
            "63697245030000000c00630a000002000b00630a0000020039300000000000002f4a2ef7cbb8e9180000000000000000ffffffff00000000";
    private static final String G4B =
            "63697245020000000c00630a000002000c00630a0000020039300000000000006fe0569b6cb9e9180000000000000000ffffffff00000000";
    private static final String G6 = "ed0dbcee010000000b00630a0000020000000000393000000400000000000000"
            + "37c54b6567b9e918010000000000000000000000000000000000000000000000" + "0000000000000000";
    private static final String G7 = "0071ceac020000000c020000fd000099000000000000000000000012";
    private static final String G8 =
            "63697245040000000c020000fd0000990000000000000000000000110c020000" + "fd000099000000000000000000000012"
                    + "3930000000000000d185f0c937b8e918" + "00000000000000000100000000000000";
    private static final String G19 = "c1000000000000000200000000000000" + "00000000000000000b00630a00000200"
            + "0c00630a000002003930000039300000" + "0100000000001000ffffffffffffffff"
            + "ffffffffffffffff0800000000007909" + "00000000000000003400000000000000";
    private static final String G20 = "c10000007818557f0000000000000000" + "00000000000000000c00630a00000200"
            + "0b00630a000002003930000039300000" + "020000000000000008b3177b62b9e918"
            + "0d1c0000000000000000000000000080" + "0000000000000000780f000000000000";
    private static final String G20B = "c00000007d3d7e7500000000000000000200000000000000";

    /** Probe 12 of g_acceptor_probe: a big-endian request and a big-endian V3 hello. */
    private static final String BIG_ENDIAN_REQUEST = "acce710000000001000200000a63000b";

    private static final String BIG_ENDIAN_HELLO =
            "4572696300000003000200000a630001000200000a63000b0000303900003039112233445566778800000000000000000000000100000000";

    /** Probe 26 of g_acceptor_probe: a hello that lists one address. */
    private static final String HELLO_WITH_IP =
            "63697245030000000100630a000002000b00630a0000020039300000393000008877665544332211000000000000000001000000010000000100630a";

    private static MemorySegment bytes(String hex) {
        return MemorySegment.ofArray(HexFormat.of().parseHex(hex));
    }

    private static String hex(MemorySegment segment) {
        return HexFormat.of().formatHex(segment.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
    }

    @ParameterizedTest
    @ValueSource(strings = {G1, G7, BIG_ENDIAN_REQUEST, "0071ceac010000000000000000000000"})
    void connectionRequestsRoundTrip(String golden) throws WireFormatException {
        ConnectionRequest request = ConnectionRequest.read(bytes(golden), 0);
        MemorySegment out = MemorySegment.ofArray(new byte[request.bytes()]);
        request.write(out, 0);
        assertThat(hex(out)).isEqualTo(golden);
    }

    @ParameterizedTest
    @ValueSource(strings = {G2, G3, G4, G4B, G6, G8, BIG_ENDIAN_HELLO, HELLO_WITH_IP})
    void hellosRoundTrip(String golden) throws WireFormatException {
        Hello hello = Hello.read(bytes(golden), 0);
        MemorySegment out = MemorySegment.ofArray(new byte[hello.bytes()]);
        out.fill((byte) 0x5a);
        hello.write(out, 0);
        assertThat(hex(out)).isEqualTo(golden);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "c00000000000000000000000000000000100000000000000",
                "c00000000000000000000000000000000200000000000000",
                "c0000000000000002d000000000000002a00000000000000",
                "c0000000000000002a000000000000002d00000000000000",
                G20B
            })
    void frameHeadersRoundTrip(String golden) throws WireFormatException {
        FrameHeader frame = new FrameHeader();
        frame.read(bytes(golden), 0, ByteOrder.LITTLE_ENDIAN);
        MemorySegment out = MemorySegment.ofArray(new byte[FrameHeader.BYTES]);
        frame.write(out, 0);
        assertThat(hex(out)).isEqualTo(golden);
    }

    @Test
    void requestFields() throws WireFormatException {
        assertThat(ConnectionRequest.read(bytes(G1), 0)).isEqualTo(ConnectionRequest.to(B));
        assertThat(ConnectionRequest.read(bytes(G7), 0)).isEqualTo(ConnectionRequest.to(B6));
        ConnectionRequest swapped = ConnectionRequest.read(bytes(BIG_ENDIAN_REQUEST), 0);
        assertThat(swapped.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
        assertThat(swapped.nid()).isEqualTo(A);
        ConnectionRequest refusal = ConnectionRequest.read(bytes("0071ceac010000000000000000000000"), 0);
        assertThat(refusal).isEqualTo(ConnectionRequest.refusal());
        assertThat(refusal.isRefusal()).isTrue();
        assertThat(ConnectionRequest.to(B).isRefusal()).isFalse();
    }

    @Test
    void helloFields() throws WireFormatException {
        assertThat(Hello.read(bytes(G2), 0))
                .isEqualTo(
                        Hello.of(ProtocolVersion.V3, A, B, 12345, 0, 0x18e9b43c2c427abcL, 0, ConnectionType.CONTROL));
        assertThat(Hello.read(bytes(G4), 0).type()).isEqualTo(ConnectionType.NONE);
        Hello otherVersion = Hello.read(bytes(G4B), 0);
        assertThat(otherVersion.version()).isEqualTo(ProtocolVersion.V2);
        assertThat(otherVersion.srcNid()).isEqualTo(otherVersion.dstNid()).isEqualTo(B);
        assertThat(Hello.read(bytes(G6), 0))
                .isEqualTo(
                        Hello.of(ProtocolVersion.V1, A, B, 12345, 0, 0x18e9b967654bc537L, 0, ConnectionType.CONTROL));
        assertThat(Hello.read(bytes(G8), 0))
                .isEqualTo(
                        Hello.of(ProtocolVersion.V4, A6, B6, 12345, 0, 0x18e9b837c9f085d1L, 0, ConnectionType.CONTROL));
        Hello swapped = Hello.read(bytes(BIG_ENDIAN_HELLO), 0);
        assertThat(swapped.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
        assertThat(swapped.srcNid()).isEqualTo(Nid.parse("10.99.0.1@tcp"));
        assertThat(swapped.dstNid()).isEqualTo(A);
        assertThat(swapped.srcPid()).isEqualTo(12345);
        assertThat(swapped.srcIncarnation()).isEqualTo(0x1122334455667788L);
        assertThat(swapped.type()).isEqualTo(ConnectionType.CONTROL);
        assertThat(Hello.read(bytes(HELLO_WITH_IP), 0).ips()).isEqualTo(List.of(0x0a630001));
    }

    @Test
    void bulkPutWithZeroCopyRequest() throws WireFormatException {
        FrameHeader frame = new FrameHeader();
        frame.read(bytes(G19), 0, ByteOrder.LITTLE_ENDIAN);
        assertThat(frame.type()).isEqualTo(FrameHeader.LNET);
        assertThat(frame.cookie0()).isEqualTo(ZeroCopyAck.FIRST_COOKIE);
        assertThat(ZeroCopyAck.of(frame, ProtocolVersion.V3)).isEqualTo(ZeroCopyAck.NONE);
        LNetHeader header = new LNetHeader();
        header.read(bytes(G19), FrameHeader.BYTES, false);
        assertThat(header.type()).isEqualTo(MessageType.PUT);
        assertThat(header.payloadLength()).isEqualTo(1 << 20);
        MemorySegment out = MemorySegment.ofArray(new byte[ProtocolVersion.V3.messageHeadBytes()]);
        FrameHeader.write(out, 0, FrameHeader.LNET, 2, 0);
        header.write(out, FrameHeader.BYTES, false);
        assertThat(hex(out)).isEqualTo(G19);
    }

    @Test
    void checksums() throws WireFormatException {
        FrameChecksum checksum = new FrameChecksum();
        checksum.add(MemorySegment.ofArray("123456789".getBytes(StandardCharsets.US_ASCII)), 0, 9);
        assertThat(checksum.value()).isEqualTo(0x340bc6d9);
        checksum.reset();
        assertThat(checksum.value()).isEqualTo(-1);

        checksum.addFrameHeader(bytes(G20), 0);
        checksum.add(bytes(G20), FrameHeader.BYTES, 72);
        FrameHeader frame = new FrameHeader();
        frame.read(bytes(G20), 0, ByteOrder.LITTLE_ENDIAN);
        assertThat(checksum.value()).isEqualTo(frame.checksum()).isEqualTo(0x7f551878);

        checksum.reset();
        checksum.addFrameHeader(bytes(G20B), 0);
        frame.read(bytes(G20B), 0, ByteOrder.LITTLE_ENDIAN);
        assertThat(checksum.value()).isEqualTo(frame.checksum());
        MemorySegment out = MemorySegment.ofArray(new byte[FrameHeader.BYTES]);
        FrameHeader.write(out, 0, FrameHeader.NOOP, 0, 2);
        FrameHeader.writeChecksum(out, 0, checksum.value());
        assertThat(hex(out)).isEqualTo(G20B);
    }

    @Test
    void bigEndianFrameHeader() throws WireFormatException {
        String swapped = "000000c1" + "11223344" + "0000000000000002" + "0000000000000003";
        FrameHeader frame = new FrameHeader();
        frame.read(bytes(swapped), 0, ByteOrder.BIG_ENDIAN);
        assertThat(frame.checksum()).isEqualTo(0x11223344);
        assertThat(frame.cookie0()).isEqualTo(2);
        assertThat(frame.cookie1()).isEqualTo(3);
        assertThat(frame.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
        MemorySegment out = MemorySegment.ofArray(new byte[FrameHeader.BYTES]);
        frame.write(out, 0);
        assertThat(hex(out)).isEqualTo(swapped);
    }

    @Test
    void refusesWhatIsNoHello() {
        assertThatThrownBy(() -> Hello.read(bytes("7856341203000000"), 0)).hasMessageContaining("magic 0x12345678");
        assertThatThrownBy(() -> Hello.read(bytes("6369724509000000"), 0)).hasMessageContaining("version 9");
        assertThatThrownBy(() -> Hello.read(bytes("6369724501000000"), 0)).hasMessageContaining("version 1");
        assertThatThrownBy(() -> Hello.read(bytes(G2.substring(0, 100)), 0)).hasMessageContaining("cut short");
        assertThatThrownBy(() -> Hello.read(bytes(G2.substring(0, 104) + "11000000"), 0))
                .hasMessageContaining("lists 17 addresses");
        assertThatThrownBy(() -> Hello.read(bytes(G2.substring(0, 104) + "0100000000000000"), 0))
                .hasMessageContaining("0.0.0.0");
        assertThatThrownBy(() -> Hello.read(bytes(G8.substring(0, 152) + "01000000"), 0))
                .hasMessageContaining("lists 1 addresses");
        assertThatThrownBy(() -> Hello.read(bytes(G6.substring(0, 48) + "05" + G6.substring(50)), 0))
                .hasMessageContaining("type 5");
        assertThatThrownBy(() -> Hello.read(bytes(G6.substring(0, 56) + "41000000" + G6.substring(64)), 0))
                .hasMessageContaining("65 bytes");
    }

    @Test
    void refusesWhatIsNoRequestOrFrame() {
        assertThatThrownBy(() -> ConnectionRequest.read(bytes("efbeadde010000000b00630a00000200"), 0))
                .hasMessageContaining("magic 0xdeadbeef");
        assertThatThrownBy(() -> ConnectionRequest.read(bytes("0071ceac630000000b00630a00000200"), 0))
                .hasMessageContaining("version 99");
        assertThatThrownBy(() -> ConnectionRequest.read(bytes("0071ceac01000000"), 0))
                .hasMessageContaining("cut short");
        assertThatThrownBy(() -> new FrameHeader().read(bytes("c2" + G20B.substring(2)), 0, ByteOrder.LITTLE_ENDIAN))
                .hasMessageContaining("0xc2");
    }

    @Test
    void acksByTheirRows() {
        assertThat(ZeroCopyAck.of(0, 0, ProtocolVersion.V3)).isEqualTo(ZeroCopyAck.NONE);
        assertThat(ZeroCopyAck.of(5, 0, ProtocolVersion.V3)).isEqualTo(ZeroCopyAck.NONE);
        assertThat(ZeroCopyAck.of(0, 1, ProtocolVersion.V3)).isEqualTo(ZeroCopyAck.KEEPALIVE);
        assertThat(ZeroCopyAck.of(0, 1, ProtocolVersion.V2)).isEqualTo(ZeroCopyAck.single(1));
        assertThat(ZeroCopyAck.of(0, 9, ProtocolVersion.V3)).isEqualTo(ZeroCopyAck.single(9));
        ZeroCopyAck pair = ZeroCopyAck.of(0x2d, 0x2a, ProtocolVersion.V3);
        assertThat(pair.count()).isEqualTo(2);
        assertThat(pair.covers(0x2b)).isFalse();
        assertThat(pair.covers(0x2a)).isTrue();
        ZeroCopyAck range = ZeroCopyAck.of(0x2a, 0x2d, ProtocolVersion.V3);
        assertThat(range.count()).isEqualTo(4);
        assertThat(range.covers(0x2b)).isTrue();
        assertThat(range.covers(0x2e)).isFalse();
        for (ZeroCopyAck ack : List.of(ZeroCopyAck.NONE, ZeroCopyAck.KEEPALIVE, pair, range, ZeroCopyAck.single(7))) {
            assertThat(ZeroCopyAck.of(ack.cookie0(), ack.cookie1(), ProtocolVersion.V3))
                    .isEqualTo(ack);
        }
    }

    @Test
    void typesInvert() {
        assertThat(ConnectionType.BULK_IN.inverted()).isEqualTo(ConnectionType.BULK_OUT);
        assertThat(ConnectionType.BULK_OUT.inverted()).isEqualTo(ConnectionType.BULK_IN);
        for (ConnectionType type : ConnectionType.values()) {
            assertThat(type.inverted().inverted()).isEqualTo(type);
            assertThat(ConnectionType.ofNumber(type.number())).isEqualTo(type);
        }
        assertThat(ConnectionType.ofNumber(7)).isNull();
    }
}
