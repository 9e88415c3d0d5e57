package org.railyard.mad.sa;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.smp.NodeDescription;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.wire.AttributeType;

/** A node as the SA knows it (spec 40 §5). */
public final class NodeRecord extends BitStruct<NodeRecord> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("NodeRecord");

    public static final BitField LID = BUILDER.mask(0).at(0).number("LID", 16);

    static {
        BUILDER.reserved(16);
        BUILDER.at(4).embed(NodeInfo.LAYOUT, 2);
        BUILDER.at(44).embed(NodeDescription.LAYOUT, 14);
    }

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(108);

    /** The attribute. */
    public static final AttributeType<NodeRecord> TYPE = new AttributeType<>(0x11, LAYOUT, NodeRecord::new);

    /** Lays it over bytes, without copying. */
    public NodeRecord(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Returns NodeInfo, over the same bytes. */
    public NodeInfo nodeInfo() {
        return new NodeInfo(array(), offset() + 4);
    }

    /** Returns NodeDescription, over the same bytes. */
    public NodeDescription nodeDescription() {
        return new NodeDescription(array(), offset() + 44);
    }
}
