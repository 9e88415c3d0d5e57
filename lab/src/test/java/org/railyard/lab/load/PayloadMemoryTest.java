package org.railyard.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

class PayloadMemoryTest {
    private static final int SIZE = 1 << 20;

    @Test
    void aLaterRunGetsTheMemoryOfAnEarlierOne() {
        PayloadMemory memory = new PayloadMemory(Long.MAX_VALUE);
        PayloadMemory.Piece piece = memory.take(PayloadMemory.bucket(SIZE));
        memory.giveBack(List.of(piece));
        assertThat(memory.keptBytes()).isEqualTo(SIZE);
        assertThat(memory.take(PayloadMemory.bucket(SIZE - 1))).isSameAs(piece);
        assertThat(memory.take(PayloadMemory.bucket(SIZE))).isNotSameAs(piece);
        assertThat(memory.keptBytes()).isZero();
    }

    @Test
    void whatIsTooMuchGoesBackToTheSystem() {
        PayloadMemory memory = new PayloadMemory(SIZE);
        PayloadMemory.Piece first = memory.take(PayloadMemory.bucket(SIZE));
        PayloadMemory.Piece second = memory.take(PayloadMemory.bucket(SIZE));
        memory.giveBack(List.of(first, second));
        assertThat(memory.keptBytes()).isEqualTo(SIZE);
        assertThat(first.memory().get(ValueLayout.JAVA_BYTE, 0)).isZero();
        assertThatThrownBy(() -> second.memory().get(ValueLayout.JAVA_BYTE, 0))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatAnotherSeedLeftIsNotTakenForThePayloadOfThisOne() {
        PayloadMemory memory = new PayloadMemory(Long.MAX_VALUE);
        MemorySegment left;
        try (Content before = new Content(1, memory)) {
            left = before.take(SIZE).copyFrom(before.stretch(7, SIZE));
            assertThat(before.isOf(left, 7, SIZE)).isTrue();
        }
        try (Content now = new Content(2, memory)) {
            MemorySegment taken = now.take(SIZE);
            assertThat(List.of(taken, now.sink())).contains(left);
            assertThat(now.isOf(left, 7, SIZE)).isFalse();
        }
    }
}
