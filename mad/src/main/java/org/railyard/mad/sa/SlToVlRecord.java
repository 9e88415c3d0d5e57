package org.railyard.mad.sa;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.smp.SlToVlTable;
import org.railyard.mad.wire.AttributeType;

/** A SL to VL table as the SA knows it (spec 40 §5). */
public final class SlToVlRecord extends BitStruct<SlToVlRecord> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("SLtoVLMappingTableRecord");

    public static final BitField LID = BUILDER.mask(0).at(0).number("LID", 16);

    public static final BitField IN_PORT = BUILDER.mask(1).number("InputPortNum", 8);

    public static final BitField OUT_PORT = BUILDER.mask(2).number("OutputPortNum", 8);

    static {
        BUILDER.reserved(32);
        BUILDER.at(8).embed(SlToVlTable.LAYOUT);
    }

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(16);

    /** The attribute. */
    public static final AttributeType<SlToVlRecord> TYPE = new AttributeType<>(0x13, LAYOUT, SlToVlRecord::new);

    /** Lays it over bytes, without copying. */
    public SlToVlRecord(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Returns the table, over the same bytes. */
    public SlToVlTable table() {
        return new SlToVlTable(array(), offset() + 8);
    }
}
