package org.railyard.mad.wire;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;

/** What a LID-routed SMP has beside the common header and the attribute (spec 40 §2.1). */
public final class LidRoute extends BitStruct<LidRoute> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("LidRoute");

    static {
        BUILDER.reserved(Mad.HEADER * Byte.SIZE);
    }

    /** The key of the port it is for. */
    public static final BitField M_KEY = BUILDER.at(24).hex("M_Key", 64);

    static {
        BUILDER.reserved((Mad.SIZE - 32) * Byte.SIZE);
    }

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(Mad.SIZE);

    /** Lays it over a MAD. */
    public LidRoute(byte[] bytes) {
        super(LAYOUT, bytes, 0);
    }
}
