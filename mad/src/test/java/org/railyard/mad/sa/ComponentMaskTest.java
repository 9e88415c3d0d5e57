package org.railyard.mad.sa;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.mad.layout.BitField;

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

    /** As spec 40 §5 lists them; what is reserved in a record has bits of its own. Of arrays this is the first one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NodeRecord | 0 2 3 4 5 6 7 8 9 10 11 12 13 14",
                "PortInfoRecord | 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 20 21 22 23 24 25 26 27 28 29 30 31"
                        + " 32 33 34 35 36 37 38 39 40 41 42 43 44 45 47 48 49 50 52 53 54 55 57",
                "SLtoVLMappingTableRecord | 0 1 2",
                "SwitchInfoRecord | 0",
                "LinearForwardingTableRecord | 0 1",
                "MulticastForwardingTableRecord | 0 1 3",
                "SMInfoRecord | 0 2 3 4 5 6",
                "LinkRecord | 0 1 2 3",
                "GUIDInfoRecord | 0 1 4",
                "ServiceRecord | 0 1 2 4 5 5 6 7 23 31 35",
                "P_KeyTableRecord | 0 1 2",
                "PathRecord | 0+1 2 3 4 5 6 8 9 10 11 12 13 14 15 16 17 18 19 20 21",
                "VLArbitrationTableRecord | 0 1 2",
                "MCMemberRecord | 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17",
                "MultiPathRecord | 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 19 20 21",
                "InformInfoRecord | 0 1"
            })
    void bitsAreThoseOfTheSpecification(String record, String bits) {
        assertThat(SaAttributes.ALL.stream()
                        .filter(type -> type.layout().name().equals(record))
                        .flatMap(type -> type.layout().fields().stream())
                        .filter(field -> field.mask() != 0)
                        .map(ComponentMaskTest::bits)
                        .collect(Collectors.joining(" ")))
                .isEqualTo(bits);
    }

    private static String bits(BitField field) {
        return BitSet.valueOf(new long[] {field.mask()}).stream()
                .mapToObj(Integer::toString)
                .collect(Collectors.joining("+"));
    }
}
