package org.railyard.mad.sa;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ComponentMaskTest {
    private static SaPathRecord path(int slid, int dlid, int hops) {
        return new SaPathRecord(new byte[64], 0)
                .set(SaPathRecord.SLID, slid)
                .set(SaPathRecord.DLID, dlid)
                .set(SaPathRecord.HOP_LIMIT, hops);
    }

    @Test
    void onlyTheFieldsOfTheMaskHaveToBeTheSame() {
        SaPathRecord record = path(3, 4, 1);
        SaPathRecord query = path(3, 5, 9);
        long slid = SaPathRecord.SLID.mask();
        long dlid = SaPathRecord.DLID.mask();
        assertThat(record.matches(query, 0)).isTrue();
        assertThat(record.matches(query, slid)).isTrue();
        assertThat(record.matches(query, slid | dlid)).isFalse();
        assertThat(record.matches(path(3, 4, 9), slid | dlid)).isTrue();
        assertThat(record.matches(path(3, 4, 9), slid | dlid | SaPathRecord.HOP_LIMIT.mask()))
                .isFalse();
    }

    /** A mask has 64 bits, and this record fewer fields. */
    @Test
    void bitsWithoutAFieldAskForNothing() {
        assertThat(path(3, 4, 1).matches(path(3, 4, 1), -1)).isTrue();
        assertThat(path(3, 4, 1).matches(path(5, 6, 7), 1L << 63)).isTrue();
    }
}
