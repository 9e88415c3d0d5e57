package org.railyard.mad.sa;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** What an agent of a class can do and where it is (spec 40 §5). */
public final class ClassPortInfo extends BitStruct<ClassPortInfo> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("ClassPortInfo");

    public static final BitField BASE_VERSION = BUILDER.at(0).number("BaseVersion", 8);

    public static final BitField CLASS_VERSION = BUILDER.number("ClassVersion", 8);

    /** See the constants {@code CAP_…}. */
    public static final BitField CAPABILITY_MASK = BUILDER.hex("CapabilityMask", 16);

    /** See the constants {@code CAP2_…}. */
    public static final BitField CAPABILITY_MASK2 = BUILDER.at(4).hex("CapabilityMask2", 27);

    /** 4.096 µs · 2^n. */
    public static final BitField RESPONSE_TIME = BUILDER.number("RespTimeValue", 5);

    public static final BitField REDIRECT_GID = BUILDER.at(8).gid("RedirectGID");

    public static final BitField REDIRECT_TCLASS = BUILDER.number("RedirectTC", 8);

    public static final BitField REDIRECT_SL = BUILDER.number("RedirectSL", 4);

    public static final BitField REDIRECT_FLOW_LABEL = BUILDER.hex("RedirectFL", 20);

    public static final BitField REDIRECT_LID = BUILDER.at(28).number("RedirectLID", 16);

    public static final BitField REDIRECT_P_KEY = BUILDER.hex("RedirectP_Key", 16);

    static {
        BUILDER.reserved(8);
    }

    public static final BitField REDIRECT_QP = BUILDER.at(33).number("RedirectQP", 24);

    public static final BitField REDIRECT_Q_KEY = BUILDER.hex("RedirectQ_Key", 32);

    public static final BitField TRAP_GID = BUILDER.at(40).gid("TrapGID");

    public static final BitField TRAP_TCLASS = BUILDER.number("TrapTC", 8);

    public static final BitField TRAP_SL = BUILDER.number("TrapSL", 4);

    public static final BitField TRAP_FLOW_LABEL = BUILDER.hex("TrapFL", 20);

    public static final BitField TRAP_LID = BUILDER.at(60).number("TrapLID", 16);

    public static final BitField TRAP_P_KEY = BUILDER.hex("TrapP_Key", 16);

    public static final BitField TRAP_HOP_LIMIT = BUILDER.at(64).number("TrapHL", 8);

    public static final BitField TRAP_QP = BUILDER.number("TrapQP", 24);

    public static final BitField TRAP_Q_KEY = BUILDER.at(68).hex("TrapQ_Key", 32);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(72);

    /** The attribute. */
    public static final AttributeType<ClassPortInfo> TYPE = new AttributeType<>(0x01, LAYOUT, ClassPortInfo::new);

    /** Lays it over bytes, without copying. */
    public ClassPortInfo(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Bit of {@link #CAPABILITY_MASK}: Get and Set of Notice. */
    public static final int CAP_NOTICE = 1 << 1;

    /** Bit of {@link #CAPABILITY_MASK}: multicast groups. */
    public static final int CAP_MULTICAST = 1 << 9;

    /** Bit of {@link #CAPABILITY_MASK}: MultiPathRecord. */
    public static final int CAP_MULTIPATH = 1 << 10;

    /** Bit of {@link #CAPABILITY_MASK}: PortInfoRecords by bits of their CapabilityMask. */
    public static final int CAP_PORT_MASK_MATCH = 1 << 13;

    /** Bit of {@link #CAPABILITY_MASK2}: MulticastFDBTop in SwitchInfoRecords. */
    public static final int CAP2_MULTICAST_TOP = 1 << 3;

    /** Bit of {@link #CAPABILITY_MASK2}: Set and Delete of GUIDInfoRecord. */
    public static final int CAP2_ADDITIONAL_GUIDS = 1 << 5;

    /** Bit of {@link #CAPABILITY_MASK2}: rates of links with extended speeds. */
    public static final int CAP2_EXTENDED_SPEEDS = 1 << 7;

    /** Bit of {@link #CAPABILITY_MASK2}: send-only full members of multicast groups. */
    public static final int CAP2_SEND_ONLY_FULL_MEMBER = 1 << 12;
}
