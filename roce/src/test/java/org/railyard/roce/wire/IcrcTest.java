package org.railyard.roce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.card.memory.MemoryPiece;

/** The checksum of packets, and the identification in the IP header, found by what it says. */
class IcrcTest {
    private static final int MASKED_BYTES = 36;
    private static final int IDENTIFICATION_AT = 12;

    private static int crc(byte[] masked) {
        CRC32 crc = new CRC32();
        crc.update(masked);
        return (int) crc.getValue();
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 20, 256, 280, 1024, 1052, 2064, 4112, 4128, 8000})
    @Requirement("sv-041")
    void anyIdentificationIsFound(int datagram) {
        SplittableRandom random = new SplittableRandom(datagram);
        byte[] masked = new byte[MASKED_BYTES + datagram - Icrc.BYTES];
        for (int attempt = 0; attempt < 50; attempt++) {
            random.nextBytes(masked);
            ByteBuffer bytes = ByteBuffer.wrap(masked).putShort(IDENTIFICATION_AT, (short) 0);
            int computed = crc(masked);
            int identification = attempt == 0 ? 0 : attempt == 1 ? 0xFFFF : random.nextInt(0x1_0000);
            bytes.putShort(IDENTIFICATION_AT, (short) identification);
            assertThat(Icrc.identification(computed, crc(masked), datagram)).isEqualTo(identification);
        }
    }

    /** ACK, NOOP, PUT_DONE, PUT_ACK, empty PUT, PUT_REQ, GET_REQ, PUT of 64 bytes; data in packets of 1 and 4 KiB. */
    @Test
    void lengthsThatAConnectionMixesDoNotDriveEachOtherOut() {
        int[] lengths = {20, 64, 76, 100, 136, 144, 164, 200, 1040, 1056, 4112, 4128};
        SplittableRandom random = new SplittableRandom(2);
        for (int attempt = 0; attempt < 1000; attempt++) {
            UdpRoute route = new UdpRoute(random.nextInt(), 4791, random.nextInt(), 4791);
            assertThat(Arrays.stream(lengths).map(length -> Icrc.place(route, length)))
                    .as(route.toString())
                    .doesNotHaveDuplicates();
        }
    }

    /**
     * Each difference is of one place and one value: a damaged byte elsewhere has no identification, but for one in 65
     * 536.
     */
    @Test
    void damageIsNotTakenForAnIdentification() {
        SplittableRandom random = new SplittableRandom(1);
        byte[] masked = new byte[MASKED_BYTES + 4108];
        random.nextBytes(masked);
        ByteBuffer.wrap(masked).putShort(IDENTIFICATION_AT, (short) 0);
        int computed = crc(masked);
        for (int at = MASKED_BYTES; at < masked.length; at += 97) {
            masked[at] ^= 0x10;
            assertThat(Icrc.identification(computed, crc(masked), masked.length - MASKED_BYTES + Icrc.BYTES))
                    .as("byte " + at)
                    .isEqualTo(-1);
            masked[at] ^= 0x10;
        }
    }

    /** Prefixes that are kept must never be those of another route, length, identification, or class of service. */
    @Test
    void whatIsKeptOfEarlierPacketsChangesNoChecksum() {
        SplittableRandom random = new SplittableRandom(7);
        MemorySegment memory = Arena.ofAuto().allocate(8192, Long.BYTES);
        ByteBuffer bytes = memory.asByteBuffer();
        Icrc kept = new Icrc();
        MemoryPiece piece = new MemoryPiece();
        UdpRoute[] routes = new UdpRoute[5];
        for (int i = 0; i < routes.length; i++) {
            routes[i] = new UdpRoute(random.nextInt(), random.nextInt(0x1_0000), random.nextInt(), 4791);
        }
        int[] lengths = {20, 68, 180, 180, 180, 4112};
        for (int packet = 0; packet < 20_000; packet++) {
            UdpRoute route = routes[random.nextInt(routes.length) * random.nextInt(2)];
            int length = lengths[random.nextInt(lengths.length)];
            int start = random.nextInt(1024);
            int identification = random.nextInt(10) == 0 ? random.nextInt(0x1_0000) : random.nextInt(66);
            memory.asSlice(start, length).copyFrom(MemorySegment.ofArray(content(random, length)));
            Bth.setVariant(memory, start, (byte) (random.nextInt(10) == 0 ? random.nextInt() : 0));
            int expected = crc(masked(memory, start, length, route, identification));
            boolean together = random.nextInt(3) > 0;
            kept.outside(together ? null : takeOut(random, memory, start, length, piece), piece.start());
            assertThat(kept.of(memory, bytes, start, length, route, identification))
                    .isEqualTo(expected);
        }
    }

    /** Moves a part of a datagram behind its header to the same place of another memory. */
    private static MemoryPiece takeOut(
            SplittableRandom random, MemorySegment memory, int start, int length, MemoryPiece piece) {
        int from = random.nextInt(Bth.BYTES, length - Icrc.BYTES + 1);
        int count = random.nextInt(length - Icrc.BYTES - from + 1);
        MemorySegment other = Arena.ofAuto().allocate(memory.byteSize());
        MemorySegment part = memory.asSlice(start + from, count);
        other.asSlice(start + from, count).copyFrom(part);
        part.fill((byte) random.nextInt());
        piece.set(other.asByteBuffer(), start + from, count, other.address() + start + from);
        return piece;
    }

    private static byte[] content(SplittableRandom random, int length) {
        byte[] content = new byte[length];
        random.nextBytes(content);
        return content;
    }

    /** Writes what counts as the specification has it (spec 23 §5.2). */
    private static byte[] masked(MemorySegment memory, int start, int length, UdpRoute route, int identification) {
        ByteBuffer out = ByteBuffer.allocate(MASKED_BYTES + length - Icrc.BYTES);
        out.putLong(-1)
                .putShort((short) 0x45FF)
                .putShort((short) (28 + length))
                .putShort((short) identification)
                .putShort((short) 0x4000)
                .putShort((short) 0xFF11)
                .putShort((short) -1)
                .putInt(route.sourceIp())
                .putInt(route.destinationIp())
                .putShort((short) route.sourcePort())
                .putShort((short) route.destinationPort())
                .putShort((short) (8 + length))
                .putShort((short) -1)
                .put(memory.asSlice(start, length - Icrc.BYTES).toArray(ValueLayout.JAVA_BYTE));
        return out.put(MASKED_BYTES + 4, (byte) -1).array();
    }
}
