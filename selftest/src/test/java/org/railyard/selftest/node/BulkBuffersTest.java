package org.railyard.selftest.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BulkBuffersTest {
    private final List<String> log = new ArrayList<>();
    private int room = 3;
    private int asked;

    private MemorySegment make(long bytes) {
        asked++;
        if (room == 0) {
            throw new OutOfMemoryError("planted");
        }
        room--;
        return MemorySegment.ofArray(new byte[(int) bytes]);
    }

    @Test
    void whoFindsNoMemoryWaitsForThatOfOthers() {
        BulkBuffers buffers = new BulkBuffers(this::make, log::add);
        List<MemorySegment> taken = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            assertThat(buffers.take(taken::add)).isTrue();
        }
        assertThat(taken).hasSize(3);
        assertThat(asked).as("no more is asked for after a refusal").isEqualTo(4);
        assertThat(log).singleElement().asString().contains("planted", "-XX:MaxDirectMemorySize");

        buffers.giveBack(taken.get(1));
        assertThat(taken).hasSize(4);
        assertThat(taken.get(3)).isSameAs(taken.get(1));
        buffers.giveBack(taken.get(0));
        assertThat(taken).hasSize(5);
        assertThat(asked).isEqualTo(4);
    }

    @Test
    void withoutMemoryForOneNothingIsServed() {
        room = 0;
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> new BulkBuffers(this::make, log::add));
    }
}
