package org.railyard.mad.perf;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/**
 * Traffic of a port in counters of 64 bits (InfiniBand Architecture Specification, volume 1, chapter 16); not all
 * agents have it. Data are counted in units of 4 bytes.
 */
public final class PortCountersExtended extends BitStruct<PortCountersExtended> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("PortCountersExtended");

    static {
        BUILDER.reserved(8);
    }

    /** Which port is asked for. */
    public static final BitField PORT_SELECT = BUILDER.at(1).number("PortSelect", 8);

    /** Which counters a Set writes. */
    public static final BitField COUNTER_SELECT = BUILDER.at(2).hex("CounterSelect", 16);

    static {
        BUILDER.at(4).reserved(32);
    }

    public static final BitField SENT_DATA = BUILDER.at(8).number("PortXmitData", 64);

    public static final BitField RECEIVED_DATA = BUILDER.number("PortRcvData", 64);

    public static final BitField SENT_PACKETS = BUILDER.number("PortXmitPkts", 64);

    public static final BitField RECEIVED_PACKETS = BUILDER.number("PortRcvPkts", 64);

    public static final BitField SENT_UNICAST = BUILDER.at(40).number("PortUnicastXmitPkts", 64);

    public static final BitField RECEIVED_UNICAST = BUILDER.number("PortUnicastRcvPkts", 64);

    public static final BitField SENT_MULTICAST = BUILDER.number("PortMulticastXmitPkts", 64);

    public static final BitField RECEIVED_MULTICAST = BUILDER.number("PortMulticastRcvPkts", 64);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(72);

    /** The attribute. */
    public static final AttributeType<PortCountersExtended> TYPE =
            new AttributeType<>(0x1D, LAYOUT, PortCountersExtended::new);

    /** Lays it over bytes, without copying. */
    public PortCountersExtended(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }
}
