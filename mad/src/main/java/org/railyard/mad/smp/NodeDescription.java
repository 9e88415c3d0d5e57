package org.railyard.mad.smp;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** The name of a node; anything may be in it (spec 40 §2.3). */
public final class NodeDescription extends BitStruct<NodeDescription> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("NodeDescription");

    /** ISO 8859-1, padded with NULs. */
    public static final BitField TEXT = BUILDER.text("NodeDescription", 64);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(64);

    /** The attribute. */
    public static final AttributeType<NodeDescription> TYPE = new AttributeType<>(0x10, LAYOUT, NodeDescription::new);

    /** Lays it over bytes, without copying. */
    public NodeDescription(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Returns the name as it was received. */
    public String text() {
        return getText(TEXT);
    }
}
