package org.railyard.mad.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.railyard.base.wire.WireFormatException;
import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.text.MadText;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.Mad;

/** Counters of ports stand where the specification says. */
class CounterLayoutsTest {
    private static final String HEADER = "0104018100000000000000000000002a";

    @Test
    void aRequestHasClassAttributeAndPort() {
        Mad mad = Mad.performance(PortCountersExtended.TYPE);
        mad.data(PortCountersExtended.TYPE).set(PortCountersExtended.PORT_SELECT, 7);
        assertThat(HexFormat.of().formatHex(mad.bytes(), 0, 24))
                .isEqualTo("0104010100000000" + "0000000000000000" + "001d000000000000");
        assertThat(mad.bytes()[65]).isEqualTo((byte) 7);
        assertThat(HexFormat.of().formatHex(mad.bytes(), 24, 65)).matches("0+");
        assertThat(HexFormat.of().formatHex(mad.bytes(), 66, Mad.SIZE)).matches("0+");
    }

    @Test
    void errorsAndTrafficAreRead() throws WireFormatException {
        byte[] bytes = answer(
                "0012",
                "0003ffff" + "0102" + "03" + "04" + "0506" + "0708" + "090a" + "0b0c" + "0d" + "0e" + "00" + "ab"
                        + "0000" + "0f10" + "11121314" + "21222324" + "31323334" + "41424344" + "fffffffe");
        PortCounters counters = Mad.over(bytes).data(PortCounters.TYPE);
        assertThat(counters.get(PortCounters.PORT_SELECT)).isEqualTo(3);
        assertThat(counters.get(PortCounters.SYMBOL_ERRORS)).isEqualTo(0x0102);
        assertThat(counters.get(PortCounters.LINK_RECOVERIES)).isEqualTo(3);
        assertThat(counters.get(PortCounters.LINK_DOWNED)).isEqualTo(4);
        assertThat(counters.get(PortCounters.RECEIVE_ERRORS)).isEqualTo(0x0506);
        assertThat(counters.get(PortCounters.TRANSMIT_DISCARDS)).isEqualTo(0x0b0c);
        assertThat(counters.get(PortCounters.LINK_INTEGRITY_ERRORS)).isEqualTo(0xa);
        assertThat(counters.get(PortCounters.BUFFER_OVERRUNS)).isEqualTo(0xb);
        assertThat(counters.get(PortCounters.VL15_DROPPED)).isEqualTo(0x0f10);
        assertThat(counters.get(PortCounters.SENT_DATA)).isEqualTo(0x11121314);
        assertThat(counters.get(PortCounters.RECEIVED_PACKETS)).isEqualTo(0x41424344);
        assertThat(counters.get(PortCounters.TRANSMIT_WAIT)).isEqualTo(0xfffffffeL);
        assertThat(MadText.page(Mad.over(bytes))).contains("Perf GetResp PortCounters", "SymbolErrorCounter");
    }

    @Test
    void trafficOf64BitsIsRead() throws WireFormatException {
        byte[] bytes = answer(
                "001d",
                "0005000000000000" + "0000000100000002" + "0000000300000004" + "0000000000000005"
                        + "0000000000000006" + "0000000000000007" + "0000000000000008" + "0000000000000009"
                        + "000000000000000a");
        PortCountersExtended counters = Mad.over(bytes).data(PortCountersExtended.TYPE);
        assertThat(counters.get(PortCountersExtended.PORT_SELECT)).isEqualTo(5);
        assertThat(counters.get(PortCountersExtended.SENT_DATA)).isEqualTo(0x1_0000_0002L);
        assertThat(counters.get(PortCountersExtended.RECEIVED_DATA)).isEqualTo(0x3_0000_0004L);
        assertThat(counters.get(PortCountersExtended.SENT_PACKETS)).isEqualTo(5);
        assertThat(counters.get(PortCountersExtended.RECEIVED_MULTICAST)).isEqualTo(10);
        assertThat(MadText.page(Mad.over(bytes))).contains("PortCountersExtended", "PortXmitData");
    }

    @Test
    void whatIsWrittenIsRead() {
        roundTrip(PortCounters.TYPE);
        roundTrip(PortCountersExtended.TYPE);
    }

    private static <T extends BitStruct<T>> void roundTrip(AttributeType<T> type) {
        T written = type.create();
        for (BitField field : type.layout().fields()) {
            written.set(field, field.max());
        }
        T read = Mad.performance(type).setData(type, written).data(type);
        for (BitField field : type.layout().fields()) {
            assertThat(read.get(field)).as(field.name()).isEqualTo(field.max());
        }
    }

    private static byte[] answer(String attribute, String data) {
        byte[] bytes = new byte[Mad.SIZE];
        byte[] header = HexFormat.of().parseHex(HEADER + attribute);
        byte[] counters = HexFormat.of().parseHex(data);
        System.arraycopy(header, 0, bytes, 0, header.length);
        System.arraycopy(counters, 0, bytes, Mad.SMP_DATA, counters.length);
        return bytes;
    }
}
