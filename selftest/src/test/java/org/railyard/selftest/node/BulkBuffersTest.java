package org.railyard.selftest.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;

final class BulkBuffersTest {
    private static final ProcessId ONE = ProcessId.of(Nid.parse("10.0.0.1@tcp"));
    private static final ProcessId TWO = ProcessId.of(Nid.parse("10.0.0.2@tcp"));

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
            assertThat(buffers.take(i % 2 == 0 ? ONE : TWO, taken::add)).isTrue();
        }
        assertThat(taken).hasSize(3);
        assertThat(asked).as("no more is asked for after a refusal").isEqualTo(4);
        assertThat(log).singleElement().asString().contains("planted", "-XX:MaxDirectMemorySize");

        buffers.giveBack(TWO, taken.get(1));
        assertThat(taken).hasSize(4);
        assertThat(taken.get(3)).isSameAs(taken.get(1));
        buffers.giveBack(ONE, taken.get(0));
        assertThat(taken).as("one leaves as much as it has").hasSize(4);
        buffers.giveBack(ONE, taken.get(2));
        assertThat(taken).hasSize(5);
        assertThat(asked).isEqualTo(4);
    }

    @Test
    void aClientThatGivesNothingBackLeavesMemoryForOthers() {
        room = BulkBuffers.MAX_BUFFERS;
        BulkBuffers buffers = new BulkBuffers(_ -> MemorySegment.NULL, log::add);
        List<MemorySegment> gone = new ArrayList<>();
        List<MemorySegment> taken = new ArrayList<>();
        for (int i = 0; i < 2 * BulkBuffers.MAX_BUFFERS; i++) {
            assertThat(buffers.take(ONE, gone::add)).isTrue();
        }
        assertThat(gone).hasSize(BulkBuffers.MAX_BUFFERS / 2);
        for (int i = 0; i < 2 * BulkBuffers.MAX_BUFFERS; i++) {
            assertThat(buffers.take(TWO, taken::add)).isTrue();
        }
        assertThat(taken).hasSize(BulkBuffers.MAX_BUFFERS / 4);
        for (int i = 0; i < 2 * BulkBuffers.MAX_BUFFERS; i++) {
            buffers.giveBack(TWO, taken.get(i));
        }
        assertThat(taken).as("all are served").hasSize(2 * BulkBuffers.MAX_BUFFERS);
        for (int i = 0; i < 2 * BulkBuffers.MAX_BUFFERS; i++) {
            buffers.giveBack(ONE, gone.get(i));
        }
        assertThat(gone).as("in the end of it, too").hasSize(2 * BulkBuffers.MAX_BUFFERS);
    }

    @Test
    void aClientThatWaitsForTooMuchLeavesTurnsForOthers() {
        BulkBuffers buffers = new BulkBuffers(this::make, log::add);
        int waiting = 0;
        while (buffers.take(ONE, _ -> {})) {
            waiting++;
        }
        assertThat(waiting).isBetween(BulkBuffers.MAX_WAITING / 2, BulkBuffers.MAX_WAITING / 2 + 3);
        assertThat(buffers.take(TWO, _ -> {})).isTrue();
        assertThat(buffers.take(TWO, _ -> {})).isTrue();
    }

    @Test
    void requestsThatFailAtOnceEndOneAfterAnother() {
        BulkBuffers buffers = new BulkBuffers(this::make, log::add);
        room = 0;
        List<MemorySegment> taken = new ArrayList<>();
        buffers.take(ONE, taken::add);
        int[] failed = {0};
        int count = BulkBuffers.MAX_WAITING / 2;
        for (int i = 0; i < count; i++) {
            buffers.take(ONE, buffer -> {
                failed[0]++;
                buffers.giveBack(ONE, buffer);
            });
        }
        buffers.giveBack(ONE, taken.getFirst());
        assertThat(failed[0]).isEqualTo(count);
    }

    @Test
    void withoutMemoryForOneNothingIsServed() {
        room = 0;
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> new BulkBuffers(this::make, log::add));
    }
}
