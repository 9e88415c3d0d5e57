package org.railyard.mad.sa;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** A subscription as the SA knows it (spec 40 §5). */
public final class InformInfoRecord extends BitStruct<InformInfoRecord> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("InformInfoRecord");

    public static final BitField SUBSCRIBER_GID = BUILDER.mask(0).at(0).gid("SubscriberGID");

    public static final BitField ENUM = BUILDER.mask(1).number("Enum", 16);

    static {
        BUILDER.reserved(48);
        BUILDER.at(24).embed(InformInfo.LAYOUT);
    }

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(60);

    /** The attribute. */
    public static final AttributeType<InformInfoRecord> TYPE = new AttributeType<>(0xF3, LAYOUT, InformInfoRecord::new);

    /** Lays it over bytes, without copying. */
    public InformInfoRecord(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Returns the subscription, over the same bytes. */
    public InformInfo informInfo() {
        return new InformInfo(array(), offset() + 24);
    }
}
