package org.railyard.base.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class OrderedTest {
    private static final StructLayout LAYOUT = MemoryLayout.structLayout(
            Wire.LE16.withName("short"), Wire.LE32.withName("int"), Wire.LE64.withName("long"));
    private static final long SHORT = Wire.offsetOf(LAYOUT, "short");
    private static final long INT = Wire.offsetOf(LAYOUT, "int");
    private static final long LONG = Wire.offsetOf(LAYOUT, "long");

    private static byte[] written(ByteOrder order) {
        byte[] bytes = new byte[1 + (int) LAYOUT.byteSize()];
        MemorySegment memory = MemorySegment.ofArray(bytes);
        Ordered.setShort(memory, 1 + SHORT, order, 0xF102);
        Ordered.setInt(memory, 1 + INT, order, 0xF1020304);
        Ordered.setLong(memory, 1 + LONG, order, 0xF102030405060708L);
        assertThat(Ordered.getShort(memory, 1 + SHORT, order)).isEqualTo(0xF102);
        assertThat(Ordered.getInt(memory, 1 + INT, order)).isEqualTo(0xF1020304);
        assertThat(Ordered.getLong(memory, 1 + LONG, order)).isEqualTo(0xF102030405060708L);
        return bytes;
    }

    @Test
    void fieldsAreInTheOrderOfTheSender() {
        assertThat(HexFormat.of().withUpperCase().formatHex(written(ByteOrder.LITTLE_ENDIAN)))
                .isEqualTo("00" + "02F1" + "040302F1" + "08070605040302F1");
        assertThat(HexFormat.of().withUpperCase().formatHex(written(ByteOrder.BIG_ENDIAN)))
                .isEqualTo("00" + "F102" + "F1020304" + "F102030405060708");
    }

    @Test
    void aStructureCutShortIsRefused() throws WireFormatException {
        Ordered.requireBytes("hello", 8, 8);
        assertThatThrownBy(() -> Ordered.requireBytes("hello", 7, 8))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("hello is cut short: 7 bytes found, 8 expected");
        assertThatThrownBy(() -> Ordered.requireBytes("hello", -1, 8)).hasMessageContaining("0 bytes found");
    }
}
