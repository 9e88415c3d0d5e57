package org.railyard.o2iblnd.wire;

/** Constants of the o2iblnd wire (spec 20 §1, §3). */
public final class Kib {
    /** Opens every message; all fields are in the byte order that this has. */
    public static final int MAGIC = 0x0BE91B91;

    /** Opens requests of a protocol to come. */
    public static final int FUTURE_MAGIC = 0x45726963;

    /** Old version: fixed queue depth, no negotiation. */
    public static final int V1 = 0x11;

    /** Current version. */
    public static final int V2 = 0x12;

    /** Largest message with its header, bytes. */
    public static final int MESSAGE_BYTES = 4096;

    /**
     * Most fragments of a descriptor: one per page of the largest payload, and one more for an unaligned first page.
     */
    public static final int MAX_FRAGMENTS = 257;

    /** Most fragments until 2.14. */
    public static final int OLD_MAX_FRAGMENTS = 256;

    /** Queue depth of V1. */
    public static final int V1_QUEUE_DEPTH = 8;

    /** Port to listen on. */
    public static final int SERVICE_PORT = 987;

    /** Port space of the connection manager, in the upper bits of a service id. */
    public static final int PORT_SPACE = 0x0106;

    private Kib() {}

    /** Tells whether a version is one that this node speaks. */
    public static boolean isKnownVersion(int version) {
        return version == V1 || version == V2;
    }

    /** Returns what people call a version that this node speaks: 1 or 2. */
    public static int number(int version) {
        return version - V1 + 1;
    }

    /** Returns the service id of a port. */
    public static long serviceId(int port) {
        return (long) PORT_SPACE << 16 | port;
    }
}
