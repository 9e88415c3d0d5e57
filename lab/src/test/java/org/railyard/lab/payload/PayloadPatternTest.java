package org.railyard.lab.payload;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class PayloadPatternTest {
    private static final int LENGTH = 4096;
    private static final long OFFSET = 8 * 777;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(3 * LENGTH);

    private void refer(int place) {
        PayloadPattern.refer(OFFSET, buffer.clear().position(place), LENGTH);
    }

    @Test
    void aPartOfThePatternIsFoundByItsPlace() {
        ByteBuffer part = PayloadPattern.memory().asSlice(OFFSET, 100).asByteBuffer();
        assertThat(PayloadPattern.find(part, 0, 100)).isEqualTo(OFFSET);
        part.position(10);
        assertThat(PayloadPattern.find(part, 10, 90)).isEqualTo(OFFSET + 10);
        assertThat(PayloadPattern.find(part, 30, 10)).isEqualTo(OFFSET + 30);
    }

    @Test
    void otherMemoryIsNoPartOfIt() {
        assertThat(PayloadPattern.find(buffer, 0, LENGTH)).isEqualTo(PayloadPattern.NONE);
        assertThat(PayloadPattern.find(buffer.asReadOnlyBuffer(), 0, LENGTH)).isEqualTo(PayloadPattern.NONE);
        PayloadPattern.copy(OFFSET, buffer, LENGTH);
        assertThat(PayloadPattern.find(buffer, 0, LENGTH)).as("equal bytes").isEqualTo(PayloadPattern.NONE);
    }

    @Test
    void aReferenceStandsForAllBytesFromItsPlaceOn() {
        refer(LENGTH);
        assertThat(buffer.position()).isEqualTo(2 * LENGTH);
        assertThat(PayloadPattern.find(buffer, LENGTH, LENGTH)).isEqualTo(OFFSET);
        assertThat(PayloadPattern.find(buffer, LENGTH, PayloadPattern.MIN_REFERRED))
                .isEqualTo(OFFSET);
        assertThat(PayloadPattern.find(buffer, LENGTH, LENGTH + 1))
                .as("more than it says")
                .isEqualTo(PayloadPattern.NONE);
        assertThat(PayloadPattern.find(buffer, LENGTH, PayloadPattern.MIN_REFERRED - 1))
                .isEqualTo(PayloadPattern.NONE);
        assertThat(PayloadPattern.find(buffer, LENGTH + 8, LENGTH - 8)).isEqualTo(PayloadPattern.NONE);
    }

    @Test
    void theOrderOfBytesOfABufferDoesNotMatter() {
        refer(0);
        assertThat(PayloadPattern.find(buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN), 0, LENGTH))
                .isEqualTo(OFFSET);
    }

    @Test
    void whatIsWrittenOverAReferenceEndsIt() {
        for (int at : new int[] {0, 15}) {
            refer(0);
            buffer.put(at, (byte) (buffer.get(at) + 1));
            assertThat(PayloadPattern.find(buffer, 0, LENGTH)).isEqualTo(PayloadPattern.NONE);
        }
    }

    @Test
    void memoryHoldsAStretchAsBytesOrAsReference() {
        MemorySegment memory = MemorySegment.ofBuffer(buffer);
        assertThat(PayloadPattern.isIn(memory, OFFSET, LENGTH)).isFalse();
        PayloadPattern.copy(OFFSET, buffer, LENGTH);
        assertThat(PayloadPattern.isIn(memory, OFFSET, LENGTH)).isTrue();
        assertThat(PayloadPattern.isIn(memory, OFFSET + 8, LENGTH)).isFalse();
        refer(0);
        assertThat(PayloadPattern.isIn(memory, OFFSET, LENGTH)).isTrue();
        assertThat(PayloadPattern.isIn(memory, OFFSET + 8, LENGTH)).isFalse();
        assertThat(PayloadPattern.isIn(memory, OFFSET, LENGTH + 1)).isFalse();
    }

    @Test
    void referencesMayStandForPartsOfAStretch() {
        MemorySegment memory = MemorySegment.ofBuffer(buffer);
        int length = 3 * LENGTH;
        // Bytes, a page, a page that is cut off; then the same moved as a whole.
        PayloadPattern.copy(OFFSET, buffer.clear(), 100);
        PayloadPattern.refer(OFFSET + 100, memory, 100, LENGTH);
        PayloadPattern.refer(OFFSET + 100 + LENGTH, memory, 100 + LENGTH, length - LENGTH - 100);
        assertThat(PayloadPattern.isIn(memory, OFFSET, length)).isTrue();
        assertThat(PayloadPattern.isIn(memory, OFFSET, length - LENGTH)).isTrue();
        assertThat(PayloadPattern.isIn(memory.asSlice(100), OFFSET + 100, length - 100))
                .isTrue();
        assertThat(PayloadPattern.isIn(memory, OFFSET + 8, length)).isFalse();
        byte[] moved = memory.toArray(ValueLayout.JAVA_BYTE);
        assertThat(PayloadPattern.isIn(MemorySegment.ofArray(moved), OFFSET, length))
                .isTrue();
        PayloadPattern.refer(OFFSET + 100 + LENGTH + 8, memory, 100 + LENGTH, LENGTH);
        assertThat(PayloadPattern.isIn(memory, OFFSET, length))
                .as("another part")
                .isFalse();
        PayloadPattern.refer(OFFSET + 100 + LENGTH, memory, 100 + LENGTH, LENGTH / 2);
        assertThat(PayloadPattern.isIn(memory, OFFSET, length)).as("too short").isFalse();
    }

    @Test
    void whatIsWrittenOverAPageOfAnythingShows() {
        MemorySegment memory = MemorySegment.ofBuffer(buffer);
        int length = 3 * LENGTH;
        for (int page = 0; page < 3; page++) {
            PayloadPattern.refer(OFFSET, memory, 0, length);
            assertThat(PayloadPattern.isIn(memory, OFFSET, length)).isTrue();
            PayloadPattern.refer(OFFSET, memory, (long) page * LENGTH, LENGTH);
            assertThat(PayloadPattern.isIn(memory, OFFSET, length)).isEqualTo(page == 0);
        }
    }

    /** Bytes of the pattern that are the first ones of a reference by chance hide where it begins. */
    @Test
    void aReferenceIsFoundBehindBytesThatEndAsItBegins() {
        MemorySegment memory = MemorySegment.ofBuffer(buffer);
        PayloadPattern.refer(OFFSET, memory, 0, LENGTH);
        byte first = memory.get(ValueLayout.JAVA_BYTE, 0);
        long offset = OFFSET;
        while (PayloadPattern.memory().get(ValueLayout.JAVA_BYTE, offset + 10) != first) {
            offset++;
        }
        PayloadPattern.copy(offset, buffer.clear(), 10);
        PayloadPattern.refer(offset + 10, memory, 10, LENGTH);
        assertThat(PayloadPattern.isIn(memory, offset, 10 + LENGTH)).isTrue();
    }

    @Test
    void bytesAreComparedWithinThePatternOnly() {
        PayloadPattern.copy(OFFSET, buffer, LENGTH);
        assertThat(PayloadPattern.isAt(OFFSET, buffer, 0, LENGTH)).isTrue();
        assertThat(PayloadPattern.isAt(OFFSET + 1, buffer, 0, LENGTH)).isFalse();
        assertThat(PayloadPattern.isAt(PayloadPattern.memory().byteSize() - 1, buffer, 0, LENGTH))
                .isFalse();
        assertThat(PayloadPattern.isAt(PayloadPattern.NONE, buffer, 0, LENGTH)).isFalse();
    }
}
