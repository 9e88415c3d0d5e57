package org.railyard.mad.sa;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** A subscription to notices (spec 40 §5.4). */
public final class InformInfo extends BitStruct<InformInfo> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("InformInfo");

    /** Who is listened to; 0 = see the range of LIDs. */
    public static final BitField GID = BUILDER.at(0).gid("GID");

    /** 0xFFFF for all. */
    public static final BitField LID_BEGIN = BUILDER.at(16).number("LIDRangeBegin", 16);

    public static final BitField LID_END = BUILDER.number("LIDRangeEnd", 16);

    static {
        BUILDER.reserved(16);
    }

    /** 0xFF for both. */
    public static final BitField IS_GENERIC = BUILDER.at(22).number("IsGeneric", 8);

    /** 1 subscribes, 0 ends it. */
    public static final BitField SUBSCRIBE = BUILDER.number("Subscribe", 8);

    /** 0xFFFF for all. */
    public static final BitField TYPE_CODE = BUILDER.at(24).number("Type", 16);

    /** 0xFFFF for all. */
    public static final BitField TRAP_NUMBER = BUILDER.number("TrapNumber", 16);

    /** Of the subscriber; 0 for QP 1 when subscribing. */
    public static final BitField QPN = BUILDER.at(28).number("QPN", 24);

    static {
        BUILDER.reserved(3);
    }

    /** 4.096 µs · 2^n. */
    public static final BitField RESPONSE_TIME = BUILDER.number("RespTimeValue", 5);

    static {
        BUILDER.reserved(8);
    }

    /** 0xFFFFFF for all. */
    public static final BitField PRODUCER_TYPE = BUILDER.at(33).number("ProducerType", 24);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(36);

    /** The attribute. */
    public static final AttributeType<InformInfo> TYPE = new AttributeType<>(0x03, LAYOUT, InformInfo::new);

    /** Lays it over bytes, without copying. */
    public InformInfo(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }
}
