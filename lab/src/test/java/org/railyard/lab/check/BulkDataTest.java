package org.railyard.lab.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.wire.Wire;
import org.railyard.selftest.wire.Pattern;

/** The checker of selftest finds the word of bulk data that is wrong, where words count. */
class BulkDataTest {
    private static final int LENGTH = 8192 + 24;

    private static MemorySegment filled(Pattern pattern) {
        MemorySegment memory = MemorySegment.ofArray(new long[LENGTH / Long.BYTES]);
        pattern.fill(memory, 0, LENGTH, Pattern.MAGIC);
        assertThat(pattern.isIn(memory, 0, LENGTH, ByteOrder.LITTLE_ENDIAN)).isTrue();
        return memory;
    }

    @Test
    void eachWordCountsOrThoseAtTheEndsOfPages() {
        for (Pattern pattern : List.of(Pattern.FULL, Pattern.SIMPLE)) {
            MemorySegment memory = filled(pattern);
            assertThat(SelftestRules.firstWrong(memory, pattern.number())).isEqualTo(-1);
            for (int at = 0; at < LENGTH; at += Long.BYTES) {
                long before = memory.get(Wire.LE64, at);
                memory.set(Wire.LE64, at, before ^ 1L << 56);
                boolean counts = pattern == Pattern.FULL
                        || List.of(0, 4088, 4096, 8184, 8192, LENGTH - Long.BYTES)
                                .contains(at);
                assertThat(SelftestRules.firstWrong(memory, pattern.number()))
                        .as("%s at byte %d", pattern, at)
                        .isEqualTo(counts ? at : -1);
                memory.set(Wire.LE64, at, before);
            }
        }
    }
}
