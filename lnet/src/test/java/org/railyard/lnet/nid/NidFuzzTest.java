package org.railyard.lnet.nid;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** Every text either is refused as a whole or reads back from what it prints as an equal value. */
class NidFuzzTest {
    @FuzzTest
    void nid(byte[] text) {
        roundTrip(text, Nid::parse);
    }

    @FuzzTest
    void net(byte[] text) {
        roundTrip(text, Net::parse);
    }

    @FuzzTest
    void processId(byte[] text) {
        roundTrip(text, ProcessId::parse);
    }

    @FuzzTest
    void netRange(byte[] text) {
        roundTrip(text, NetRange::parse);
    }

    @FuzzTest
    void nidRangeList(byte[] text) {
        roundTrip(text, NidRangeList::parse);
    }

    @FuzzTest
    void nidList(byte[] text) {
        roundTrip(text, NidList::parse);
    }

    private static <T> void roundTrip(byte[] bytes, Function<String, T> parser) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        T value;
        try {
            value = parser.apply(text);
        } catch (NidFormatException e) {
            assertThat(e.column()).isBetween(1, text.length() + 1);
            return;
        }
        assertThat(parser.apply(value.toString())).isEqualTo(value);
    }
}
