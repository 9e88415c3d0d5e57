package org.railyard.lnet.portal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.sim.HeldLock;

class MdTableTest {
    private final MdTable table = new MdTable(HeldLock.make());

    private static MemoryDescriptor md() {
        return new MemoryDescriptor(MdConfig.of(Arena.global().allocate(1)), md -> {});
    }

    private MemoryDescriptor added() {
        MemoryDescriptor md = md();
        table.add(md);
        return md;
    }

    @Test
    void aCookieIsNeverUsedAgain() {
        Set<Long> seen = new LinkedHashSet<>();
        List<MemoryDescriptor> live = new ArrayList<>();
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(3) > 0 || live.isEmpty()) {
                MemoryDescriptor md = added();
                assertThat(seen.add(md.cookie)).isTrue();
                live.add(md);
            } else {
                MemoryDescriptor gone = live.remove(random.nextInt(live.size()));
                table.remove(gone);
                table.remove(gone);
                assertThat(table.find(gone.cookie)).isNull();
            }
        }
        assertThat(live).allMatch(md -> table.find(md.cookie) == md);
        assertThat(table.all()).containsExactlyInAnyOrderElementsOf(live);
    }

    @Test
    void whatNoDescriptorHasIsNotFound() {
        MemoryDescriptor md = added();
        for (long cookie : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, md.cookie + 1, md.cookie + (1 << 22)}) {
            assertThat(table.find(cookie)).isNull();
        }
    }

    @Test
    void aFullTableFindsNothingBehindItsEndAndCanBeEmptied() {
        List<MemoryDescriptor> live = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            live.add(added());
        }
        long slotAfterLast = (64L << 2) + 1;
        assertThat(table.find(1L << 22 | slotAfterLast)).isNull();
        for (int i = 64; i < 300; i++) {
            live.add(added());
        }
        live.forEach(table::remove);
        assertThat(table.all()).isEmpty();
        Set<Long> seen = new LinkedHashSet<>();
        live.forEach(md -> seen.add(md.cookie));
        for (int i = 0; i < 300; i++) {
            assertThat(seen.add(added().cookie)).as("not used before").isTrue();
        }
        table.checkInvariants();
    }

    @Test
    void theCookieHasTheGenerationTheSlotAndTheClass() {
        assertThat(added().cookie).isEqualTo(1L << 22 | 1);
        MemoryDescriptor second = added();
        assertThat(second.cookie).isEqualTo(1L << 22 | 1 << 2 | 1);
        table.remove(second);
        assertThat(added().cookie).isEqualTo(2L << 22 | 1 << 2 | 1);
    }

    @Test
    void theNumberOfDescriptorsIsLimited() {
        MemoryDescriptor md = md();
        for (int i = 0; i < MdTable.MAX_DESCRIPTORS; i++) {
            table.add(md);
        }
        assertThatThrownBy(() -> table.add(md)).hasMessageContaining("ENOMEM");
        table.remove(md);
        assertThat(added().cookie).isNotEqualTo(md.cookie);
    }

    @Test
    void thoseThatAreThereAreCounted() {
        assertThat(table.count()).isZero();
        MemoryDescriptor md = added();
        added();
        assertThat(table.count()).isEqualTo(2);
        table.remove(md);
        assertThat(table.count()).isOne();
        assertThat(table.all()).hasSize(1).doesNotContain(md);
    }

    @Test
    void aCheckFindsWhatIsNotAsItShouldBe() {
        added();
        MemoryDescriptor last = added();
        table.checkInvariants();
        last.unlinked = true;
        assertThatThrownBy(table::checkInvariants)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("unlinked");
        last.unlinked = false;
        last.threshold = -2;
        assertThatThrownBy(table::checkInvariants)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("threshold");
        last.threshold = 1;
        last.cookie += 1 << 2;
        assertThatThrownBy(table::checkInvariants)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("found by its cookie");
    }
}
