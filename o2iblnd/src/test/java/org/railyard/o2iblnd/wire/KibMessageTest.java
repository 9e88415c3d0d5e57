package org.railyard.o2iblnd.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.testkit.Requirement;

/** Messages by the book: spec 20 §3, §4 and the vectors of spec 20 §19. */
@Requirement("ibl-010")
class KibMessageTest {
    private static final long ONE = Nid.parse("10.99.0.11@o2ib").nid4();
    private static final long OTHER = Nid.parse("10.99.0.12@o2ib").nid4();
    private static final long STAMP_ONE = 0x000660b1492e2b1bL;
    private static final long STAMP_OTHER = 0x000660b1495ae3fcL;

    private static MemorySegment hex(String text) {
        return MemorySegment.ofArray(HexFormat.of().parseHex(text.replace(" ", "")));
    }

    private static KibMessage between(boolean fromOne, boolean first) {
        KibMessage message = new KibMessage();
        message.header().setSource(fromOne ? ONE : OTHER, fromOne ? STAMP_ONE : STAMP_OTHER);
        message.header().setDestination(fromOne ? OTHER : ONE, first ? 0 : fromOne ? STAMP_OTHER : STAMP_ONE);
        return message;
    }

    private static String written(KibMessage message) {
        byte[] bytes = new byte[message.header().bytes()];
        message.write(MemorySegment.ofArray(bytes), 0);
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void connectionsAreWrittenAsKernelsWriteThem() {
        KibMessage request = between(true, true);
        request.setConnection(Kib.V2, KibType.CONNREQ, ConnectionParameters.of(8, 257));
        assertThat(written(request))
                .isEqualTo("911be90b1200c000380000000000000" + "00b00630a000005001b2b2e49b16006000c00630a00000500"
                        + "00000000000000000800010100100000");
        KibMessage answer = between(false, false);
        answer.setConnection(Kib.V2, KibType.CONNACK, ConnectionParameters.of(8, 257));
        assertThat(written(answer))
                .isEqualTo(
                        "911be90b1200c10038000000000000000c00630a00000500fce35a49b16006000b00630a000005001b2b2e49b16006"
                                + "000800010100100000");
    }

    @Test
    void creditsAndCompletionsAreWrittenAsKernelsWriteThem() {
        KibMessage noop = between(true, false);
        noop.setNoop(Kib.V2);
        noop.header().setCredits(4);
        assertThat(written(noop))
                .isEqualTo(
                        "911be90b1200d00430000000000000000b00630a000005001b2b2e49b16006000c00630a00000500fce35a49b1600600");
        KibMessage ack = between(true, false);
        RdmaDescriptor sink = new RdmaDescriptor();
        sink.reset(0x1570);
        sink.add(0xff3251601e3c4000L, 65_536);
        ack.setPutAck(Kib.V2, 8, 0x1a, sink);
        assertThat(written(ack))
                .isEqualTo(
                        "911be90b1200d40054000000000000000b00630a000005001b2b2e49b16006000c00630a00000500fce35a49b160060008"
                            + "000000000000001a0000000000000070150000010000000000010000403c1e605132ff");
        KibMessage done = between(false, false);
        done.setCompletion(Kib.V2, KibType.PUT_DONE, 0x1a, 65_536);
        assertThat(written(done))
                .isEqualTo(
                        "911be90b1200d5003c000000000000000c00630a00000500fce35a49b16006000b00630a000005001b2b2e49b160060"
                            + "01a0000000000000000000100");
        KibMessage got = between(true, false);
        got.setCompletion(Kib.V2, KibType.GET_DONE, 9, 65_536);
        assertThat(written(got))
                .isEqualTo(
                        "911be90b1200d7003c000000000000000b00630a000005001b2b2e49b16006000c00630a00000500fce35a49b160060"
                            + "0090000000000000000000100");
    }

    private static KibMessage sample(KibType type) {
        KibMessage message = between(true, false);
        LNetHeader lnet = new LNetHeader();
        lnet.setPut(100_000, 1, 2, 3, 4, 5, 6);
        lnet.setRoute(Nid.ofNid4(OTHER), 12_345, Nid.ofNid4(ONE), 12_345);
        RdmaDescriptor sink = new RdmaDescriptor();
        sink.reset(0x11223344);
        sink.add(0x1122334455667788L, 4096);
        sink.add(0x99L, 1);
        switch (type) {
            case CONNREQ, CONNACK -> message.setConnection(Kib.V1, type, new ConnectionParameters(0xABCD, 0x1234, -1));
            case NOOP -> message.setNoop(Kib.V2);
            case IMMEDIATE -> message.setImmediate(Kib.V2, lnet, 5);
            case PUT_REQ -> message.setPutRequest(Kib.V2, lnet, 0x0102030405060708L);
            case GET_REQ -> message.setGetRequest(Kib.V2, lnet, 0x0102030405060708L, sink);
            case PUT_ACK -> message.setPutAck(Kib.V2, 0x0102030405060708L, -2, sink);
            case PUT_NAK, PUT_DONE, GET_DONE -> message.setCompletion(Kib.V2, type, 0x0102030405060708L, -71);
        }
        message.header().setCredits(200);
        return message;
    }

    @ParameterizedTest
    @EnumSource(KibType.class)
    void bigEndianSendersAreUnderstood(KibType type) throws WireFormatException {
        KibMessage message = sample(type);
        message.header().setOrder(ByteOrder.BIG_ENDIAN);
        byte[] bytes = new byte[message.header().bytes()];
        message.write(MemorySegment.ofArray(bytes), 0);
        assertThat(bytes).startsWith(0x0B, 0xE9, 0x1B, 0x91);
        KibMessage read = new KibMessage();
        read.read(MemorySegment.ofArray(bytes), 0, bytes.length);
        assertThat(read.header().order()).isEqualTo(ByteOrder.BIG_ENDIAN);
        // In the other order everything says the same; cookies and LNet headers do not even look different.
        read.header().setOrder(ByteOrder.LITTLE_ENDIAN);
        assertThat(written(read)).isEqualTo(written(sample(type)));
        if (type == KibType.PUT_REQ) {
            assertThat(HexFormat.of().formatHex(bytes, 48, 128))
                    .isEqualTo(written(sample(type)).substring(96));
        }
    }

    @Test
    void theLargestMessagesAreAsLargeAsTheBookSays() {
        RdmaDescriptor sink = new RdmaDescriptor();
        for (int i = 0; i < Kib.MAX_FRAGMENTS; i++) {
            sink.add(i, 4096);
        }
        KibMessage message = between(true, false);
        message.setGetRequest(Kib.V2, new LNetHeader(), 1, sink);
        assertThat(message.header().bytes()).isEqualTo(3220);
        message.setPutAck(Kib.V2, 1, 2, sink);
        assertThat(message.header().bytes()).isEqualTo(3156);
        assertThat(KibMessage.MAX_IMMEDIATE_PAYLOAD).isEqualTo(3976);
        assertThat(Kib.serviceId(Kib.SERVICE_PORT)).isEqualTo(0x00000000010603DBL);
        assertThatThrownBy(() -> sink.add(0, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> message.setImmediate(Kib.V2, new LNetHeader(), 3977))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Offset, bytes and what the complaint names, for a PUT_ACK of one fragment. */
    @ParameterizedTest
    @CsvSource({
        "0, 63697245, magic",
        "0, 00000000, magic",
        "4, 1300, version",
        "6, c2, type",
        "6, 00, type",
        "6, d8, type",
        "8, 2f000000, bytes",
        "8, 55000000, bytes",
        "8, ffffffff, bytes",
        "8, 47000000, at least 72",
        "16, ffffffffffffffff, any",
        "68, 00000000, fragments",
        "68, 02010000, fragments",
        "68, ffffffff, fragments",
        "68, 02000000, cut short"
    })
    void whatIsWrongIsNamed(int at, String patch, String named) {
        KibMessage ack = between(true, false);
        RdmaDescriptor sink = new RdmaDescriptor();
        sink.add(1, 2);
        ack.setPutAck(Kib.V2, 8, 9, sink);
        byte[] bytes = HexFormat.of().parseHex(written(ack));
        byte[] wrong = HexFormat.of().parseHex(patch);
        System.arraycopy(wrong, 0, bytes, at, wrong.length);
        assertThatThrownBy(() -> new KibMessage().read(MemorySegment.ofArray(bytes), 0, bytes.length))
                .isInstanceOf(WireFormatException.class)
                .hasMessageContaining(named);
    }

    @Test
    void nothingIsReadBehindTheEnd() {
        byte[] bytes = HexFormat.of().parseHex(written(sample(KibType.GET_REQ)));
        for (int length = 0; length < bytes.length; length++) {
            MemorySegment cut = MemorySegment.ofArray(bytes).asSlice(0, length);
            assertThatThrownBy(() -> new KibMessage().read(cut, 0, cut.byteSize()))
                    .as("%d bytes", length)
                    .isInstanceOf(WireFormatException.class);
        }
    }

    @Test
    void checksumsAreVerifiedWithAndWithoutSigns() throws WireFormatException {
        for (boolean signed : new boolean[] {true, false}) {
            KibMessage message = sample(KibType.PUT_DONE);
            byte[] bytes = new byte[message.header().bytes()];
            MemorySegment segment = MemorySegment.ofArray(bytes);
            message.write(segment, 0);
            message.writeChecksum(segment, 0, signed);
            KibMessage read = new KibMessage();
            read.read(segment, 0, bytes.length);
            assertThat(read.header().checksum()).isNotZero();
            read.verify(segment, 0);
            bytes[50] ^= 1;
            assertThatThrownBy(() -> read.verify(segment, 0))
                    .isInstanceOf(WireFormatException.class)
                    .hasMessageContaining("checksum");
        }
        MemorySegment zeros = MemorySegment.ofArray(new byte[48]);
        assertThat(KibChecksum.of(zeros, 0, 48, true))
                .as("0 would mean that there is none")
                .isEqualTo(1);
        MemorySegment high = MemorySegment.ofArray(new byte[] {(byte) 0x80, 0x01});
        assertThat(KibChecksum.add(0, high, 0, 2, true)).isEqualTo(Integer.rotateLeft(-128, 1) + 1);
        assertThat(KibChecksum.add(0, high, 0, 2, false)).isEqualTo((0x80 << 1) + 1);
        assertThat(high.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 0x80);
    }

    @Test
    void rejectsAreReadAndWritten() throws WireFormatException {
        RejectRecord record =
                RejectRecord.of(Kib.V2, RejectReason.RDMA_FRAGS, STAMP_ONE, ConnectionParameters.of(8, 257));
        byte[] bytes = new byte[RejectRecord.BYTES];
        record.write(MemorySegment.ofArray(bytes), 0);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo("911be90b120006001b2b2e49b16006000800010100100000");
        assertThat(RejectRecord.read(MemorySegment.ofArray(bytes), 0, 24)).isEqualTo(record);
        RejectRecord big =
                new RejectRecord(ByteOrder.BIG_ENDIAN, Kib.V1, 3, 0, STAMP_ONE, ConnectionParameters.of(16, 256));
        big.write(MemorySegment.ofArray(bytes), 0);
        assertThat(RejectRecord.read(MemorySegment.ofArray(bytes), 0, 24)).isEqualTo(big);
        RejectRecord early = RejectRecord.read(MemorySegment.ofArray(bytes), 0, RejectRecord.V1_BYTES);
        assertThat(early.why()).isEqualTo(3);
        assertThat(early.incarnation()).as("nobody told it").isZero();
        assertThatThrownBy(() -> RejectRecord.read(MemorySegment.ofArray(bytes), 0, RejectRecord.V1_BYTES - 1))
                .isInstanceOf(WireFormatException.class);
        record.write(MemorySegment.ofArray(bytes), 0);
        assertThatThrownBy(() -> RejectRecord.read(MemorySegment.ofArray(bytes), 0, 23))
                .isInstanceOf(WireFormatException.class);
        assertThatThrownBy(() -> RejectRecord.read(hex("00".repeat(148)), 0, 148))
                .isInstanceOf(WireFormatException.class);
        assertThat(RejectReason.of(7)).isEqualTo(RejectReason.MSG_QUEUE_SIZE);
        assertThat(RejectReason.of(0)).isNull();
        assertThat(RejectReason.of(10)).isNull();
    }
}
