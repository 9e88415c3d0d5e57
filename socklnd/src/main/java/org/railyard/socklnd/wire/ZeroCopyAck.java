package org.railyard.socklnd.wire;

/**
 * What the cookies of a frame acknowledge (spec 02 §7.3). Immutable.
 *
 * @param kind how the cookies are to be read
 * @param first the only cookie, the first of a pair as it stands on the wire, or the lowest of a range; 0 for none
 * @param last equal to {@code first}, the second of a pair, or the highest of a range; 0 for none
 */
public record ZeroCopyAck(Kind kind, long first, long last) {
    /** Ways to read two cookies. */
    public enum Kind {
        /** Nothing is acknowledged. */
        NONE,
        /** Nothing is acknowledged, the peer only lives; V3 and V4. */
        KEEPALIVE,
        /** One cookie. */
        SINGLE,
        /** Two cookies, the first higher than the second. */
        PAIR,
        /** All cookies from the first to the last. */
        RANGE
    }

    /** The cookie of a keepalive, never given to a request on V3 and V4. */
    public static final long KEEPALIVE_COOKIE = 1;

    /** The lowest cookie of a request. */
    public static final long FIRST_COOKIE = 2;

    /** Nothing acknowledged. */
    public static final ZeroCopyAck NONE = new ZeroCopyAck(Kind.NONE, 0, 0);

    /** A keepalive. */
    public static final ZeroCopyAck KEEPALIVE = new ZeroCopyAck(Kind.KEEPALIVE, 0, 0);

    /** Checks that kind and cookies agree. */
    public ZeroCopyAck {
        boolean agrees = switch (kind) {
            case NONE, KEEPALIVE -> first == 0 && last == 0;
            case SINGLE -> first != 0 && first == last;
            case PAIR -> last != 0 && Long.compareUnsigned(first, last) > 0;
            case RANGE -> first != 0 && Long.compareUnsigned(first, last) <= 0;
        };
        if (!agrees) {
            throw new IllegalArgumentException("zero-copy ack " + kind + " of " + Long.toUnsignedString(first) + " and "
                    + Long.toUnsignedString(last));
        }
    }

    /** Returns the ack of one cookie, which must not be 0. */
    public static ZeroCopyAck single(long cookie) {
        return new ZeroCopyAck(Kind.SINGLE, cookie, cookie);
    }

    /** Returns what a frame acknowledges. */
    public static ZeroCopyAck of(FrameHeader frame, ProtocolVersion version) {
        return of(frame.type() == FrameHeader.NOOP ? frame.cookie0() : 0, frame.cookie1(), version);
    }

    /**
     * Returns what the cookies of a NOOP acknowledge: nothing if the second is 0. Those of an LNET frame are read with
     * {@code cookie0} = 0, because there it is a request.
     */
    public static ZeroCopyAck of(long cookie0, long cookie1, ProtocolVersion version) {
        if (cookie1 == 0) {
            return NONE;
        }
        if (cookie0 == 0) {
            return cookie1 == KEEPALIVE_COOKIE && version.hasKeepalive() ? KEEPALIVE : single(cookie1);
        }
        return new ZeroCopyAck(Long.compareUnsigned(cookie0, cookie1) > 0 ? Kind.PAIR : Kind.RANGE, cookie0, cookie1);
    }

    /** Returns how many cookies are acknowledged; unsigned. */
    public long count() {
        return switch (kind) {
            case NONE, KEEPALIVE -> 0;
            case SINGLE -> 1;
            case PAIR -> 2;
            case RANGE -> last - first + 1;
        };
    }

    /** Tells whether a cookie is among those acknowledged. */
    public boolean covers(long cookie) {
        return switch (kind) {
            case NONE, KEEPALIVE -> false;
            case SINGLE, PAIR -> cookie == first || cookie == last;
            case RANGE -> Long.compareUnsigned(first, cookie) <= 0 && Long.compareUnsigned(cookie, last) <= 0;
        };
    }

    /** Returns the first cookie of the NOOP that says this. */
    public long cookie0() {
        return switch (kind) {
            case NONE, KEEPALIVE, SINGLE -> 0;
            case PAIR, RANGE -> first;
        };
    }

    /** Returns the second cookie of the NOOP that says this. */
    public long cookie1() {
        return switch (kind) {
            case NONE -> 0;
            case KEEPALIVE -> KEEPALIVE_COOKIE;
            case SINGLE, PAIR, RANGE -> last;
        };
    }
}
