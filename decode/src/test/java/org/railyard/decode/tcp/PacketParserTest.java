package org.railyard.decode.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.railyard.decode.tcp.Packets.A;
import static org.railyard.decode.tcp.Packets.B;
import static org.railyard.decode.tcp.Packets.captured;
import static org.railyard.decode.tcp.Packets.ipv4;
import static org.railyard.decode.tcp.Packets.ipv6;
import static org.railyard.decode.tcp.Packets.join;
import static org.railyard.decode.tcp.Packets.tcp;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.decode.capture.CaptureProblems;

class PacketParserTest {
    private static final byte[] SEGMENT = tcp(1023, 988, 77, TcpSegment.ACK, (byte) 1, (byte) 2, (byte) 3);
    private static final byte[] V4 = ipv4(A, B, 6, SEGMENT);
    private static final IpAddress A6 = new IpAddress(0xfd00_0099_0000_0000L, 0x11, true);
    private static final IpAddress B6 = new IpAddress(0xfd00_0099_0000_0000L, 0x12, true);
    private static final byte[] V6 = ipv6(A6, B6, 6, SEGMENT);

    private final List<String> complaints = new ArrayList<>();
    private final PacketParser parser = new PacketParser(new CaptureProblems(complaints::add));

    private @Nullable TcpSegment parse(int linkType, byte[]... parts) {
        return parser.parse(captured(linkType, join(parts)));
    }

    private TcpSegment parsed(int linkType, byte[]... parts) {
        return Objects.requireNonNull(parse(linkType, parts));
    }

