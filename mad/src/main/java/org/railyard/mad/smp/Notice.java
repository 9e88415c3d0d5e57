package org.railyard.mad.smp;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** A notice as SMPs carry it: the content of a trap (spec 40 §3). */
public final class Notice extends BitStruct<Notice> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("Notice");

    /** 1 for the notices that the architecture defines. */
    public static final BitField IS_GENERIC = BUILDER.at(0).flag("IsGeneric");

    public static final BitField TYPE_CODE =
            BUILDER.choice("Type", 7, "fatal", "urgent", "security", "subnet management", "informational");

    /** 1 CA, 2 switch, 3 router, 4 subnet management; or the vendor. */
    public static final BitField PRODUCER_TYPE = BUILDER.number("ProducerType", 24);

    /** See the constants. */
    public static final BitField TRAP_NUMBER = BUILDER.at(4).number("TrapNumber", 16);

    public static final BitField ISSUER_LID = BUILDER.number("IssuerLID", 16);

    public static final BitField TOGGLE = BUILDER.at(8).flag("NoticeToggle");

    public static final BitField COUNT = BUILDER.number("NoticeCount", 15);

    /** Laid out by trap: see {@link TrapDetails}. */
    public static final BitField DETAILS = BUILDER.at(10).hexes("DataDetails", 8, 54);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(64);

    /** The attribute. */
    public static final AttributeType<Notice> TYPE = new AttributeType<>(0x02, LAYOUT, Notice::new);

    /** Lays it over bytes, without copying. */
    public Notice(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Trap: an end port is in service. */
    public static final int IN_SERVICE = 64;

    /** Trap: an end port is out of service. */
    public static final int OUT_OF_SERVICE = 65;

    /** Trap: a multicast group was created. */
    public static final int GROUP_CREATED = 66;

    /** Trap: a multicast group was deleted. */
    public static final int GROUP_DELETED = 67;

    /** Trap: a port of the switch changed its state. */
    public static final int LINK_STATE = 128;

    /** Trap: too many symbol errors on a link. */
    public static final int LINK_INTEGRITY = 129;

    /** Trap: a buffer overran. */
    public static final int BUFFER_OVERRUN = 130;

    /** Trap: no flow-control packets. */
    public static final int FLOW_CONTROL = 131;

    /** Trap: capability mask, description or something else changed. */
    public static final int LOCAL_CHANGES = 144;

    /** Trap: the system image GUID changed. */
    public static final int SYSTEM_IMAGE_GUID = 145;

    /** Trap: an SMP with a wrong M_Key came in. */
    public static final int BAD_M_KEY = 256;

    /** Trap: a packet with a wrong P_Key came in. */
    public static final int BAD_P_KEY = 257;

    /** Trap: a packet with a wrong Q_Key came in. */
    public static final int BAD_Q_KEY = 258;

    /** Trap: a switch port saw a packet with a wrong P_Key. */
    public static final int SWITCH_BAD_P_KEY = 259;

    /** Value of {@link #PRODUCER_TYPE}: a channel adapter. */
    public static final int FROM_CA = 1;

    /** Value of {@link #PRODUCER_TYPE}: a switch. */
    public static final int FROM_SWITCH = 2;

    /** Value of {@link #PRODUCER_TYPE}: subnet management. */
    public static final int FROM_SUBNET_MANAGEMENT = 4;

    /** Returns the details as this kind of notice lays them out, over the same bytes. */
    public TrapDetails details() {
        return TrapDetails.of(getInt(TRAP_NUMBER), array(), offset());
    }
}
