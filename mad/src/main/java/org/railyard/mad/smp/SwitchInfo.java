package org.railyard.mad.smp;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** What a switch can do, and its forwarding (spec 40 §2.3). */
public final class SwitchInfo extends BitStruct<SwitchInfo> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("SwitchInfo");

    /** Entries of the LFT. */
    public static final BitField LINEAR_CAP = BUILDER.at(0).number("LinearFDBCap", 16);

    public static final BitField RANDOM_CAP = BUILDER.number("RandomFDBCap", 16);

    /** Entries of the MFT. */
    public static final BitField MULTICAST_CAP = BUILDER.number("MulticastFDBCap", 16);

    /** The highest LID that is looked up. */
    public static final BitField LINEAR_TOP = BUILDER.at(6).number("LinearFDBTop", 16);

    public static final BitField DEFAULT_PORT = BUILDER.number("DefaultPort", 8);

    public static final BitField DEFAULT_MULTICAST_PRIMARY = BUILDER.number("DefaultMulticastPrimaryPort", 8);

    public static final BitField DEFAULT_MULTICAST_NOT_PRIMARY = BUILDER.number("DefaultMulticastNotPrimaryPort", 8);

    /** 4.096 µs · 2^n; above 19 infinite. */
    public static final BitField LIFE_TIME = BUILDER.at(11).number("LifeTimeValue", 5);

    /** Set by the switch when a port changed by itself; a Set with 1 clears it. */
    public static final BitField STATE_CHANGE = BUILDER.flag("PortStateChange");

    public static final BitField OPTIMIZED_SL2VL = BUILDER.number("OptimizedSLtoVLProgramming", 2);

    public static final BitField LIDS_PER_PORT = BUILDER.at(12).number("LIDsPerPort", 16);

    /** Entries of the P_Key table of an external port. */
    public static final BitField ENFORCEMENT_CAP = BUILDER.number("PartitionEnforcementCap", 16);

    public static final BitField INBOUND_ENFORCEMENT = BUILDER.at(16).flag("InboundEnforcementCap");

    public static final BitField OUTBOUND_ENFORCEMENT = BUILDER.flag("OutboundEnforcementCap");

    public static final BitField FILTER_RAW_INBOUND = BUILDER.flag("FilterRawInboundCap");

    public static final BitField FILTER_RAW_OUTBOUND = BUILDER.flag("FilterRawOutboundCap");

    /** Port 0 is one for data as well. */
    public static final BitField ENHANCED_PORT0 = BUILDER.flag("EnhancedPort0");

    static {
        BUILDER.reserved(3);
        BUILDER.reserved(8);
    }

    /** The highest multicast LID that is looked up, where it is supported. */
    public static final BitField MULTICAST_TOP = BUILDER.at(18).number("MulticastFDBTop", 16);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(20);

    /** The attribute. */
    public static final AttributeType<SwitchInfo> TYPE = new AttributeType<>(0x12, LAYOUT, SwitchInfo::new);

    /** Lays it over bytes, without copying. */
    public SwitchInfo(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }
}
