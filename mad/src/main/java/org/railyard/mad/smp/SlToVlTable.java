package org.railyard.mad.smp;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** The VL of each SL, for one input and one output port (spec 40 §2.3). */
public final class SlToVlTable extends BitStruct<SlToVlTable> {
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
}
