package org.railyard.mad.sa;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.wire.AttributeType;

/** A block of P_Keys as the SA knows it; for the trusted only (spec 40 §5). */
public final class PKeyRecord extends BitStruct<PKeyRecord> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("P_KeyTableRecord");

    public static final BitField LID = BUILDER.mask(0).at(0).number("LID", 16);

    public static final BitField BLOCK = BUILDER.mask(1).number("BlockNum", 16);

    public static final BitField PORT = BUILDER.mask(2).at(4).number("PortNum", 8);

    static {
        BUILDER.reserved(24);
        BUILDER.at(8).embed(PKeyTable.LAYOUT);
    }

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(72);

    /** The attribute. */
    public static final AttributeType<PKeyRecord> TYPE = new AttributeType<>(0x33, LAYOUT, PKeyRecord::new);

    /** Lays it over bytes, without copying. */
    public PKeyRecord(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Returns the block, over the same bytes. */
    public PKeyTable table() {
        return new PKeyTable(array(), offset() + 8);
    }
}
