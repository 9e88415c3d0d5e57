package org.railyard.mad.smp;

/** AttributeModifiers of SMPs: which port, which block (spec 40 §2.3). */
public final class Modifiers {
    /** Of PortInfo, beside the port: the asker knows extended speeds. */
    public static final int EXTENDED_SPEEDS = 1 << 31;

    /** Of VLArbitrationTable: the low-priority table, entries 0 to 31. */
    public static final int LOW_FIRST = 1;

    /** Of VLArbitrationTable: the low-priority table, entries 32 to 63. */
    public static final int LOW_SECOND = 2;

    /** Of VLArbitrationTable: the high-priority table, entries 0 to 31. */
    public static final int HIGH_FIRST = 3;

    /** Of VLArbitrationTable: the high-priority table, entries 32 to 63. */
    public static final int HIGH_SECOND = 4;

    private static final int MAX_PORT = 255;
    private static final int MAX_BLOCK = 0xFFFF;
    private static final int MAX_POSITION = 15;
    private static final int MAX_MULTICAST_BLOCK = 511;

    private Modifiers() {}

    /** Returns that of PortInfo: the port, 0 … 255. */
    public static int port(int port) {
        return in("port", port, MAX_PORT);
    }

    /** Returns the port that one of PortInfo names, whoever asks. */
    public static int portOf(int modifier) {
        return modifier & ~EXTENDED_SPEEDS;
    }

    /** Returns that of P_KeyTable: external port of a switch, else 0, and block of 32 keys. */
    public static int pKeys(int port, int block) {
        return in("port", port, MAX_PORT) << 16 | in("block", block, MAX_BLOCK);
    }

    /** Returns that of SLtoVLMappingTable of a switch; of a channel adapter both are 0. */
    public static int slToVl(int in, int out) {
        return in("port", in, MAX_PORT) << 8 | in("port", out, MAX_PORT);
    }

    /** Returns that of VLArbitrationTable: block {@link #LOW_FIRST} … {@link #HIGH_SECOND}, and port. */
    public static int vlArbitration(int block, int port) {
        return in("block", block, HIGH_SECOND) << 16 | in("port", port, MAX_PORT);
    }

    /** Returns that of LinearForwardingTable and GUIDInfo: the block. */
    public static int block(int block) {
        return in("block", block, MAX_BLOCK);
    }

    /** Returns that of MulticastForwardingTable: position of 16 ports, and block of 32 multicast LIDs. */
    public static int multicast(int position, int block) {
        return in("position", position, MAX_POSITION) << 28 | in("block", block, MAX_MULTICAST_BLOCK);
    }

    private static int in(String what, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(what + " " + value + " is not 0 to " + max);
        }
        return value;
    }
}
