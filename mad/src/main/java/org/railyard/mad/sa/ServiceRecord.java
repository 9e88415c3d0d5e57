package org.railyard.mad.sa;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/** A service that somebody registered (spec 40 §5). */
public final class ServiceRecord extends BitStruct<ServiceRecord> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("ServiceRecord");

    public static final BitField SERVICE_ID = BUILDER.mask(0).at(0).hex("ServiceID", 64);

    public static final BitField GID = BUILDER.mask(1).at(8).gid("ServiceGID");

    public static final BitField P_KEY = BUILDER.mask(2).at(24).hex("ServiceP_Key", 16);

    static {
        BUILDER.reserved(16);
    }

    /** Seconds; 0xFFFFFFFF for ever. */
    public static final BitField LEASE = BUILDER.mask(4).at(28).number("ServiceLease", 32);

    /** The upper half of the key. */
    public static final BitField KEY_HIGH = BUILDER.mask(5).at(32).hex("ServiceKeyHigh", 64);

    /** Its lower half: one bit of the component mask asks for both. */
    public static final BitField KEY_LOW = BUILDER.mask(5).hex("ServiceKeyLow", 64);

    public static final BitField NAME = BUILDER.mask(6).at(48).text("ServiceName", 64);

    /** Each element has a bit of the component mask. */
    public static final BitField DATA8 = BUILDER.mask(7).at(112).hexes("ServiceData8", 8, 16);

    /** Each element has a bit of the component mask. */
    public static final BitField DATA16 = BUILDER.mask(23).at(128).hexes("ServiceData16", 16, 8);

    /** Each element has a bit of the component mask. */
    public static final BitField DATA32 = BUILDER.mask(31).at(144).hexes("ServiceData32", 32, 4);

    /** Each element has a bit of the component mask. */
    public static final BitField DATA64 = BUILDER.mask(35).at(160).hexes("ServiceData64", 64, 2);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(176);

    /** The attribute. */
    public static final AttributeType<ServiceRecord> TYPE = new AttributeType<>(0x31, LAYOUT, ServiceRecord::new);

    /** Lays it over bytes, without copying. */
    public ServiceRecord(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }
}
