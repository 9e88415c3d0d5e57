package org.railyard.lnet.cpt;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.CpuLayout;

/** Any text as a CPU pattern: it is refused, or each CPU is in one partition at most and each partition has one. */
class CpuPatternFuzzTest {
    private static final CpuLayout LAYOUT = CpuLayout.grid(2, 8, 20);

    @FuzzTest(maxDuration = "3s")
    void cpuPattern(byte[] bytes) {
        CptTable table;
        try {
            table = CptTable.of(LAYOUT, 0, new String(bytes, StandardCharsets.UTF_8));
        } catch (ErrnoException e) {
            assertThat(e.getMessage()).isNotEmpty();
            return;
        }
        assertThat(table.count()).isBetween(1, 16);
        Set<Integer> seen = new LinkedHashSet<>();
        for (int cpt : table.all()) {
            assertThat(table.cpus(cpt)).isNotEmpty().allMatch(seen::add).allMatch(cpu -> cpu >= 0 && cpu < 16);
            assertThat(table.distance(cpt, cpt)).isIn(10, 20);
        }
    }
}
