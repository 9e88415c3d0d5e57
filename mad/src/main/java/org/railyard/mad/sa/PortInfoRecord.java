package org.railyard.mad.sa;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.wire.AttributeType;

/** A port as the SA knows it (spec 40 §5). */
public final class PortInfoRecord extends BitStruct<PortInfoRecord> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("PortInfoRecord");

    public static final BitField LID = BUILDER.mask(0).at(0).number("EndportLID", 16);

    public static final BitField PORT = BUILDER.mask(1).number("PortNum", 8);

    public static final BitField OPTIONS = BUILDER.mask(2).hex("Options", 8);

    static {
        BUILDER.at(4).embed(PortInfo.LAYOUT, 3);
    }

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(68);

    /** The attribute. */
    public static final AttributeType<PortInfoRecord> TYPE = new AttributeType<>(0x12, LAYOUT, PortInfoRecord::new);

    /** Lays it over bytes, without copying. */
    public PortInfoRecord(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Modifier of a query: CapabilityMask matches if all bits that are asked for are set. */
    public static final int MATCH_CAPABILITY_BITS = 1 << 31;

    /** Returns PortInfo, over the same bytes. */
    public PortInfo portInfo() {
        return new PortInfo(array(), offset() + 4);
    }
}
