package org.railyard.bench.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllocationTest {
    @Test
    void lastRoundCounts() {
        Iterator<Long> bytes = List.of(0L, 90_000L, 90_000L, 90_500L).iterator();
        Allocation allocation = new Allocation(bytes::next);
        allocation.begin();
        allocation.end(1000);
        assertThat(allocation.perMessage())
                .hasValue("90.000 bytes allocated per message in the whole process (1000 messages of the last round)");
        allocation.begin();
        allocation.end(2000);
        assertThat(allocation.perMessage())
                .hasValue("0.250 bytes allocated per message in the whole process (2000 messages of the last round)");
    }

    @Test
    void nothingIsSaidWithoutMessagesOrACount() {
        Allocation allocation = new Allocation(() -> -1);
        assertThat(allocation.perMessage()).isEmpty();
        allocation.begin();
        allocation.end(5);
        assertThat(allocation.perMessage()).isEmpty();
    }
}
