package org.railyard.lnet.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.PingInfo.Entry;

class PingInfoTest {
    /** Spec 01 §11.3: a captured ping reply. */
    private static final String ONE_NI = "676e6970 1e000000 39300000 02000000 00000000 00000900 02000000 00000000"
            + "0c00630a 00000200 dec0aa15 00000000";

    /** Spec 01 §11.7: one nid4 entry and one IPv6 entry. */
    private static final String MIXED = "676e6970 3e000000 39300000 02000000 00000000 00000900 09000000 48000000"
            + "1401a8c0 00000200 dec0aa15 00000000 dec0aa15 0c020000 20010db8 00000000 00000000 00000020";

    /** Spec 01 §11.8: captured, IPv6 only. */
    private static final String LARGE_ONLY = "676e6970 7e000000 39300000 01000000 00000000 00000900 02000000 38000000"
            + "dec0aa15 0c020000 fd000099 00000000 00000000 00000012";

    private static final int NODE =
            PingInfo.NI_STATUS | PingInfo.RTE_DISABLED | PingInfo.MULTI_RAIL | PingInfo.DISCOVERY;

    private static MemorySegment bytes(String hex) {
        return MemorySegment.ofArray(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    private static PingInfo read(MemorySegment block) throws WireFormatException {
        return PingInfo.read(block, 0, block.byteSize(), PingInfo.MAX_INTERFACES);
    }

    private static String write(PingInfo info) {
        byte[] out = new byte[info.bytes()];
        info.write(MemorySegment.ofArray(out), 0);
        return HexFormat.of().formatHex(out);
    }

    @Test
    void readsACapturedBlock() throws WireFormatException {
        PingInfo info = read(bytes(ONE_NI));
        assertThat(info.features()).isEqualTo(0x1e);
        assertThat(info.pid()).isEqualTo(12345);
        assertThat(info.sequence()).isEqualTo(2);
        assertThat(info.entries()).containsExactly(new Entry(Nid.parse("10.99.0.12@tcp"), PingInfo.STATUS_UP));
        assertThat(info.primary()).isEqualTo(Nid.parse("10.99.0.12@tcp"));
        assertThat(info.isTruncated()).isFalse();
        assertThat(info.announcedBytes()).isEqualTo(48);
        assertThat(info.byteOrder()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    }

    @ParameterizedTest
    @ValueSource(strings = {ONE_NI, MIXED, LARGE_ONLY})
    void writesWhatItRead(String hex) throws WireFormatException {
        assertThat(write(read(bytes(hex)))).isEqualTo(hex.replace(" ", ""));
    }

    @Test
    void laysOutItsOwnBlockAsRealNodesDo() {
        Entry a = new Entry(Nid.parse("192.168.1.20@tcp"), PingInfo.STATUS_UP);
        Entry a6 = new Entry(Nid.parse("2001:db8::20@tcp"), PingInfo.STATUS_UP);
        assertThat(write(PingInfo.of(NODE, 12345, 9, List.of(a, a6)))).isEqualTo(MIXED.replace(" ", ""));
        Entry b6 = new Entry(Nid.parse("fd00:99::12@tcp"), PingInfo.STATUS_UP);
        assertThat(write(PingInfo.of(NODE, 12345, 2, List.of(b6)))).isEqualTo(LARGE_ONLY.replace(" ", ""));

        PingInfo largeFirst = PingInfo.of(NODE, 12345, 9, List.of(a6, a));
        assertThat(largeFirst.hasFeature(PingInfo.PRIMARY_LARGE)).isTrue();
        assertThat(largeFirst.primary()).isEqualTo(a6.nid());
        assertThat(largeFirst.entries()).containsExactly(a, a6);
        PingInfo onlySmall = PingInfo.of(NODE | PingInfo.LARGE_ADDR | PingInfo.PRIMARY_LARGE, 12345, 9, List.of(a));
        assertThat(onlySmall.features()).isEqualTo(NODE);
        assertThat(PingInfo.of(0, 12345, 1, List.of()).primary()).isNull();
    }

    @Test
    void refusesToAnnounceWhatIsNoNid() {
        assertThatThrownBy(() -> PingInfo.of(NODE, 12345, 1, List.of(new Entry(Nid.LOOPBACK, 0))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PingInfo.of(NODE, 12345, 1, List.of(new Entry(Nid.ANY, 0))))
                .isInstanceOf(IllegalArgumentException.class);
        Entry a = new Entry(Nid.parse("10.0.0.1@tcp"), PingInfo.STATUS_UP);
        assertThatThrownBy(() -> PingInfo.of(NODE, 12345, 1, Collections.nCopies(PingInfo.MAX_INTERFACES, a)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("4096");
    }

    @Test
    void readsAndRewritesABigEndianBlock() throws WireFormatException {
        String hex = "70696e67 0000003e 00003039 00000002 00090000 00000000 00000009 00000048"
                + "00020000 c0a80114 deadface 00000000 15aac0de 0c020000 20010db8 00000000 00000000 00000020";
        PingInfo info = read(bytes(hex));
        assertThat(info.byteOrder()).isEqualTo(ByteOrder.BIG_ENDIAN);
        assertThat(info.entries())
                .containsExactly(
                        new Entry(Nid.parse("192.168.1.20@tcp"), PingInfo.STATUS_DOWN),
                        new Entry(Nid.parse("2001:db8::20@tcp"), PingInfo.STATUS_UP));
        assertThat(info.entries().getFirst().isDown()).isTrue();
        assertThat(write(info)).isEqualTo(hex.replace(" ", ""));
    }

    @Test
    void keepsTheWholeEntriesOfACutBlock() throws WireFormatException {
        MemorySegment whole = bytes(MIXED);
        PingInfo info = PingInfo.read(whole, 0, 60, PingInfo.MAX_INTERFACES);
        assertThat(info.isTruncated()).isTrue();
        assertThat(info.announcedBytes()).isEqualTo(72);
        assertThat(info.entries()).hasSize(1);
        assertThat(write(info)).isEqualTo(MIXED.replace(" ", "").substring(0, 96));
    }

    @Test
    void ignoresWhatFollowsTheEntries() throws WireFormatException {
        PingInfo info = read(bytes(ONE_NI + "01000000 ffffffff"));
        assertThat(info.isTruncated()).isFalse();
        assertThat(info.bytes()).isEqualTo(48);
    }

    @Test
    void stepsOverLargeEntriesItCannotRead() throws WireFormatException {
        // An entry whose NID claims 13 + 8 bytes, the wildcard, then a good one.
        PingInfo info = read(bytes("676e6970 7e000000 39300000 01000000 00000000 00000900 02000000 6c000000"
                + "dec0aa15 0d020000 00000000 00000000 00000000 00000000 00000000"
                + "dec0aa15 0cff0000 00000000 00000000 00000000 00000000"
                + "dec0aa15 0c020000 fd000099 00000000 00000000 00000012"));
        assertThat(info.entries()).containsExactly(new Entry(Nid.parse("fd00:99::12@tcp"), PingInfo.STATUS_UP));
        assertThat(info.primary()).isEqualTo(Nid.parse("fd00:99::12@tcp"));
    }

    @Test
    void saysWhatIsWrong() {
        assertRejected(ONE_NI.substring(0, 60), "at least 32");
        assertRejected(ONE_NI.replace("676e6970", "676e6971"), "magic");
        assertRejected(ONE_NI.replace("1e000000", "1c000000"), "NI_STATUS");
        assertRejected(ONE_NI.replace("39300000 02000000", "39300000 00000000"), "0 interfaces");
        assertRejected(ONE_NI.replace("39300000 02000000", "39300000 01100000"), "4097 interfaces, expected 1 to 4096");
        assertRejected(ONE_NI.replace("39300000 02000000", "39300000 ffffffff"), "4294967295 interfaces");
        assertRejected(ONE_NI.replace("00000000 00000900", "00000000 00000200"), "0.0.0.0@tcp");
        assertRejected(MIXED.replace("48000000", "ffffffff"), "announces 4294967292 bytes");
    }

    private static void assertRejected(String hex, String reason) {
        assertThatThrownBy(() -> read(bytes(hex)))
                .isInstanceOf(WireFormatException.class)
                .hasMessageContaining(reason);
    }
}
