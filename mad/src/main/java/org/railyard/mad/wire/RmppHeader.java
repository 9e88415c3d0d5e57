package org.railyard.mad.wire;

import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitLayout;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.LayoutBuilder;

/** The header of the reliable multi-packet protocol, in MADs of the SA (spec 40 §4). */
public final class RmppHeader extends BitStruct<RmppHeader> {
    /** Type of a segment with data. */
    public static final int DATA = 1;

    /** Type that acknowledges segments. */
    public static final int ACK = 2;

    /** Type that ends a transfer for lack of resources. */
    public static final int STOP = 3;

    /** Type that ends a transfer after an error. */
    public static final int ABORT = 4;

    /** Flag: this MAD has an RMPP header. */
    public static final int FLAG_ACTIVE = 1;

    /** Flag: the first segment. */
    public static final int FLAG_FIRST = 2;

    /** Flag: the last segment. */
    public static final int FLAG_LAST = 4;

    /** Response time of those who tell none. */
    public static final int NO_RESPONSE_TIME = 31;

    private static final LayoutBuilder BUILDER = new LayoutBuilder("RMPP");

    /** 1 where RMPP is used, else 0. */
    public static final BitField VERSION = BUILDER.at(0).number("RMPPVersion", 8);

    /** {@link #DATA}, {@link #ACK}, {@link #STOP} or {@link #ABORT}. */
    public static final BitField TYPE = BUILDER.choice("RMPPType", 8, "none", "DATA", "ACK", "STOP", "ABORT");

    /** Time that the sender may need to answer, 4.096 µs · 2^n; {@link #NO_RESPONSE_TIME} for none. */
    public static final BitField RESPONSE_TIME = BUILDER.number("RRespTime", 5);

    /** {@link #FLAG_ACTIVE}, {@link #FLAG_FIRST}, {@link #FLAG_LAST}. */
    public static final BitField FLAGS = BUILDER.number("RMPPFlags", 3);

    /** Why a transfer ends. */
    public static final BitField STATUS = BUILDER.number("RMPPStatus", 8);

    /** Number of a segment, from 1; in an ACK the last one in order. */
    public static final BitField SEGMENT = BUILDER.at(4).number("SegmentNumber", 32);

    /** In a segment the length of the payload, in an ACK the highest segment that will be taken. */
    public static final BitField LENGTH = BUILDER.number("PayloadLength", 32);

    /** The declaration. */
    public static final BitLayout LAYOUT = BUILDER.build(12);

    /** Lays it over a MAD of the SA. */
    public RmppHeader(byte[] bytes) {
        super(LAYOUT, bytes, Mad.HEADER);
    }

    /** Tells whether this MAD takes part in RMPP at all. */
    public boolean isActive() {
        return (getInt(FLAGS) & FLAG_ACTIVE) != 0;
    }
}
