package org.railyard.mad.sa;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.smp.VlArbitrationTable;
import org.railyard.mad.wire.AttributeType;

/** A block of a VL arbitration table as the SA knows it (spec 40 §5). */
public final class VlArbitrationRecord extends BitStruct<VlArbitrationRecord> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("VLArbitrationTableRecord");

    public static final BitField LID = BUILDER.mask(0).at(0).number("LID", 16);

    public static final BitField OUT_PORT = BUILDER.mask(1).number("OutputPortNum", 8);

    public static final BitField BLOCK = BUILDER.mask(2).number("BlockNum", 8);

    static {
        BUILDER.reserved(32);
        BUILDER.at(8).embed(VlArbitrationTable.LAYOUT);
    }

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(72);

    /** The attribute. */
    public static final AttributeType<VlArbitrationRecord> TYPE =
            new AttributeType<>(0x36, LAYOUT, VlArbitrationRecord::new);

    /** Lays it over bytes, without copying. */
    public VlArbitrationRecord(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Returns the block, over the same bytes. */
    public VlArbitrationTable table() {
        return new VlArbitrationTable(array(), offset() + 8);
    }
}
