package org.railyard.mad.smp;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** A block of the forwarding table of a switch (spec 40 §2.3). */
public final class LinearForwardingTable extends BitStruct<LinearForwardingTable> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("LinearForwardingTable");

    /** By LID within the block; 0 the management port, 255 no path. */
    public static final BitField PORTS = BUILDER.numbers("Port", 8, 64);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(64);

    /** The attribute. */
    public static final AttributeType<LinearForwardingTable> TYPE =
            new AttributeType<>(0x19, LAYOUT, LinearForwardingTable::new);

    /** Lays it over bytes, without copying. */
    public LinearForwardingTable(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** LIDs of a block. */
    public static final int BLOCK = 64;

    /** The entry of a LID without path. */
    public static final int NO_PATH = 255;
}
