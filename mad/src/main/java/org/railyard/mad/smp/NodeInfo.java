package org.railyard.mad.smp;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** What a node is, and the port that the SMP came in by (spec 40 §2.3). */
public final class NodeInfo extends BitStruct<NodeInfo> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("NodeInfo");

    /** 1. */
    public static final BitField BASE_VERSION = BUILDER.at(0).number("BaseVersion", 8);

    /** 1. */
    public static final BitField CLASS_VERSION = BUILDER.number("ClassVersion", 8);

    /** {@link #CA}, {@link #SWITCH} or {@link #ROUTER}. */
    public static final BitField NODE_TYPE = BUILDER.choice("NodeType", 8, "none", "CA", "switch", "router");

    /** External ports. */
    public static final BitField NUM_PORTS = BUILDER.number("NumPorts", 8);

    /** The same for all nodes of a system. */
    public static final BitField SYSTEM_IMAGE_GUID = BUILDER.at(4).hex("SystemImageGUID", 64);

    /** The GUID of the node. */
    public static final BitField NODE_GUID = BUILDER.hex("NodeGUID", 64);

    /** The GUID of the port; of a switch that of port 0. */
    public static final BitField PORT_GUID = BUILDER.hex("PortGUID", 64);

    /** Entries of the P_Key table. */
    public static final BitField PARTITION_CAP = BUILDER.at(28).number("PartitionCap", 16);

    public static final BitField DEVICE_ID = BUILDER.hex("DeviceID", 16);

    public static final BitField REVISION = BUILDER.hex("Revision", 32);

    /** The port that the SMP came in by. */
    public static final BitField LOCAL_PORT = BUILDER.at(36).number("LocalPortNum", 8);

    public static final BitField VENDOR_ID = BUILDER.hex("VendorID", 24);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(40);

    /** The attribute. */
    public static final AttributeType<NodeInfo> TYPE = new AttributeType<>(0x11, LAYOUT, NodeInfo::new);

    /** Lays it over bytes, without copying. */
    public NodeInfo(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Value of {@link #NODE_TYPE}: a channel adapter. */
    public static final int CA = 1;

    /** Value of {@link #NODE_TYPE}: a switch. */
    public static final int SWITCH = 2;

    /** Value of {@link #NODE_TYPE}: a router. */
    public static final int ROUTER = 3;

    /** Tells whether the node says that it is a switch. */
    public boolean isSwitch() {
        return getInt(NODE_TYPE) == SWITCH;
    }
}
