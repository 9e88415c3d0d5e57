package org.railyard.mad.sa;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.wire.AttributeType;

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

    /**
     * What OpenSM 3.3.23 on ibsim looks at when a Get has this one bit in its mask, found by changing one bit of a
     * record after the other: {@code bit of the mask:byte.bit of the record}. Bits that it does not look at are left
     * out.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NodeRecord | 0:0.0 2:4.0 3:5.0 4:6.0 5:7.0 6:8.0 7:16.0 8:24.0 9:32.0 10:34.0 11:36.0 12:40.0 13:41.0"
                        + " 14:44.0",
                "PortInfoRecord | 0:0.0 1:2.0 3:4.0 4:12.0 5:20.0 6:22.0 7:24.0 8:28.0 9:30.0 10:32.0 11:33.0 12:34.0"
                        + " 13:35.0 14:36.0 15:36.4 16:37.0 17:37.4 18:38.0 20:38.5 21:39.0 22:39.4 23:40.0 24:40.4"
                        + " 25:41.0 26:41.4 27:42.0 28:43.0 29:44.0 31:45.4 33:46.4 34:47.0 35:47.4 36:47.5 37:47.6"
                        + " 38:47.7 39:48.0 40:50.0 41:52.0 42:54.0 47:56.3 48:57.0 49:57.4 53:64.0 54:66.0 55:66.4"
                        + " 57:67.3",
                "SwitchInfoRecord | 0:0.0",
                "LinearForwardingTableRecord | 0:0.0 1:2.0",
                "SMInfoRecord | 0:0.0 2:4.0 5:24.0 6:24.4",
                "LinkRecord | 0:0.0 1:2.0 2:3.0 3:4.0",
                "GUIDInfoRecord | 0:0.0 4:8.0 5:16.0 6:24.0 7:32.0 8:40.0 9:48.0 10:56.0 11:64.0",
                "P_KeyTableRecord | 0:0.0",
                "VLArbitrationTableRecord | 0:0.0 2:3.0",
                "MCMemberRecord | 0:0.0 1:24.0 2:32.0 3:36.0 6:39.0 7:40.1 12:44.0 13:44.4 14:47.0 15:48.0 16:48.4",
                "ServiceRecord | 0:0.0 1:8.0 2:24.0 5:32.0 6:48.0 7:112.0 8:113.0 9:114.0 10:115.0 11:116.0 12:117.0"
                        + " 13:118.0 14:119.0 15:120.0 16:121.0 17:122.0 18:123.0 19:124.0 20:125.0 21:126.0 22:127.0"
                        + " 23:128.0 24:130.0 25:132.0 26:134.0 27:136.0 28:138.0 29:140.0 30:142.0 31:144.0 32:148.0"
                        + " 33:152.0 34:156.0 35:160.0",
                "InformInfoRecord | 0:0.0 1:16.0"
            })
    void bitsSelectWhatTheySelectAtOpenSm(String record, String observed) {
        AttributeType<?> type = SaAttributes.ALL.stream()
                .filter(each -> each.layout().name().equals(record))
                .findFirst()
                .orElseThrow();
        String[] pairs = observed.split(" ");
        for (int i = 0; i < pairs.length; i++) {
            byte[] only = new byte[type.recordSize()];
            byte[] others = new byte[type.recordSize()];
            for (int j = 0; j < pairs.length; j++) {
                flip(i == j ? only : others, pairs[j].substring(pairs[j].indexOf(':') + 1));
            }
            long mask = 1L << Integer.parseInt(pairs[i].substring(0, pairs[i].indexOf(':')));
            assertThat(agree(type, only, mask)).as(pairs[i]).isFalse();
            assertThat(agree(type, others, mask)).as("all but " + pairs[i]).isTrue();
        }
    }

    private static void flip(byte[] bytes, String place) {
        int dot = place.indexOf('.');
        bytes[Integer.parseInt(place.substring(0, dot))] |= (byte) (0x80 >> Integer.parseInt(place.substring(dot + 1)));
    }

    private static <T extends BitStruct<T>> boolean agree(AttributeType<T> type, byte[] query, long mask) {
        return type.create().matches(type.over().over(query, 0), mask);
    }

    private static String bits(BitField field) {
        return BitSet.valueOf(new long[] {field.mask()}).stream()
                .mapToObj(Integer::toString)
                .collect(Collectors.joining("+"));
    }
}
