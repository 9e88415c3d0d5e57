package org.railyard.mad.sa;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.wire.AttributeType;

/** A block of a forwarding table as the SA knows it (spec 40 §5). */
public final class LinearForwardingRecord extends BitStruct<LinearForwardingRecord> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("LinearForwardingTableRecord");

    public static final BitField LID = BUILDER.mask(0).at(0).number("LID", 16);

    public static final BitField BLOCK = BUILDER.mask(1).number("BlockNum", 16);

    static {
        BUILDER.reserved(32);
        BUILDER.at(8).embed(LinearForwardingTable.LAYOUT);
    }

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(72);

    /** The attribute. */
    public static final AttributeType<LinearForwardingRecord> TYPE =
            new AttributeType<>(0x15, LAYOUT, LinearForwardingRecord::new);

    /** Lays it over bytes, without copying. */
    public LinearForwardingRecord(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Returns the block, over the same bytes. */
    public LinearForwardingTable table() {
        return new LinearForwardingTable(array(), offset() + 8);
    }
}
