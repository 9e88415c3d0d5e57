package org.railyard.mad.smp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** One number for all VLs, and the field of each (spec 40 §2.3). */
class SlToVlTableTest {
    private static final long PACKED = 0xFEDC_BA98_7654_3210L;

    @Test
    void allVlsInOneNumberAreThoseOfTheField() {
        SlToVlTable table = new SlToVlTable(new byte[10], 1).setPacked(PACKED);
        for (int sl = 0; sl < 16; sl++) {
            assertThat(table.getInt(SlToVlTable.VLS, sl)).as("VL of SL %d", sl).isEqualTo(sl);
        }
        assertThat(table.toBytes()).startsWith(0x01, 0x23, 0x45).endsWith(0xCD, 0xEF);
        assertThat(table.packed()).isEqualTo(PACKED);
        assertThat(table.set(SlToVlTable.VLS, 15, 2).packed()).isEqualTo(0x2EDC_BA98_7654_3210L);
    }
}
