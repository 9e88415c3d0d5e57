package org.railyard.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunMemoryTest {
    private static final int SIZE = 1 << 20;

    @Test
    void aLaterRunGetsTheMemoryOfAnEarlierOne() {
        RunMemory memory = new RunMemory(Long.MAX_VALUE);
        RunMemory.Piece piece = memory.take(RunMemory.bucket(SIZE));
        memory.giveBack(List.of(piece));
        assertThat(memory.keptBytes()).isEqualTo(SIZE);
        assertThat(memory.take(RunMemory.bucket(SIZE - 1))).isSameAs(piece);
        assertThat(memory.take(RunMemory.bucket(SIZE))).isNotSameAs(piece);
        assertThat(memory.keptBytes()).isZero();
    }

    @Test
    void whatIsTooMuchGoesBackToTheSystem() {
        RunMemory memory = new RunMemory(SIZE);
        RunMemory.Piece first = memory.take(RunMemory.bucket(SIZE));
        RunMemory.Piece second = memory.take(RunMemory.bucket(SIZE));
        memory.giveBack(List.of(first, second));
        assertThat(memory.keptBytes()).isEqualTo(SIZE);
        assertThat(first.memory().get(ValueLayout.JAVA_BYTE, 0)).isZero();
        assertThatThrownBy(() -> second.memory().get(ValueLayout.JAVA_BYTE, 0))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatAnotherSeedLeftIsNotTakenForThePayloadOfThisOne() {
        RunMemory memory = new RunMemory(Long.MAX_VALUE);
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

    @Test
    void largePiecesBeginWithAPageOfZeros() {
        RunMemory memory = new RunMemory(Long.MAX_VALUE);
        for (int bytes : new int[] {RunMemory.MIN_SPARSE_BYTES, RunMemory.MAX_BYTES}) {
            MemorySegment piece = memory.take(RunMemory.bucket(bytes)).memory();
            MemorySegment other = memory.take(RunMemory.bucket(bytes)).memory();
            assertThat(piece.byteSize()).isEqualTo(bytes);
            assertThat(piece.address() % SparseMemory.PAGE_BYTES).isZero();
            piece.set(ValueLayout.JAVA_BYTE, bytes - 1L, (byte) 1);
            assertThat(other.mismatch(MemorySegment.ofArray(new byte[bytes]))).isEqualTo(-1);
        }
    }

    @Test
    void memoryForMessagesIsKeptUntilTheEndOfTheRun() {
        RunMemory memory = new RunMemory(Long.MAX_VALUE);
        MemorySegment first;
        try (Content run = new Content(1, memory)) {
            first = run.forMessages(SIZE - 100, SparseMemory.PAGE_BYTES);
            assertThat(first.byteSize()).isEqualTo(SIZE - 100);
            assertThat(run.forMessages(SIZE - 100, 1).address()).isNotEqualTo(first.address());
            assertThat(memory.keptBytes()).isZero();
        }
        assertThat(memory.keptBytes()).isEqualTo(3L * SIZE);
        first.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
    }

    @Test
    void whatIsSmallOrTooMuchForARunIsLeftToTheCollector() {
        RunMemory memory = new RunMemory(0);
        MemorySegment small;
        MemorySegment beyond;
        try (Content run = new Content(1, memory)) {
            small = run.forMessages(100, 1);
            for (long bytes = 0; bytes < Content.MAX_MESSAGE_BYTES; bytes += RunMemory.MAX_BYTES) {
                run.forMessages(RunMemory.MAX_BYTES, 1);
            }
            beyond = run.forMessages(RunMemory.MAX_BYTES, SparseMemory.PAGE_BYTES);
        }
        small.set(ValueLayout.JAVA_BYTE, 99, (byte) 1);
        beyond.set(ValueLayout.JAVA_BYTE, RunMemory.MAX_BYTES - 1L, (byte) 1);
        assertThat(beyond.address() % SparseMemory.PAGE_BYTES).isZero();
    }
}
