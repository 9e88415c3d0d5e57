package org.railyard.mad.sa;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.smp.SmInfo;
import org.railyard.mad.wire.AttributeType;

/** A subnet manager as the SA knows it (spec 40 §5). */
public final class SmInfoRecord extends BitStruct<SmInfoRecord> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("SMInfoRecord");

    public static final BitField LID = BUILDER.mask(0).at(0).number("LID", 16);

    static {
        BUILDER.reserved(16);
        BUILDER.at(4).embed(SmInfo.LAYOUT, 2);
    }

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(25);

    /** The attribute. */
    public static final AttributeType<SmInfoRecord> TYPE = new AttributeType<>(0x18, LAYOUT, SmInfoRecord::new);

    /** Lays it over bytes, without copying. */
    public SmInfoRecord(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Returns SMInfo, over the same bytes. */
    public SmInfo smInfo() {
        return new SmInfo(array(), offset() + 4);
    }
}
