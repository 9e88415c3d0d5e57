package org.railyard.lnet.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnMemoryTest {
    @Test
    void piecesAreZeroAlignedAndApart() {
        List<MemorySegment> pieces = new ArrayList<>();
        for (long bytes = 1; bytes <= OwnMemory.MAX_SHARED + 9; bytes += 7) {
            MemorySegment piece = OwnMemory.allocate(bytes);
            assertThat(piece.byteSize()).isEqualTo(bytes);
            assertThat(piece.address() % Long.BYTES).isZero();
            assertThat(piece.mismatch(MemorySegment.ofArray(new byte[(int) bytes])))
                    .as("zeros in a piece of %s bytes", bytes)
                    .isEqualTo(-1);
            piece.fill((byte) -1);
            pieces.add(piece);
        }

        // More than one block, so that pieces at the end of one and at the beginning of the next are among them.
        assertThat(pieces.stream().mapToLong(MemorySegment::byteSize).sum()).isGreaterThan(3 * OwnMemory.BLOCK);
        for (MemorySegment piece : pieces) {
            assertThat(pieces.stream()
                            .filter(other -> other.asOverlappingSlice(piece).isPresent()))
                    .containsExactly(piece);
        }
    }
}
