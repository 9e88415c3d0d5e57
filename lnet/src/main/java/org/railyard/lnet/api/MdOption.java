package org.railyard.lnet.api;

/** Options of a memory descriptor (spec 10 §4.1). */
public enum MdOption {
    /** A passive MD accepts PUT. */
    OP_PUT(0x1),
    /** A passive MD accepts GET. */
    OP_GET(0x2),
    /** The initiator gives the offset; otherwise the MD keeps a running one. */
    MANAGE_REMOTE(0x4),
    /** Longer data is cut to what fits; otherwise the operation is dropped. */
    TRUNCATE(0x10),
    /** Never answer a PUT with an ACK. */
    ACK_DISABLE(0x20),
    /** An operation takes at most {@code max_size} bytes, and the MD is exhausted when fewer are left. */
    MAX_SIZE(0x80),
    /** Always time the response. */
    TRACK_RESPONSE(0x400),
    /** Never time the response; wins over everything. */
    NO_TRACK_RESPONSE(0x800),
    /** The payload of incoming requests is thrown away; lengths and events are unchanged. */
    DISCARD(0x4000);

    private final int bit;

    MdOption(int bit) {
        this.bit = bit;
    }

    /** Returns the bit of the specification. */
    public int bit() {
        return bit;
    }
}
