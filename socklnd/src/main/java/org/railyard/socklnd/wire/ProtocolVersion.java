package org.railyard.socklnd.wire;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.wire.LNetHeader;

/** Versions of the socklnd protocol, and what each of them can do (spec 02 §3.1). Ordered: a later one can do more. */
public enum ProtocolVersion {
    /** Bare LNet headers, announced by a magic of its own. */
    V1(1, 72),
    /** Frame headers, zero-copy acks one by one, optional checksums. */
    V2(2, 56),
    /** Keepalives and ranged zero-copy acks; what IPv4 peers speak. */
    V3(3, 56),
    /** Large NIDs; what IPv6 peers speak. */
    V4(4, 80);

    private final int number;
    private final int helloBytes;

    ProtocolVersion(int number, int helloBytes) {
        this.number = number;
        this.helloBytes = helloBytes;
    }

    /** Returns the version with the given number, or null if there is none. */
    public static @Nullable ProtocolVersion ofNumber(int number) {
        return switch (number) {
            case 1 -> V1;
            case 2 -> V2;
            case 3 -> V3;
            case 4 -> V4;
            default -> null;
        };
    }

    /** Returns the number on the wire. */
    public int number() {
        return number;
    }

    /** Returns the bytes of a HELLO without its list of addresses. */
    public int helloBytes() {
        return helloBytes;
    }

    /** Tells whether HELLO and LNet headers carry 20-byte NIDs. */
    public boolean largeNids() {
        return this == V4;
    }

    /** Returns the bytes of an LNet header: 72 or 96. */
    public int lnetHeaderBytes() {
        return LNetHeader.bytes(largeNids());
    }

    /**
     * Tells whether every LNet header follows a {@link FrameHeader}; only then there are NOOPs, zero-copy requests and
     * checksums.
     */
    public boolean hasFrameHeader() {
        return this != V1;
    }

    /** Returns the bytes in front of the payload of a message: frame header, if any, and LNet header. */
    public int messageHeadBytes() {
        return (hasFrameHeader() ? FrameHeader.BYTES : 0) + lnetHeaderBytes();
    }

    /** Tells whether cookie 1 in a NOOP is a keepalive, and acks may name pairs and ranges. */
    public boolean hasKeepalive() {
        return this == V3 || this == V4;
    }

    /**
     * Tells whether a checksum covers the whole frame (V2); on later versions a receiver verifies it over the payload
     * alone.
     */
    public boolean checksumCoversFrame() {
        return this == V2;
    }
}