    private static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        1   | ffffffffffff 020000000001 0800
        1   | ffffffffffff 020000000001 8100 0064 0800
        1   | ffffffffffff 020000000001 88a8 0001 8100 0064 0800
        1   | ffffffffffff 020000000001 9100 0001 8100 0001 88a8 0001 8100 0064 0800
        113 | 0000 0001 0006 0200000000010000 0800
        113 | 0000 0001 0006 0200000000010000 8100 0064 0800
        276 | 0800 0000 00000002 0001 00 06 0200000000010000
        0   | 02000000
        0   | 00000002
        108 | 00000002
        101 | ''
        12  | ''
        14  | ''
        228 | ''
        """)
    void findsIpv4InEveryLinkLayer(int linkType, String head) {
        TcpSegment segment = parsed(linkType, hex(head), V4);
        assertThat(segment.from()).hasToString("10.0.0.1:1023");
        assertThat(segment.to()).hasToString("10.0.0.2:988");
        assertThat(segment.sequence()).isEqualTo(77);
        assertThat(segment.has(TcpSegment.ACK)).isTrue();
        assertThat(segment.has(TcpSegment.SYN)).isFalse();
        assertThat(segment.payload().toArray(ValueLayout.JAVA_BYTE)).containsExactly(1, 2, 3);
        assertThat(segment.missing()).isZero();
        assertThat(complaints).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        1   | ffffffffffff 020000000001 86dd
        113 | 0000 0001 0006 0200000000010000 86dd
        276 | 86dd 0000 00000002 0001 00 06 0200000000010000
        0   | 1e000000
        0   | 0a000000
        108 | 00000018
        229 | ''
        """)
    void findsIpv6InEveryLinkLayer(int linkType, String head) {
        TcpSegment segment = parsed(linkType, hex(head), V6);
        assertThat(segment.from()).hasToString("[fd00:99::11]:1023");
        assertThat(complaints).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        1   | ffffffffffff 020000000001 0806 0001
        1   | ffffffffffff 020000000001 0026 4242
        1   | ffffffffffff 020000000001 8100 0001 8100 0001 8100 0001 8100 0001 8100 0001 0800
        1   | ffffffff
        113 | 0000 0001
        0   | 000000
        0   | 07000000
        101 | ''
        """)
    void passesOverWhatIsNoIp(int linkType, String frame) {
        assertThat(parse(linkType, hex(frame))).isNull();
        assertThat(complaints).isEmpty();
    }

    @Test
    void namesAnUnknownLinkTypeOnce() {
        assertThat(parse(127, V4)).isNull();
        assertThat(parse(127, V4)).isNull();
        assertThat(complaints)
                .singleElement()
                .asString()
                .startsWith("offset 24: found packets of link type 127, expected Ethernet");
    }

    @Test
    void cutsOffThePaddingOfShortFrames() {
        TcpSegment segment = parsed(101, V4, new byte[10]);
        assertThat(segment.payload().byteSize()).isEqualTo(3);
    }

    @Test
    void knowsWhatASnapLengthCutOff() {
        TcpSegment segment = parsed(101, Arrays.copyOf(V4, V4.length - 1));
        assertThat(segment.payload().byteSize()).isEqualTo(2);
        assertThat(segment.missing()).isEqualTo(1);
        TcpSegment headers = parsed(101, Arrays.copyOf(V4, 40));
        assertThat(headers.missing()).isEqualTo(3);
    }

    @Test
    void takesAPacketWithoutALengthAsItIs() {
        byte[] v4 = V4.clone();
        v4[2] = 0;
        v4[3] = 0;
        byte[] v6 = V6.clone();
        v6[4] = 0;
        v6[5] = 0;
        for (byte[] offloaded : List.of(v4, v6)) {
            TcpSegment segment = parsed(101, offloaded);
            assertThat(segment.payload().byteSize()).isEqualTo(3);
        }
    }

    @Test
    void passesOverOtherProtocols() {
        assertThat(parse(101, ipv4(A, B, 17, SEGMENT))).isNull();
        assertThat(parse(101, ipv6(A6, B6, 58, SEGMENT))).isNull();
        assertThat(complaints).isEmpty();
    }

    @Test
    void walksIpv6Extensions() {
        byte[] hopByHop = hex("3c 00 000000000000");
        byte[] destination = hex("33 01 0000000000000000000000000000");
        byte[] authentication = hex("2c 04 0000 00000000 00000000 00000000 00000000 00000000");
        byte[] wholeFragment = hex("06 00 0000 00000001");
        assertThat(parse(101, ipv6(A6, B6, 0, join(hopByHop, destination, authentication, wholeFragment, SEGMENT))))
                .isNotNull();
        assertThat(complaints).isEmpty();
        assertThat(parse(101, ipv6(A6, B6, 44, join(hex("06 00 0008 00000001"), SEGMENT))))
                .isNull();
        assertThat(complaints).singleElement().asString().contains("fragment of an IPv6 packet");
    }

    @Test
    void boundsIpv6Extensions() {
        byte[][] many = new byte[20][];
        Arrays.fill(many, hex("00 00 000000000000"));
        assertThat(parse(101, ipv6(A6, B6, 0, join(many)))).isNull();
    }

    @Test
    void reportsIpv4Fragments() {
        byte[] fragment = V4.clone();
        fragment[6] = 0x20;
        assertThat(parse(101, fragment)).isNull();
        assertThat(complaints).containsExactly("offset 24: found a fragment of an IPv4 packet, expected whole packets");
        byte[] unfragmentable = V4.clone();
        unfragmentable[6] = 0x40;
        assertThat(parse(101, unfragmentable)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "45", // not even an IP header
                "25000028 00000000 40060000 0a000001 0a000002", // version 2
                "41000028 00000000 40060000 0a000001 0a000002", // header of 4 bytes
                "45000010 00000000 40060000 0a000001 0a000002", // shorter than its header
                "45000028 00000000 40060000 0a000001 0a000002 03ff03dc 00000000 00", // cut in the TCP header
                "45000028 00000000 40060000 0a000001 0a000002 03ff03dc 00000000 00000000 10000000 00000000", // TCP
                // header
                // of 4
                // bytes
                "45000028 00000000 40060000 0a000001 0a000002 03ff03dc 00000000 00000000 f0000000 00000000", // TCP
                // header
                // beyond
                // the
                // packet
                "60000000",
                "60000000 0008 00 40 00000000000000000000000000000000 00000000000000000000000000000000 06"
            })
    void reportsBrokenHeaders(String ip) {
        assertThat(parse(101, hex(ip))).isNull();
        assertThat(complaints).singleElement().asString().startsWith("offset 24: found ");
    }
}
