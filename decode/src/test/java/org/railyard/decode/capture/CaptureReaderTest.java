package org.railyard.decode.capture;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureReaderTest {
    private static final long T = 1_700_000_000;
    private static final byte[] ONE = {1, 2, 3};
    private static final byte[] TWO = {4, 5, 6, 7, 8};
    private static final byte[] THREE = {9};

    private final List<String> complaints = new ArrayList<>();
    private final CaptureProblems problems = new CaptureProblems(complaints::add);

    private static ByteOrder order(String name) {
        return name.equals("big") ? BIG_ENDIAN : LITTLE_ENDIAN;
    }

    private List<CapturedPacket> read(CaptureBuilder file) {
        return read(file.segment());
    }

    private List<CapturedPacket> read(MemorySegment file) {
        try {
            CaptureReader reader = CaptureReader.open(CaptureBytes.of(file), problems);
            List<CapturedPacket> packets = new ArrayList<>();
            for (CapturedPacket packet = reader.next(); packet != null; packet = reader.next()) {
                packets.add(packet);
            }
            return packets;
        } catch (NotACaptureException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> contents(List<CapturedPacket> packets) {
        return packets.stream()
                .map(p -> Arrays.toString(p.bytes().toArray(ValueLayout.JAVA_BYTE)))
                .toList();
    }

    private static String[] contents(byte[]... packets) {
        return Arrays.stream(packets).map(Arrays::toString).toArray(String[]::new);
    }

    @ParameterizedTest
    @CsvSource({"little, false", "little, true", "big, false", "big, true"})
    void readsPcap(String order, boolean nanoseconds) {
        CaptureBuilder file = CaptureBuilder.pcap(order(order), nanoseconds, 113)
                .record(T, 5, ONE)
                .record(T + 1, 999_999, TWO);
        List<CapturedPacket> packets = read(file);
        assertThat(contents(packets)).containsExactly(contents(ONE, TWO));
        assertThat(packets.getFirst().time()).isEqualTo(T * 1_000_000_000 + (nanoseconds ? 5 : 5000));
        assertThat(packets.getFirst().linkType()).isEqualTo(113);
        assertThat(packets).extracting(CapturedPacket::offset).containsExactly(24L, 43L);
        assertThat(packets).extracting(CapturedPacket::number).containsExactly(0L, 1L);
        assertThat(complaints).isEmpty();
    }

    @Test
    void reportsAPcapThatIsCutShort() {
        byte[] whole = CaptureBuilder.pcap(LITTLE_ENDIAN, false, 1)
                .record(T, 0, ONE)
                .record(T, 0, TWO)
                .bytes();
        assertThat(contents(read(MemorySegment.ofArray(whole).asSlice(0, whole.length - 1))))
                .containsExactly(contents(ONE));
        assertThat(complaints)
                .containsExactly("offset 43: found a packet of 5 bytes, expected at most the 4 bytes left in the file");
        complaints.clear();
        assertThat(contents(read(MemorySegment.ofArray(whole).asSlice(0, 50)))).containsExactly(contents(ONE));
        assertThat(complaints)
                .containsExactly(
                        "offset 43: found 7 bytes at the end of the file, expected a packet header of 16 bytes");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, 0x7fffffff, CaptureReader.MAX_PACKET + 1, 100_000})
    void findsTheNextPcapRecordBehindANonsenseLength(int nonsense) {
        CaptureBuilder file = CaptureBuilder.pcap(LITTLE_ENDIAN, false, 1)
                .record(T, 0, ONE)
                .record(T, 1, nonsense, TWO.length, TWO)
                .record(T, 2, THREE)
                .record(T, 3, TWO);
        assertThat(contents(read(file))).containsExactly(contents(ONE, THREE, TWO));
        assertThat(complaints).singleElement().asString().startsWith("offset 43: found a packet of");
    }

    @Test
    void noticesATimeThatCannotBe() {
        CaptureBuilder file = CaptureBuilder.pcap(BIG_ENDIAN, false, 1)
                .record(T, 1_000_000, ONE)
                .record(T, 2, TWO);
        assertThat(contents(read(file))).containsExactly(contents(TWO));
        assertThat(complaints).containsExactly("offset 24: found a time with fraction 1000000, expected below 1000000");
    }

    @Test
    void warnsOfAnUnknownPcapVersion() {
        byte[] file =
                CaptureBuilder.pcap(LITTLE_ENDIAN, false, 1).record(T, 0, ONE).bytes();
        file[4] = 3;
        assertThat(contents(read(MemorySegment.ofArray(file)))).containsExactly(contents(ONE));
        assertThat(complaints).containsExactly("offset 4: found pcap version 3, expected 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"little", "big"})
    void readsPcapng(String order) {
        CaptureBuilder file = CaptureBuilder.pcapng(order(order));
        file.section()
                .describe(1, 0)
                .describe(113, 4)
                .enhanced(0, T * 1_000_000 + 7, ONE)
                .block(0xbad, new byte[8])
                .old(1, T * 1_000_000 + 8, TWO)
                .simple(3, ONE)
                .simple(100, TWO)
                .section()
                .describe(276, 3)
                .enhanced(0, 0, THREE)
                .simple(9, TWO);
        List<CapturedPacket> packets = read(file);
        assertThat(complaints).isEmpty();
        assertThat(contents(packets))
                .containsExactly(contents(ONE, TWO, ONE, Arrays.copyOf(TWO, 8), THREE, Arrays.copyOf(TWO, 3)));
        assertThat(packets).extracting(CapturedPacket::linkType).containsExactly(1, 113, 1, 1, 276, 276);
        assertThat(packets)
                .extracting(CapturedPacket::time)
                .containsSequence(T * 1_000_000_000 + 7000, T * 1_000_000_000 + 8000);
    }

    @ParameterizedTest
    @CsvSource({
        "9, 1700000000123456789, 1700000000123456789",
        "6, 1700000000123456, 1700000000123456000",
        "3, 1700000000123, 1700000000123000000",
        "0, 1700000000, 1700000000000000000",
        "12, 17000000001234567, 17000000001234",
        "148, 1782579200524288, 1700000000500000000", // 2^-20 s
        "191, -9223372036854775808, 1000000000" // 2^-63 s
    })
    void honoursTheTimeResolution(int resolution, long ticks, long nanos) {
        CaptureBuilder file = CaptureBuilder.pcapng(LITTLE_ENDIAN);
        file.section().describe(1, 0, file.option(9, (byte) resolution)).enhanced(0, ticks, ONE);
        assertThat(read(file)).extracting(CapturedPacket::time).containsExactly(nanos);
        assertThat(complaints).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"little", "big"})
    void honoursTheTimeOffset(String order) {
        CaptureBuilder file = CaptureBuilder.pcapng(order(order));
        byte[] offset = ByteBuffer.allocate(8).order(order(order)).putLong(-5).array();
        file.section().describe(1, 0, file.option(14, offset)).enhanced(0, 7_000_000, ONE);
        assertThat(read(file)).extracting(CapturedPacket::time).containsExactly(2_000_000_000L);
    }

    @Test
    void ignoresAResolutionThatCannotBe() {
        CaptureBuilder file = CaptureBuilder.pcapng(LITTLE_ENDIAN);
        file.section().describe(1, 0, file.option(9, (byte) 19)).enhanced(0, 1, ONE);
        assertThat(read(file)).extracting(CapturedPacket::time).containsExactly(1000L);
        assertThat(complaints).singleElement().asString().contains("time resolution 0x13");
    }

    @Test
    void findsTheNextPcapngBlockBehindABadOne() {
        CaptureBuilder file = CaptureBuilder.pcapng(LITTLE_ENDIAN).section().describe(1, 0);
        int bad = file.size();
        byte[] bytes = file.enhanced(0, 1, ONE).enhanced(0, 2, TWO).bytes();
        for (int wrong : new int[] {-4, 13, 8, 1 << 20, 40}) {
            complaints.clear();
            ByteBuffer.wrap(bytes).order(LITTLE_ENDIAN).putInt(bad + 4, wrong);
            assertThat(contents(read(MemorySegment.ofArray(bytes)))).containsExactly(contents(TWO));
            assertThat(complaints).singleElement().asString().startsWith("offset " + bad + ": found a block of ");
        }
    }

    @Test
    void reportsPcapngBlocksThatContradictThemselves() {
        CaptureBuilder file = CaptureBuilder.pcapng(LITTLE_ENDIAN);
        file.section()
                .simple(3, ONE)
                .describe(1, 0, (byte) 9, (byte) 0, (byte) 1, (byte) 1)
                .block(1, new byte[4])
                .enhanced(7, 0, ONE)
                .enhanced(0, 0, 0x7fffffff, TWO)
                .block(6, new byte[16])
                .block(
                        0x0a0d0d0a,
                        ByteBuffer.allocate(4)
                                .order(LITTLE_ENDIAN)
                                .putInt(0x1a2b3c4d)
                                .array());
        assertThat(read(file)).isEmpty();
        assertThat(complaints)
                .satisfiesExactly(
                        c -> assertThat(c).contains("a simple packet, expected an interface description"),
                        c -> assertThat(c).contains("interface option 9 of 257 bytes"),
                        c -> assertThat(c).contains("(interface description) of 16 bytes"),
                        c -> assertThat(c).contains("a packet of interface 7, expected one of the 1 interfaces"),
                        c -> assertThat(c).contains("a packet of 2147483647 bytes, expected at most 8"),
                        c -> assertThat(c).contains("(enhanced packet) of 28 bytes"),
                        c -> assertThat(c).contains("a section header of 16 bytes"));
    }

    @Test
    void boundsTheInterfacesOfASection() {
        CaptureBuilder file = CaptureBuilder.pcapng(LITTLE_ENDIAN).section();
        for (int i = 0; i <= PcapngReader.MAX_INTERFACES; i++) {
            file.describe(1, 0);
        }
        assertThat(read(file)).isEmpty();
        assertThat(complaints).singleElement().asString().contains("at most 4096 in a section");
    }

    @Test
    void reportsASectionOfNoByteOrder() {
        CaptureBuilder file = CaptureBuilder.pcapng(LITTLE_ENDIAN)
                .block(0x0a0d0d0a, new byte[16])
                .section()
                .describe(1, 0)
                .enhanced(0, 1, ONE);
        assertThat(contents(read(file))).containsExactly(contents(ONE));
        assertThat(complaints).singleElement().asString().contains("byte-order magic");
    }

    @Test
    void refusesWhatIsNoCapture() {
        assertThatThrownBy(() -> CaptureReader.open(CaptureBytes.of(MemorySegment.ofArray(new byte[3])), problems))
                .isInstanceOf(NotACaptureException.class)
                .hasMessageContaining("a file of 3 bytes");
        assertThatThrownBy(() -> CaptureReader.open(CaptureBytes.of(MemorySegment.ofArray(new byte[100])), problems))
                .hasMessage("found a file that starts with 0x00000000, expected the magic of a pcap or pcapng capture");
        byte[] tooShort =
                Arrays.copyOf(CaptureBuilder.pcap(BIG_ENDIAN, false, 1).bytes(), 23);
        assertThatThrownBy(() -> CaptureReader.open(CaptureBytes.of(MemorySegment.ofArray(tooShort)), problems))
                .hasMessageContaining("23 bytes");
    }

    @Test
    void passesOnALimitedNumberOfComplaints() {
        for (int i = 0; i < 1000; i++) {
            problems.report(i, "a", "b");
        }
        assertThat(problems.count()).isEqualTo(1000);
        assertThat(complaints).hasSize(CaptureProblems.MAX_SHOWN).startsWith("offset 0: found a, expected b");
    }
}
