package org.railyard.mad.smp;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** A block of GUIDs of a port; the first of block 0 is the port GUID (spec 40 §2.3). */
public final class GuidInfo extends BitStruct<GuidInfo> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("GUIDInfo");

    /** Eight GUIDs, 0 where there is none. */
    public static final BitField GUIDS = BUILDER.hexes("GUID", 64, 8);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(64);

    /** The attribute. */
    public static final AttributeType<GuidInfo> TYPE = new AttributeType<>(0x14, LAYOUT, GuidInfo::new);

    /** Lays it over bytes, without copying. */
    public GuidInfo(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }
}
