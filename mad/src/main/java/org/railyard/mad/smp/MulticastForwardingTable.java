package org.railyard.mad.smp;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** A block of the multicast forwarding table of a switch (spec 40 §2.3). */
public final class MulticastForwardingTable extends BitStruct<MulticastForwardingTable> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("MulticastForwardingTable");

    /** By multicast LID within the block; bit b is port 16 · position + b. */
    public static final BitField MASKS = BUILDER.hexes("PortMask", 16, 32);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(64);

    /** The attribute. */
    public static final AttributeType<MulticastForwardingTable> TYPE =
            new AttributeType<>(0x1B, LAYOUT, MulticastForwardingTable::new);

    /** Lays it over bytes, without copying. */
    public MulticastForwardingTable(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Multicast LIDs of a block. */
    public static final int BLOCK = 32;

    /** Ports of a position. */
    public static final int PORTS = 16;
}
