package org.railyard.verbs.card.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.verbs.DmaList;

/** Where mapped memory is found in the process. */
class CardDmaTest {
    private static final int BYTES = 3 * 4096;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory = arena.allocate(BYTES, 4096);
    private final MemoryPiece piece = new MemoryPiece();
    private final DmaList pieces = new DmaList(8);

    CardDmaTest() {
        for (int i = 0; i < BYTES; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i / 7));
        }
    }

    @AfterEach
    void close() {
        arena.close();
    }

    private void assertFound(int offset, int length) {
        assertThat(piece.length()).isEqualTo(length);
        assertThat(piece.address()).isEqualTo(memory.address() + offset);
        for (int i = 0; i < length; i++) {
            assertThat(piece.bytes().get(piece.start() + i)).isEqualTo((byte) ((offset + i) / 7));
        }
    }

    @Test
    void neighboursForTheCardAreNeighboursInTheProcess() {
        CardDma dma = new CardDma(MemoryModel.OF_PROCESS);
        dma.map(memory, pieces);
        assertThat(dma.locate(pieces.address(0) + 100, 5000, piece)).isTrue();
        assertFound(100, 5000);
        assertThat(dma.locate(pieces.address(0), BYTES, piece)).isTrue();
        assertFound(0, BYTES);
    }

    @Test
    void whatIsNotMappedIsNotFound() {
        CardDma dma = new CardDma(MemoryModel.OF_PROCESS);
        dma.map(memory, pieces);
        assertThat(dma.locate(pieces.address(0) + 1, BYTES, piece))
                .as("one byte too many")
                .isFalse();
        assertThat(dma.locate(pieces.address(0) - 1, 1, piece)).isFalse();
        dma.unmap(pieces);
        assertThat(dma.locate(pieces.address(0), 1, piece)).isFalse();
    }

    @Test
    void pagesThatAreApartAreFoundOneByOne() {
        CardDma dma = new CardDma(MemoryModel.SCATTERED);
        dma.map(memory, pieces);
        assertThat(pieces.size()).isEqualTo(3);
        assertThat(dma.locate(pieces.address(1) + 10, 4000, piece)).isTrue();
        assertFound(4096 + 10, 4000);
        assertThat(dma.locate(pieces.address(1) + 100, 4000, piece))
                .as("over the end of a page")
                .isFalse();
    }

    private void assertStretch(CardDma dma, long address, long most, long count, long offset) {
        Stretch stretch = new Stretch();
        assertThat(dma.stretch(address, most, stretch)).isEqualTo(count);
        assertThat(stretch.memory()).isSameAs(memory);
        assertThat(stretch.position()).isEqualTo(offset);
    }

    @Test
    void aStretchEndsWithThePageWhereThatIsApartFromTheNext() {
        CardDma dma = new CardDma(MemoryModel.SCATTERED);
        dma.map(memory, pieces);
        assertStretch(dma, pieces.address(1), BYTES, 4096, 4096);
        assertStretch(dma, pieces.address(1) + 100, BYTES, 3996, 4196);
        assertStretch(dma, pieces.address(1) + 100, 50, 50, 4196);
        assertThat(dma.stretch(pieces.address(0) - 1, 1, new Stretch())).isZero();
        dma.unmap(pieces);
        assertThat(dma.stretch(pieces.address(1), 1, new Stretch())).isZero();
    }

    @Test
    void aStretchGoesOnWhereNeighboursAreNeighbours() {
        CardDma dma = new CardDma(MemoryModel.MERGED);
        dma.map(memory, pieces);
        assertStretch(dma, pieces.address(0) + 100, BYTES, BYTES - 100, 100);
        assertStretch(dma, pieces.address(0) + BYTES - 1, BYTES, 1, BYTES - 1);
        assertThat(dma.stretch(pieces.address(0) + BYTES, 1, new Stretch())).isZero();
    }
}
