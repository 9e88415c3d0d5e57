package org.railyard.mad.sa;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** The fixed part of a query for paths between groups of ports; GIDs follow (spec 40 §5.2). */
public final class MultiPathRecord extends BitStruct<MultiPathRecord> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("MultiPathRecord");

    public static final BitField RAW_TRAFFIC = BUILDER.mask(0).at(0).flag("RawTraffic");

    static {
        BUILDER.reserved(3);
    }

    public static final BitField FLOW_LABEL = BUILDER.mask(2).hex("FlowLabel", 20);

    public static final BitField HOP_LIMIT = BUILDER.mask(3).number("HopLimit", 8);

    public static final BitField TCLASS = BUILDER.mask(4).at(4).number("TClass", 8);

    public static final BitField REVERSIBLE = BUILDER.mask(5).flag("Reversible");

    public static final BitField NUMB_PATH = BUILDER.mask(6).number("NumbPath", 7);

    public static final BitField P_KEY = BUILDER.mask(7).at(6).hex("P_Key", 16);

    public static final BitField QOS_CLASS = BUILDER.mask(8).number("QoSClass", 12);

    public static final BitField SL = BUILDER.mask(9).number("SL", 4);

    public static final BitField MTU_SELECTOR = BUILDER.mask(10).at(10).number("MtuSelector", 2);

    public static final BitField MTU = BUILDER.mask(11).number("Mtu", 6);

    public static final BitField RATE_SELECTOR = BUILDER.mask(12).number("RateSelector", 2);

    public static final BitField RATE = BUILDER.mask(13).number("Rate", 6);

    public static final BitField LIFE_SELECTOR = BUILDER.mask(14).number("PacketLifeTimeSelector", 2);

    public static final BitField LIFE = BUILDER.mask(15).number("PacketLifeTime", 6);

    public static final BitField SERVICE_ID_HIGH = BUILDER.mask(16).at(13).hex("ServiceID8", 8);

    public static final BitField INDEPENDENCE = BUILDER.mask(17).number("IndependenceSelector", 2);

    static {
        BUILDER.reserved(6);
    }

    public static final BitField SGID_COUNT = BUILDER.mask(19).at(15).number("SGIDCount", 8);

    public static final BitField DGID_COUNT = BUILDER.mask(20).number("DGIDCount", 8);

    public static final BitField SERVICE_ID_LOW = BUILDER.mask(21).at(17).hex("ServiceID56", 56);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(24);

    /** The attribute. */
    public static final AttributeType<MultiPathRecord> TYPE = new AttributeType<>(0x3A, LAYOUT, MultiPathRecord::new);

    /** Lays it over bytes, without copying. */
    public MultiPathRecord(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }

    /** Bytes of one GID behind the record. */
    public static final int GID_BYTES = 16;

    /**
     * Returns a GID behind the record: first those of sources, then those of destinations.
     *
     * @throws IndexOutOfBoundsException if its bytes are not all there
     */
    public Gid gid(int index) {
        return new GidEntry(array(), offset() + LAYOUT.size() + index * GID_BYTES).getGid(GidEntry.GID);
    }

    /**
     * Writes a GID behind the record.
     *
     * @throws IndexOutOfBoundsException if its bytes are not all there
     */
    public MultiPathRecord setGid(int index, Gid gid) {
        new GidEntry(array(), offset() + LAYOUT.size() + index * GID_BYTES).setGid(GidEntry.GID, gid);
        return this;
    }

    /** One GID of the list. */
    private static final class GidEntry extends BitStruct<GidEntry> {
        private static final LayoutBuilder BUILDER = new LayoutBuilder("GID");
        private static final BitField GID = BUILDER.gid("GID");
        private static final BitLayout LAYOUT = BUILDER.build(GID_BYTES);

        GidEntry(byte[] bytes, int offset) {
            super(LAYOUT, bytes, offset);
        }
    }
}
