package org.railyard.mad.sa;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.smp.GuidInfo;
import org.railyard.mad.wire.AttributeType;

/** A block of GUIDs as the SA knows it (spec 40 §5). */
public final class GuidInfoRecord extends BitStruct<GuidInfoRecord> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("GUIDInfoRecord");

    public static final BitField LID = BUILDER.mask(0).at(0).number("LID", 16);

    public static final BitField BLOCK = BUILDER.mask(1).number("BlockNum", 8);

    static {
        BUILDER.reserved(40);
    }

    /** Each has a bit of the component mask. */
    public static final BitField GUIDS = BUILDER.mask(4).at(8).hexes("GUID", 64, 8);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(72);

    /** The attribute. */
    public static final AttributeType<GuidInfoRecord> TYPE = new AttributeType<>(0x30, LAYOUT, GuidInfoRecord::new);

    /** Lays it over bytes, without copying. */
    public GuidInfoRecord(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Returns the block, over the same bytes. */
    public GuidInfo table() {
        return new GuidInfo(array(), offset() + 8);
    }
}
