package org.railyard.mad.smp;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** A block of a VL arbitration table (spec 40 §2.3). */
public final class VlArbitrationTable extends BitStruct<VlArbitrationTable> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("VLArbitrationTable");

    /** The VL of each entry. */
    public static final BitField VLS = BUILDER.column("VL", 4, 4, 32, 16);

    /** The weight of each entry, units of 64 bytes; 0 = the entry is skipped. */
    public static final BitField WEIGHTS = BUILDER.column("Weight", 8, 8, 32, 16);

    static {
        BUILDER.reserved(512);
    }

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(64);

    /** The attribute. */
    public static final AttributeType<VlArbitrationTable> TYPE =
            new AttributeType<>(0x18, LAYOUT, VlArbitrationTable::new);

    /** Lays it over bytes, without copying. */
    public VlArbitrationTable(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Entries of a block. */
    public static final int BLOCK = 32;
}
