package org.railyard.lnet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.nid.Nid;

/** Readers with places of their own, of which a slow one loses the oldest and is told. */
class EventRingTest {
    private static final Nid NI = Nid.parse("10.0.0.1@tcp");

    private final EventRing ring = new EventRing();
    private int woken;

    private void tell(int count) {
        for (int i = 0; i < count; i++) {
            ring.happened(new NodeEvent(0, NodeEventKind.NI_ADDED, NI, Nid.ANY, 0, 0, "eth0", 1));
        }
    }

    @Test
    void aReaderGetsWhatIsBehindItsPlace() {
        assertThat(ring.read(0, 10)).isEqualTo(new EventRing.Batch(List.of(), 0, 0));
        tell(5);
        EventRing.Batch batch = ring.read(2, 2);
        assertThat(batch.events()).extracting(EventRing.Numbered::number).containsExactly(3L, 4L);
        assertThat(batch.lost()).isZero();
        assertThat(batch.last()).isEqualTo(5);
        assertThat(ring.read(5, 10).events()).isEmpty();
        for (long elsewhere : new long[] {99, Long.MAX_VALUE}) {
            assertThat(ring.read(elsewhere, 10))
                    .as("a place in the ring of another daemon")
                    .isEqualTo(new EventRing.Batch(List.of(), 0, 5));
        }
    }

    @Test
    void aSlowReaderLosesTheOldestAndIsToldHowMany() {
        tell(EventRing.MAX_EVENTS + 30);
        EventRing.Batch batch = ring.read(10, 5);
        assertThat(batch.lost()).isEqualTo(20);
        assertThat(batch.events()).extracting(EventRing.Numbered::number).containsExactly(31L, 32L, 33L, 34L, 35L);
        assertThat(ring.read(35, EventRing.MAX_EVENTS).lost()).isZero();
        assertThat(ring.last()).isEqualTo(EventRing.MAX_EVENTS + 30);
    }

    @Test
    void watchersAreWokenAndFew() {
        Runnable watcher = () -> woken++;
        ring.watch(watcher);
        tell(3);
        assertThat(woken).isEqualTo(3);
        for (int i = 1; i < EventRing.MAX_WATCHERS; i++) {
            int number = i;
            ring.watch(() -> woken += number);
        }
        assertThatThrownBy(() -> ring.watch(() -> woken--))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("32 readers follow");
        ring.unwatch(watcher);
        ring.watch(() -> woken--);
    }
}
