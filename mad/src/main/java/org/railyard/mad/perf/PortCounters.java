package org.railyard.mad.perf;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;
import org.railyard.mad.wire.AttributeType;

/**
 * Errors and traffic of a port (InfiniBand Architecture Specification, volume 1, chapter 16). Each counter stays at
 * its largest value once it is there, until somebody clears it. Data are counted in units of 4 bytes.
 */
public final class PortCounters extends BitStruct<PortCounters> {
    private static final LayoutBuilder BUILDER = new LayoutBuilder("PortCounters");

    static {
        BUILDER.reserved(8);
    }

    /** Which port is asked for; 255 is the sum of all, where that is supported. */
    public static final BitField PORT_SELECT = BUILDER.at(1).number("PortSelect", 8);

    /** Which counters a Set writes. */
    public static final BitField COUNTER_SELECT = BUILDER.at(2).hex("CounterSelect", 16);

    public static final BitField SYMBOL_ERRORS = BUILDER.at(4).number("SymbolErrorCounter", 16);

    public static final BitField LINK_RECOVERIES = BUILDER.number("LinkErrorRecoveryCounter", 8);

    /** How often link error recovery failed and the link went down. */
    public static final BitField LINK_DOWNED = BUILDER.number("LinkDownedCounter", 8);

    public static final BitField RECEIVE_ERRORS = BUILDER.at(8).number("PortRcvErrors", 16);

    public static final BitField REMOTE_PHYSICAL_ERRORS = BUILDER.number("PortRcvRemotePhysicalErrors", 16);

    public static final BitField SWITCH_RELAY_ERRORS = BUILDER.number("PortRcvSwitchRelayErrors", 16);

    /** Packets that the port did not send, because it was down or they had waited too long. */
    public static final BitField TRANSMIT_DISCARDS = BUILDER.number("PortXmitDiscards", 16);

    public static final BitField TRANSMIT_CONSTRAINT_ERRORS = BUILDER.at(16).number("PortXmitConstraintErrors", 8);

    public static final BitField RECEIVE_CONSTRAINT_ERRORS = BUILDER.number("PortRcvConstraintErrors", 8);

    /** Which further counters a Set writes. */
    public static final BitField COUNTER_SELECT2 = BUILDER.hex("CounterSelect2", 8);

    public static final BitField LINK_INTEGRITY_ERRORS = BUILDER.number("LocalLinkIntegrityErrors", 4);

    public static final BitField BUFFER_OVERRUNS = BUILDER.number("ExcessiveBufferOverrunErrors", 4);

    static {
        BUILDER.at(20).reserved(16);
    }

    public static final BitField VL15_DROPPED = BUILDER.at(22).number("VL15Dropped", 16);

    public static final BitField SENT_DATA = BUILDER.at(24).number("PortXmitData", 32);

    public static final BitField RECEIVED_DATA = BUILDER.number("PortRcvData", 32);

    public static final BitField SENT_PACKETS = BUILDER.number("PortXmitPkts", 32);

    public static final BitField RECEIVED_PACKETS = BUILDER.number("PortRcvPkts", 32);

    /** Ticks in which the port had something to send and sent nothing; how long one is, the device decides. */
    public static final BitField TRANSMIT_WAIT = BUILDER.at(40).number("PortXmitWait", 32);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(44);

    /** The attribute. */
    public static final AttributeType<PortCounters> TYPE = new AttributeType<>(0x12, LAYOUT, PortCounters::new);

    /** Lays it over bytes, without copying. */
    public PortCounters(byte[] bytes, int offset) {
        super(LAYOUT, bytes, offset);
    }
}
