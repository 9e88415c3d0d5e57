package org.railyard.roce.wire;

/**
 * How a node of this kind says how much its socket has room for: in the Q_Key of REQ and REP, which means nothing on a
 * reliable connection, so that others ignore it and send 0.
 */
final class CmRoom {
    /** "RY", in the upper half. */
    private static final int MARK = 0x5259_0000;

    private static final int MASK = 0xFFFF_0000;

    private CmRoom() {}

    /** Returns the Q_Key for a number of KiB; 0 for none. */
    static int toKey(int kib) {
        return kib == 0 ? 0 : MARK | Math.min(kib, ~MASK);
    }

    /** Returns how many KiB a Q_Key tells; 0 if nothing, as those of other kinds. */
    static int ofKey(int key) {
        return (key & MASK) == MARK ? key & ~MASK : 0;
    }
}
