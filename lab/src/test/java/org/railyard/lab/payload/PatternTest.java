package org.railyard.lab.payload;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class PatternTest {
    private static final int LENGTH = 4096;
    private static final long OFFSET = 8 * 777;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(3 * LENGTH);

    private void refer(int place) {
        Pattern.refer(OFFSET, buffer.clear().position(place), LENGTH);
    }

    @Test
    void aPartOfThePatternIsFoundByItsPlace() {
        ByteBuffer part = Pattern.memory().asSlice(OFFSET, 100).asByteBuffer();
        assertThat(Pattern.find(part, 0, 100)).isEqualTo(OFFSET);
        part.position(10);
        assertThat(Pattern.find(part, 10, 90)).isEqualTo(OFFSET + 10);
        assertThat(Pattern.find(part, 30, 10)).isEqualTo(OFFSET + 30);
    }

    @Test
    void otherMemoryIsNoPartOfIt() {
        assertThat(Pattern.find(buffer, 0, LENGTH)).isEqualTo(Pattern.NONE);
        assertThat(Pattern.find(buffer.asReadOnlyBuffer(), 0, LENGTH)).isEqualTo(Pattern.NONE);
        Pattern.copy(OFFSET, buffer, LENGTH);
        assertThat(Pattern.find(buffer, 0, LENGTH)).as("equal bytes").isEqualTo(Pattern.NONE);
    }

    @Test
    void aReferenceStandsForAllBytesFromItsPlaceOn() {
        refer(LENGTH);
        assertThat(buffer.position()).isEqualTo(2 * LENGTH);
        assertThat(Pattern.find(buffer, LENGTH, LENGTH)).isEqualTo(OFFSET);
        assertThat(Pattern.find(buffer, LENGTH, Pattern.MIN_REFERRED)).isEqualTo(OFFSET);
        assertThat(Pattern.find(buffer, LENGTH, LENGTH + 1))
                .as("more than it says")
                .isEqualTo(Pattern.NONE);
        assertThat(Pattern.find(buffer, LENGTH, Pattern.MIN_REFERRED - 1)).isEqualTo(Pattern.NONE);
        assertThat(Pattern.find(buffer, LENGTH + 8, LENGTH - 8)).isEqualTo(Pattern.NONE);
    }

    @Test
    void theOrderOfBytesOfABufferDoesNotMatter() {
        refer(0);
        assertThat(Pattern.find(buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN), 0, LENGTH))
                .isEqualTo(OFFSET);
    }

    @Test
    void whatIsWrittenOverAReferenceEndsIt() {
        for (int at : new int[] {0, 15}) {
            refer(0);
            buffer.put(at, (byte) (buffer.get(at) + 1));
            assertThat(Pattern.find(buffer, 0, LENGTH)).isEqualTo(Pattern.NONE);
        }
    }

    @Test
    void memoryHoldsAStretchAsBytesOrAsReference() {
        MemorySegment memory = MemorySegment.ofBuffer(buffer);
        assertThat(Pattern.isIn(memory, OFFSET, LENGTH)).isFalse();
        Pattern.copy(OFFSET, buffer, LENGTH);
        assertThat(Pattern.isIn(memory, OFFSET, LENGTH)).isTrue();
        assertThat(Pattern.isIn(memory, OFFSET + 8, LENGTH)).isFalse();
        refer(0);
        assertThat(Pattern.isIn(memory, OFFSET, LENGTH)).isTrue();
        assertThat(Pattern.isIn(memory, OFFSET + 8, LENGTH)).isFalse();
        assertThat(Pattern.isIn(memory, OFFSET, LENGTH + 1)).isFalse();
    }

    @Test
    void bytesAreComparedWithinThePatternOnly() {
        Pattern.copy(OFFSET, buffer, LENGTH);
        assertThat(Pattern.isAt(OFFSET, buffer, 0, LENGTH)).isTrue();
        assertThat(Pattern.isAt(OFFSET + 1, buffer, 0, LENGTH)).isFalse();
        assertThat(Pattern.isAt(Pattern.memory().byteSize() - 1, buffer, 0, LENGTH))
                .isFalse();
        assertThat(Pattern.isAt(Pattern.NONE, buffer, 0, LENGTH)).isFalse();
    }
}
