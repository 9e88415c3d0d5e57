package org.railyard.mad.sa;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.smp.MulticastForwardingTable;
import org.railyard.mad.wire.AttributeType;

/** A block of a multicast forwarding table as the SA knows it (spec 40 §5). */
public final class MulticastForwardingRecord extends BitStruct<MulticastForwardingRecord> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("MulticastForwardingTableRecord");

    public static final BitField LID = BUILDER.mask(0).at(0).number("LID", 16);

    public static final BitField POSITION = BUILDER.mask(1).number("Position", 4);

    static {
        BUILDER.reserved(3);
    }

    public static final BitField BLOCK = BUILDER.mask(3).number("BlockNum", 9);

    static {
        BUILDER.reserved(32);
        BUILDER.at(8).embed(MulticastForwardingTable.LAYOUT);
    }

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(72);

    /** The attribute. */
    public static final AttributeType<MulticastForwardingRecord> TYPE =
            new AttributeType<>(0x17, LAYOUT, MulticastForwardingRecord::new);

    /** Lays it over bytes, without copying. */
    public MulticastForwardingRecord(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Returns the block, over the same bytes. */
    public MulticastForwardingTable table() {
        return new MulticastForwardingTable(array(), offset() + 8);
    }
}
