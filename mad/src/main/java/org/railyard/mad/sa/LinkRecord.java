package org.railyard.mad.sa;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** A link, in one direction (spec 40 §5). */
public final class LinkRecord extends BitStruct<LinkRecord> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("LinkRecord");

    public static final BitField FROM_LID = BUILDER.mask(0).at(0).number("FromLID", 16);

    public static final BitField FROM_PORT = BUILDER.mask(1).number("FromPort", 8);

    public static final BitField TO_PORT = BUILDER.mask(2).number("ToPort", 8);

    public static final BitField TO_LID = BUILDER.mask(3).at(4).number("ToLID", 16);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(6);

    /** The attribute. */
    public static final AttributeType<LinkRecord> TYPE = new AttributeType<>(0x20, LAYOUT, LinkRecord::new);

    /** Lays it over bytes, without copying. */
    public LinkRecord(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }
}
