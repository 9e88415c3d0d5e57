package org.railyard.mad.sa;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** A multicast group and a member of it (spec 40 §5.3). */
public final class McMemberRecord extends BitStruct<McMemberRecord> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("MCMemberRecord");

    public static final BitField MGID = BUILDER.mask(0).at(0).gid("MGID");

    public static final BitField PORT_GID = BUILDER.mask(1).gid("PortGID");

    public static final BitField Q_KEY = BUILDER.mask(2).at(32).hex("Q_Key", 32);

    public static final BitField MLID = BUILDER.mask(3).hex("MLID", 16);

    public static final BitField MTU_SELECTOR = BUILDER.mask(4).at(38).number("MtuSelector", 2);

    public static final BitField MTU = BUILDER.mask(5).number("Mtu", 6);

    public static final BitField TCLASS = BUILDER.mask(6).number("TClass", 8);

    public static final BitField P_KEY = BUILDER.mask(7).at(40).hex("P_Key", 16);

    public static final BitField RATE_SELECTOR = BUILDER.mask(8).number("RateSelector", 2);

    public static final BitField RATE = BUILDER.mask(9).number("Rate", 6);

    public static final BitField LIFE_SELECTOR = BUILDER.mask(10).number("PacketLifeTimeSelector", 2);

    public static final BitField LIFE = BUILDER.mask(11).number("PacketLifeTime", 6);

    public static final BitField SL = BUILDER.mask(12).at(44).number("SL", 4);

    public static final BitField FLOW_LABEL = BUILDER.mask(13).hex("FlowLabel", 20);

    public static final BitField HOP_LIMIT = BUILDER.mask(14).number("HopLimit", 8);

    public static final BitField SCOPE = BUILDER.mask(15).at(48).number("Scope", 4);

    /** Bits, see the constants. */
    public static final BitField JOIN_STATE = BUILDER.mask(16).hex("JoinState", 4);

    public static final BitField PROXY_JOIN = BUILDER.mask(17).flag("ProxyJoin");

    static {
        BUILDER.reserved(23);
    }

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(52);

    /** The attribute. */
    public static final AttributeType<McMemberRecord> TYPE = new AttributeType<>(0x38, LAYOUT, McMemberRecord::new);

    /** Lays it over bytes, without copying. */
    public McMemberRecord(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Bit of {@link #JOIN_STATE}: sends and receives. */
    public static final int FULL_MEMBER = 1;

    /** Bit of {@link #JOIN_STATE}: receives and sends, but does not keep the group alive. */
    public static final int NON_MEMBER = 2;

    /** Bit of {@link #JOIN_STATE}: only sends, and does not keep the group alive. */
    public static final int SEND_ONLY_NON_MEMBER = 4;

    /** Bit of {@link #JOIN_STATE}: only sends. */
    public static final int SEND_ONLY_FULL_MEMBER = 8;
}
