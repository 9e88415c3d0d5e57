package org.railyard.mad.rmpp;

/** Why a transfer ends early: codes of STOP and ABORT (spec 40 §4.1). */
public final class RmppStatus {
    /** STOP: resources exhausted. */
    public static final int RESOURCES = 1;

    /** Total time too long. */
    public static final int TOTAL_TIME = 118;

    /** Last segment and length do not fit. */
    public static final int BAD_LAST = 119;

    /** First segment and number do not fit. */
    public static final int BAD_FIRST = 120;

    /** Not a known type. */
    public static final int BAD_TYPE = 121;

    /** NewWindowLast smaller than the segment acknowledged. */
    public static final int BAD_WINDOW = 122;

    /** Segment beyond the window, or acknowledged without having been sent. */
    public static final int BAD_SEGMENT = 123;

    /** Not a known version. */
    public static final int BAD_VERSION = 125;

    /** Too many retries. */
    public static final int RETRIES = 126;

    private RmppStatus() {}
}
