package org.railyard.mad.smp;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** The VL of each SL, for one input and one output port (spec 40 §2.3). */
public final class SlToVlTable extends BitStruct<SlToVlTable> {
    private static final int HALF = 4;

    private static final LayoutBuilder BUILDER = new LayoutBuilder("SLtoVLMappingTable");

    /** By SL; 15 drops. */
    public static final BitField VLS = BUILDER.numbers("VL", 4, 16);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(8);

    /** The attribute. */
    public static final AttributeType<SlToVlTable> TYPE = new AttributeType<>(0x17, LAYOUT, SlToVlTable::new);

    /** Lays it over bytes, without copying. */
    public SlToVlTable(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Returns all VLs in one number: that of an SL in the four bits from 4 × SL on. */
    public long packed() {
        long packed = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            packed |= (long) swapped(array()[offset() + i]) << i * Byte.SIZE;
        }
        return packed;
    }

    /** Writes all VLs, as {@link #packed} returns them. */
    public SlToVlTable setPacked(long packed) {
        for (int i = 0; i < Long.BYTES; i++) {
            array()[offset() + i] = (byte) swapped((int) (packed >>> i * Byte.SIZE));
        }
        return this;
    }

    /** Each byte has the lower SL in its upper half. */
    private static int swapped(int both) {
        return both << HALF & 0xF0 | both >> HALF & 0x0F;
    }
}
