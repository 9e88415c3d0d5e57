package org.railyard.mad.wire;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;

/** The header of subnet administration, behind that of RMPP (spec 40 §4). */
public final class SaHeader extends BitStruct<SaHeader> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("SA");

    /** The key that makes a requester trusted. */
    public static final BitField SM_KEY = BUILDER.at(0).hex("SM_Key", 64);

    /** Size of a record, units of 8 bytes; 0 where no record follows. */
    public static final BitField ATTRIBUTE_OFFSET = BUILDER.at(8).number("AttributeOffset", 16);

    static {
        BUILDER.reserved(16);
    }

    /** Which components of the record are asked for. */
    public static final BitField COMPONENT_MASK = BUILDER.at(12).hex("ComponentMask", 64);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(20);

    /** Offset in a MAD. */
    public static final int OFFSET = Mad.HEADER + 12;

    /** Lays it over a MAD of the SA. */
    public SaHeader(byte[] bytes) {
        super(LAYOUT, bytes, OFFSET);
    }
}
