package org.railyard.verbs.card.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.verbs.Access;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.Qp;
import org.railyard.verbs.VerbsDevice;

/** Pages of memory that a region shows side by side, though the card does not see them so. */
class MappedRegionTest {
    private static final int PAGE = 4096;
    private static final int BYTES = 3 * PAGE;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory = arena.allocate(BYTES, PAGE);
    private final CardMemory card =
            new CardMemory(unused(VerbsDevice.class), MemoryModel.SCATTERED, 8, null, () -> false);
    private final CardPd pd = new CardPd(card);
    private final DmaList pages = new DmaList(8);
    private final Stretch stretch = new Stretch();

    MappedRegionTest() {
        for (int i = 0; i < BYTES; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i / 7));
        }
        card.dma().map(memory, pages);
    }

    @AfterEach
    void close() {
        arena.close();
    }

    private static <T> T unused(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, method, _) -> {
            throw new UnsupportedOperationException(method.toString());
        }));
    }

    private CardFastRegion region(DmaList shown) {
        CardFastRegion region = new CardFastRegion(pd, 8, true);
        region.prepare(shown, unused(Qp.class));
        region.register(Access.LOCAL_WRITE);
        return region;
    }

    private DmaList inOrder(int... order) {
        DmaList list = new DmaList(order.length);
        for (int page : order) {
            list.add(pages.address(page), PAGE);
        }
        return list;
    }

    private void assertStretch(CardFastRegion region, long address, int most, int count, int position) {
        assertThat(region.stretch(address, most, stretch)).isEqualTo(count);
        assertThat(stretch.memory()).isSameAs(memory);
        assertThat(stretch.position()).isEqualTo(position);
    }

    @Test
    void pagesInTheirOrderAreOneStretch() {
        CardFastRegion region = region(pages);
        long start = pages.address(0);
        assertThat(region.allows(start, BYTES, 0)).isTrue();
        assertThat(region.allows(start, BYTES + 1, 0)).isFalse();
        assertThat(region.allows(start - 1, 1, 0)).isFalse();
        assertStretch(region, start + 10, BYTES, BYTES - 10, 10);
        assertStretch(region, start + PAGE, 5, 5, PAGE);
        MemoryPiece piece = new MemoryPiece();
        assertThat(region.locate(start + 10, BYTES - 10, piece)).isTrue();
        assertThat(piece.address()).isEqualTo(memory.address() + 10);
        assertThat(region.locate(start + 10, BYTES - 9, piece)).isFalse();
    }

    @Test
    void pagesInAnotherOrderEndAStretch() {
        CardFastRegion region = region(inOrder(2, 0, 1));
        long start = pages.address(2);
        assertThat(region.allows(start, BYTES, 0)).isTrue();
        assertStretch(region, start, BYTES, PAGE, 2 * PAGE);
        assertStretch(region, start + PAGE + 1, BYTES, 2 * PAGE - 1, 1);
        MemorySegment read = arena.allocate(BYTES);
        region.read(start, BYTES, read, 0);
        assertThat(MemorySegment.mismatch(read, 0, PAGE, memory, 2 * PAGE, BYTES))
                .isEqualTo(-1);
        assertThat(MemorySegment.mismatch(read, PAGE, BYTES, memory, 0, 2 * PAGE))
                .isEqualTo(-1);
    }

    @Test
    void nothingIsFoundInWhatIsUnmapped() {
        CardFastRegion region = region(pages);
        card.dma().unmap(pages);
        assertThat(region.allows(pages.address(0), 1, 0)).isFalse();
        assertThat(region.stretch(pages.address(0), 1, stretch)).isZero();
        assertThat(region.locate(pages.address(0), 1, new MemoryPiece())).isFalse();
    }

    /** The pages of a card's addresses are apart: what goes beyond one is not the next. */
    @Test
    void aPieceThatIsLongerThanItsPageIsNoMemoryBeyondIt() {
        DmaList tooLong = new DmaList(2);
        tooLong.add(pages.address(0), 2 * PAGE);
        tooLong.add(pages.address(2), PAGE);
        CardFastRegion region = region(tooLong);
        long start = pages.address(0);
        assertThat(region.allows(start, PAGE, 0)).isTrue();
        assertThat(region.allows(start, PAGE + 1, 0)).isFalse();
        assertThat(region.stretch(start + PAGE, 1, stretch)).isZero();
        assertStretch(region, start + 2 * PAGE, BYTES, PAGE, 2 * PAGE);
    }
}
