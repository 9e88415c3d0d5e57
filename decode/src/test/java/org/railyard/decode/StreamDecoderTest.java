package org.railyard.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.railyard.decode.Conversation.hello;
import static org.railyard.decode.Conversation.noop;
import static org.railyard.decode.Conversation.put;
import static org.railyard.decode.Conversation.reply;
import static org.railyard.decode.Conversation.request;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.decode.tcp.Packets;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.socklnd.wire.ProtocolVersion;

class StreamDecoderTest {
    private static final String PUT_START = "LNET PUT 10.0.0.1@tcp/12345 -> 10.0.0.2@tcp/12345 len=";
    private static final String PUT_END =
            " ptl=5 match=0x77 hdr_data=0x0 off=0 ack_wmd=ffffffffffffffff.ffffffffffffffff";

    private static List<String> behindHandshake(Conversation conversation) {
        List<String> lines = conversation.decoded();
        assertThat(lines.subList(0, 4))
                .satisfiesExactly(
                        l -> assertThat(l).isEqualTo("TCP SYN"),
                        l -> assertThat(l).isEqualTo("ACCEPTOR_REQ v1 nid=10.0.0.2@tcp"),
                        l -> assertThat(l).startsWith("HELLO v3 src=10.0.0.1@tcp"),
                        l -> assertThat(l).startsWith("< HELLO v3 src=10.0.0.2@tcp"));
        return lines.subList(4, lines.size());
    }

    @Test
    void decodesElementsHoweverTheyAreCut() {
        byte[] all = Packets.join(
                request(),
                hello(ProtocolVersion.V3, true),
                put(ProtocolVersion.V3, 5),
                new byte[5],
                noop(0, 2),
                put(ProtocolVersion.V3, 0));
        List<String> whole = new Conversation().syn().a(all).decoded();
        assertThat(whole).hasSize(6).contains(PUT_START + 5 + PUT_END, "NOOP zc=(0,2) ACK 2");
        Conversation cut = new Conversation().syn();
        for (byte b : all) {
            cut.a(new byte[] {b});
        }
        assertThat(cut.decoded()).isEqualTo(whole);
    }

    @Test
    void explainsNoops() {
        assertThat(behindHandshake(
                        new Conversation().open().a(noop(0, 1), noop(0, 9), noop(45, 42), noop(42, 45), noop(0, 0))))
                .containsExactly(
                        "NOOP zc=(0,1) KEEPALIVE",
                        "NOOP zc=(0,9) ACK 9",
                        "NOOP zc=(45,42) ACK 45 and 42",
                        "NOOP zc=(42,45) ACK 42 to 45",
                        "NOOP zc=(0,0)");
    }

    @Test
    void goesOnBehindAGapInsideAPayload() {
        Conversation conversation = new Conversation()
                .open()
                .a(put(ProtocolVersion.V3, 1000), new byte[100])
                .skipA(800)
                .a(new byte[100], noop(0, 2));
        assertThat(behindHandshake(conversation))
                .containsExactly(
                        PUT_START + 1000 + PUT_END + " (captured 200)",
                        "GAP of 800 bytes at stream offset 268",
                        "NOOP zc=(0,2) ACK 2");
    }

    @Test
    void resumesBehindAGapAtTheStartOfASegment() {
        Conversation conversation = new Conversation()
                .open()
                .a(put(ProtocolVersion.V3, 1000))
                .skipA(1500)
                .a(new byte[30])
                .a(new byte[200])
                .a(put(ProtocolVersion.V3, 7), new byte[7])
                .a(noop(0, 3));
        assertThat(behindHandshake(conversation))
                .containsExactly(
                        PUT_START + 1000 + PUT_END + " (captured 0)",
                        "GAP of 1500 bytes at stream offset 168",
                        "RESUMED at stream offset 1898, 230 bytes passed over",
                        PUT_START + 7 + PUT_END,
                        "NOOP zc=(0,3) ACK 3");
    }

