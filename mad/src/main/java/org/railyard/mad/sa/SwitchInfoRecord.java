package org.railyard.mad.sa;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.wire.AttributeType;

/** SwitchInfo as the SA knows it (spec 40 §5). */
public final class SwitchInfoRecord extends BitStruct<SwitchInfoRecord> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("SwitchInfoRecord");

    public static final BitField LID = BUILDER.mask(0).at(0).number("LID", 16);

    static {
        BUILDER.reserved(16);
        BUILDER.at(4).embed(SwitchInfo.LAYOUT);
    }

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(24);

    /** The attribute. */
    public static final AttributeType<SwitchInfoRecord> TYPE = new AttributeType<>(0x14, LAYOUT, SwitchInfoRecord::new);

    /** Lays it over bytes, without copying. */
    public SwitchInfoRecord(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Returns SwitchInfo, over the same bytes. */
    public SwitchInfo switchInfo() {
        return new SwitchInfo(array(), offset() + 4);
    }
}
