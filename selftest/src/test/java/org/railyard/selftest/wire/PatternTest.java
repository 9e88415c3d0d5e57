package org.railyard.selftest.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Data of the bulk test: a word of 8 bytes, all over or at both ends of each page (spec 03 §5). */
class PatternTest {
    private static final List<Integer> LENGTHS = List.of(8, 16, 4088, 4096, 4104, 8192, 12_296, 1 << 20);

    private static MemorySegment memory(int length) {
        return MemorySegment.ofArray(new long[length / Long.BYTES]);
    }

    @Test
    void theWordIsLittleEndian() {
        MemorySegment memory = memory(16);
        Pattern.FULL.fill(memory, 0, 16, Pattern.MAGIC);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 0xb3);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 15)).isEqualTo((byte) 0xee);
    }

    @Test
    void whatIsFilledIsFoundAndPoisonIsNot() {
        for (Pattern pattern : List.of(Pattern.SIMPLE, Pattern.FULL)) {
            for (int length : LENGTHS) {
                for (int offset : List.of(0, 8, 4088)) {
                    MemorySegment memory = memory(length);
                    pattern.fill(memory, offset, length, Pattern.POISON);
                    assertThat(pattern.isIn(memory, offset, length, ByteOrder.LITTLE_ENDIAN))
                            .isFalse();
                    pattern.fill(memory, offset, length, Pattern.MAGIC);
                    assertThat(pattern.isIn(memory, offset, length, ByteOrder.LITTLE_ENDIAN))
                            .isTrue();
                    assertThat(pattern.isIn(memory, offset, length, ByteOrder.BIG_ENDIAN))
                            .isFalse();
                    pattern.fill(memory, offset, length, Long.reverseBytes(Pattern.MAGIC));
                    assertThat(pattern.isIn(memory, offset, length, ByteOrder.BIG_ENDIAN))
                            .isTrue();
                }
            }
        }
    }

    @Test
    void simpleLooksAtBothEndsOfPagesOnly() {
        MemorySegment memory = memory(8192);
        Pattern.SIMPLE.fill(memory, 0, 8192, Pattern.MAGIC);
        assertThat(words(memory)).containsExactly(0, 4088, 4096, 8184);
        memory.fill((byte) 0);
        Pattern.SIMPLE.fill(memory, 8, 8192, Pattern.MAGIC);
        assertThat(words(memory)).containsExactly(0, 4080, 4088, 8176, 8184);
    }

    private static List<Integer> words(MemorySegment memory) {
        return IntStream.range(0, (int) memory.byteSize() / Long.BYTES)
                .filter(word -> memory.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, word) != 0)
                .mapToObj(word -> word * Long.BYTES)
                .toList();
    }

    @Test
    void fullLooksAtEveryByteAndWritesNothingBehindTheLast() {
        for (int length : List.of(8, 24, 4096, 4104, 12_296)) {
            MemorySegment memory = memory(length + 8);
            Pattern.FULL.fill(memory, 0, length, Pattern.MAGIC);
            assertThat(words(memory)).hasSize(length / Long.BYTES);
            assertThat(memory.get(ValueLayout.JAVA_LONG_UNALIGNED, length)).isZero();
            for (int at = 0; at < length; at++) {
                byte good = memory.get(ValueLayout.JAVA_BYTE, at);
                memory.set(ValueLayout.JAVA_BYTE, at, (byte) ~good);
                assertThat(Pattern.FULL.isIn(memory, 0, length, ByteOrder.LITTLE_ENDIAN))
                        .as("byte %d of %d", at, length)
                        .isFalse();
                memory.set(ValueLayout.JAVA_BYTE, at, good);
            }
            assertThat(Pattern.FULL.isIn(memory, 0, length, ByteOrder.LITTLE_ENDIAN))
                    .isTrue();
        }
    }

    @Test
    void nothingIsGoodAndTouchesNothing() {
        MemorySegment memory = memory(8);
        for (Pattern pattern : List.of(Pattern.SIMPLE, Pattern.FULL)) {
            pattern.fill(memory, 0, 0, Pattern.MAGIC);
            assertThat(words(memory)).isEmpty();
            assertThat(pattern.isIn(memory, 0, 0, ByteOrder.LITTLE_ENDIAN)).isTrue();
        }
    }

    @Test
    void anyBytesWillDoWithoutACheck() {
        MemorySegment memory = memory(64);
        Pattern.NONE.fill(memory, 0, 64, Pattern.MAGIC);
        assertThat(words(memory)).isEmpty();
        assertThat(Pattern.NONE.isIn(memory, 0, 64, ByteOrder.LITTLE_ENDIAN)).isTrue();
        assertThat(Pattern.of(5)).isNull();
    }
}