    @Test
    void showsAHeaderThatAGapCutsShort() {
        byte[] head = Arrays.copyOf(put(ProtocolVersion.V3, 0), 30);
        assertThat(behindHandshake(new Conversation()
                        .open()
                        .a(head)
                        .skipA(10)
                        .a(new byte[56])
                        .a(noop(0, 4))))
                .satisfiesExactly(
                        l -> assertThat(l)
                                .endsWith("undecodable at stream offset 72: a frame is cut short by the gap: 30 bytes"
                                        + " found"),
                        l -> assertThat(l).isEqualTo("GAP of 10 bytes at stream offset 102"),
                        l -> assertThat(l).isEqualTo("RESUMED at stream offset 168, 56 bytes passed over"),
                        l -> assertThat(l).isEqualTo("NOOP zc=(0,4) ACK 4"));
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void understandsAConnectionThatWasOpenBefore(ProtocolVersion version) {
        Conversation conversation = new Conversation().a(new byte[50]).a(put(version, 3), new byte[3]);
        assertThat(conversation.decoded())
                .containsExactly("RESUMED at stream offset 50, 50 bytes passed over", PUT_START + 3 + PUT_END);
    }

    @Test
    void understandsAHandshakeWithoutItsSyn() {
        Conversation conversation = new Conversation()
                .a(request())
                .a(hello(ProtocolVersion.V4, true))
                .b(hello(ProtocolVersion.V4, false));
        assertThat(conversation.decoded())
                .satisfiesExactly(
                        l -> assertThat(l).isEqualTo("RESUMED at stream offset 0, 0 bytes passed over"),
                        l -> assertThat(l).isEqualTo("ACCEPTOR_REQ v1 nid=10.0.0.2@tcp"),
                        l -> assertThat(l).startsWith("HELLO v4 src=10.0.0.1@tcp"),
                        l -> assertThat(l).isEqualTo("< RESUMED at stream offset 0, 0 bytes passed over"),
                        l -> assertThat(l).startsWith("< HELLO v4 src=10.0.0.2@tcp"));
    }

    @Test
    void saysWhenItNeverUnderstood() {
        assertThat(new Conversation().a(new byte[50]).a(new byte[500]).decoded())
                .containsExactly("undecodable at stream offset 0: no start of a frame recognised in 550 bytes");
    }

    @Test
    void marksAStreamOnceAndGoesOnWithOthers() {
        Conversation conversation = new Conversation()
                .open()
                .a(new byte[] {(byte) 0xc2}, new byte[200])
                .a(noop(0, 2))
                .b(noop(0, 5))
                .a(new byte[9]);
        assertThat(behindHandshake(conversation))
                .satisfiesExactly(
                        l -> assertThat(l)
                                .startsWith("raw c2")
                                .endsWith(" undecodable at stream offset 72: frame type is 0xc2, expected 0xc0 NOOP or"
                                        + " 0xc1 LNET")
                                .hasSizeLessThan(2 * StreamDecoder.MAX_RAW + 120),
                        l -> assertThat(l).isEqualTo("< NOOP zc=(0,5) ACK 5"));
    }

    @Test
    void takesTheRefusalOfAnAcceptor() {
        assertThat(new Conversation()
                        .syn()
                        .a(new byte[16])
                        .b(new byte[] {0, 0x71, (byte) 0xce, (byte) 0xac, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
                        .decoded())
                .satisfiesExactly(
                        l -> assertThat(l).isEqualTo("TCP SYN"),
                        l -> assertThat(l).contains("connection request has magic 0x0, expected 0xacce7100"),
                        l -> assertThat(l).isEqualTo("< ACCEPTOR_REFUSAL v1"));
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MAX_VALUE, -1, 1 << 21})
    void countsPayloadsThatNeverCome(int length) {
        assertThat(behindHandshake(new Conversation().open().a(put(ProtocolVersion.V3, length), new byte[10])))
                .containsExactly(PUT_START + Integer.toUnsignedString(length) + PUT_END + " (captured 10)");
    }

    @Test
    void readsPingInfos() {
        PingInfo info = PingInfo.of(
                PingInfo.MULTI_RAIL,
                12345,
                9,
                List.of(new PingInfo.Entry(Nid.parse("10.0.0.1@tcp"), PingInfo.STATUS_DOWN)));
        byte[] block = new byte[info.bytes()];
        info.write(MemorySegment.ofArray(block), 0);
        Conversation conversation = new Conversation()
                .open()
                .a(reply(ProtocolVersion.V3, 48), block)
                .a(reply(ProtocolVersion.V3, 40), Arrays.copyOf(block, 40))
                .a(reply(ProtocolVersion.V3, 16), Arrays.copyOf(block, 16))
                .a(reply(ProtocolVersion.V3, 48), new byte[48]);
        assertThat(behindHandshake(conversation).stream().filter(l -> l.startsWith("PINGINFO")))
                .containsExactly(
                        "PINGINFO magic=70696e67 features=0xa(NI_STATUS|MULTI_RAIL) pid=12345 nnis=2 [0@lo seqno=9;"
                                + " 10.0.0.1@tcp DOWN]",
                        "PINGINFO magic=70696e67 features=0xa(NI_STATUS|MULTI_RAIL) pid=12345 nnis=2 [0@lo seqno=9]"
                                + " (cut short, the whole has 48 bytes)",
                        "PINGINFO undecodable: ping info of 16 bytes, expected at least 32");
    }
}
