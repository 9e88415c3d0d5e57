package org.railyard.mad.smp;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** A block of P_Keys (spec 40 §2.3). */
public final class PKeyTable extends BitStruct<PKeyTable> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("P_KeyTable");

    /** 32 keys; the topmost bit means full member, 0 an empty entry. */
    public static final BitField KEYS = BUILDER.hexes("P_Key", 16, 32);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(64);

    /** The attribute. */
    public static final AttributeType<PKeyTable> TYPE = new AttributeType<>(0x16, LAYOUT, PKeyTable::new);

    /** Lays it over bytes, without copying. */
    public PKeyTable(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** P_Keys of a block. */
    public static final int BLOCK = 32;

    /** The key of the default partition, as full member. */
    public static final int DEFAULT_KEY = 0xFFFF;
}
