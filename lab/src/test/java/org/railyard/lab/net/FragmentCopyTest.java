package org.railyard.lab.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.railyard.lab.payload.PayloadPattern;

/** A payload keeps its content from one memory to the next, as bytes or as references, in fragments of any length. */
class FragmentCopyTest {
    private static final int PAGE = 4096;
    private static final long OFFSET = 8 * 99;

    private static ByteBuffer[] pages(int... lengths) {
        return Arrays.stream(lengths).mapToObj(ByteBuffer::allocateDirect).toArray(ByteBuffer[]::new);
    }

    private static ByteBuffer[] rewound(ByteBuffer[] fragments) {
        for (ByteBuffer each : fragments) {
            assertThat(each.hasRemaining()).isFalse();
            each.clear();
        }
        return fragments;
    }

    private static long stretch(ByteBuffer[] fragments, int bytes) {
        return FragmentCopy.stretch(fragments, fragments.length, bytes);
    }

    private static ByteBuffer[] filled(boolean byReference, int... lengths) {
        ByteBuffer[] to = pages(lengths);
        FragmentCopy.fill(OFFSET, to, to.length, byReference);
        return rewound(to);
    }

    @Test
    void referencesFromOneMemoryToTheNext() {
        int bytes = 3 * PAGE;
        ByteBuffer[] source = {PayloadPattern.memory().asSlice(OFFSET, bytes).asByteBuffer()};
        assertThat(stretch(source, bytes)).isEqualTo(OFFSET);
        assertThat(stretch(source, PAGE)).as("a part of it").isEqualTo(OFFSET);
        ByteBuffer[] pages = filled(true, PAGE, PAGE, PAGE);
        assertThat(pages[1].get(PAGE - 1)).as("not copied").isZero();
        assertThat(stretch(pages, bytes)).isEqualTo(OFFSET);
        ByteBuffer[] whole = filled(true, bytes);
        assertThat(stretch(whole, bytes)).isEqualTo(OFFSET);
    }

    @Test
    void aShortEndIsBytesAndGoesOnWithTheStretch() {
        ByteBuffer[] pages = filled(true, PAGE, 100);
        assertThat(stretch(pages, PAGE + 100)).isEqualTo(OFFSET);
        pages[1].put(50, (byte) (pages[1].get(50) + 1));
        assertThat(stretch(pages, PAGE + 100)).isEqualTo(PayloadPattern.NONE);
    }

    @Test
    void pagesInAnotherOrderAreNoStretch() {
        ByteBuffer[] pages = filled(true, PAGE, PAGE);
        ByteBuffer[] turned = {pages[1], pages[0]};
        assertThat(stretch(turned, 2 * PAGE)).isEqualTo(PayloadPattern.NONE);
        ByteBuffer[] to = pages(2 * PAGE);
        FragmentCopy.copy(turned, to, 1);
        MemorySegment copied = MemorySegment.ofBuffer(rewound(to)[0]);
        assertThat(MemorySegment.mismatch(PayloadPattern.memory(), OFFSET + PAGE, OFFSET + 2 * PAGE, copied, 0, PAGE))
                .as("bytes, and no references")
                .isEqualTo(-1);
        assertThat(PayloadPattern.isIn(copied.asSlice(PAGE), OFFSET, PAGE)).isTrue();
    }

    @Test
    void fewBytesAreCopied() {
        assertThat(stretch(filled(true, 1000), 1000)).isEqualTo(PayloadPattern.NONE);
        assertThat(PayloadPattern.isIn(MemorySegment.ofBuffer(filled(true, 1000)[0]), OFFSET, 1000))
                .isTrue();
    }

    @Test
    void bytesWhereReferencesMustNotBe() {
        ByteBuffer[] to = filled(false, PAGE, 2 * PAGE);
        assertThat(PayloadPattern.isAt(OFFSET, to[0], 0, PAGE)).isTrue();
        assertThat(PayloadPattern.isAt(OFFSET + PAGE, to[1], 0, 2 * PAGE)).isTrue();
        assertThat(stretch(to, 3 * PAGE)).isEqualTo(PayloadPattern.NONE);
    }

    @Test
    void fragmentsOfAnyLength() {
        ByteBuffer[] from = filled(false, 10, 2000, 3, 5000);
        ByteBuffer[] to = pages(1, 4000, 3012);
        FragmentCopy.copy(from, to, 3);
        rewound(to);
        assertThat(PayloadPattern.isAt(OFFSET, to[0], 0, 1)).isTrue();
        assertThat(PayloadPattern.isAt(OFFSET + 1, to[1], 0, 4000)).isTrue();
        assertThat(PayloadPattern.isAt(OFFSET + 4001, to[2], 0, 3012)).isTrue();
        assertThat(from[1].position()).isZero();
    }
}
