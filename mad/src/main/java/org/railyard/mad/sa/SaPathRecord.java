package org.railyard.mad.sa;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** A path between two ports, asked for and answered (spec 40 §5.1). */
public final class SaPathRecord extends BitStruct<SaPathRecord> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("PathRecord");

    public static final BitField SERVICE_ID = BUILDER.mask(0, 1).at(0).hex("ServiceID", 64);

    public static final BitField DGID = BUILDER.mask(2).at(8).gid("DGID");

    public static final BitField SGID = BUILDER.mask(3).at(24).gid("SGID");

    public static final BitField DLID = BUILDER.mask(4).at(40).number("DLID", 16);

    public static final BitField SLID = BUILDER.mask(5).number("SLID", 16);

    public static final BitField RAW_TRAFFIC = BUILDER.mask(6).at(44).flag("RawTraffic");

    static {
        BUILDER.reserved(3);
    }

    public static final BitField FLOW_LABEL = BUILDER.mask(8).hex("FlowLabel", 20);

    public static final BitField HOP_LIMIT = BUILDER.mask(9).number("HopLimit", 8);

    public static final BitField TCLASS = BUILDER.mask(10).at(48).number("TClass", 8);

    public static final BitField REVERSIBLE = BUILDER.mask(11).flag("Reversible");

    public static final BitField NUMB_PATH = BUILDER.mask(12).number("NumbPath", 7);

    public static final BitField P_KEY = BUILDER.mask(13).at(50).hex("P_Key", 16);

    public static final BitField QOS_CLASS = BUILDER.mask(14).number("QoSClass", 12);

    public static final BitField SL = BUILDER.mask(15).number("SL", 4);

    /** See {@link SaSelector}. */
    public static final BitField MTU_SELECTOR = BUILDER.mask(16).at(54).number("MtuSelector", 2);

    public static final BitField MTU = BUILDER.mask(17).number("Mtu", 6);

    public static final BitField RATE_SELECTOR = BUILDER.mask(18).number("RateSelector", 2);

    /** See {@link LinkRateCode}. */
    public static final BitField RATE = BUILDER.mask(19).number("Rate", 6);

    public static final BitField LIFE_SELECTOR = BUILDER.mask(20).number("PacketLifeTimeSelector", 2);

    /** 4.096 µs · 2^n. */
    public static final BitField LIFE = BUILDER.mask(21).number("PacketLifeTime", 6);

    /** 0 is best. */
    public static final BitField PREFERENCE = BUILDER.number("Preference", 8);

    static {
        BUILDER.reserved(48);
    }

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(64);

    /** The attribute. */
    public static final AttributeType<SaPathRecord> TYPE = new AttributeType<>(0x35, LAYOUT, SaPathRecord::new);

    /** Lays it over bytes, without copying. */
    public SaPathRecord(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }
}
