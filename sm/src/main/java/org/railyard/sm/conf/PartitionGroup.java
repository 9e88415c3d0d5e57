package org.railyard.sm.conf;

import org.railyard.mad.layout.Gid;

/**
 * A multicast group that a partition has from the beginning, without members (spec 41 §7.3).
 *
 * @param mgid its address; the P_Key in that of an IP group is the partition's
 * @param mtu code of the MTU
 * @param rate code of the rate
 * @param sl service level, 0 to 15
 * @param qKey key of the queue pairs
 * @param tClass traffic class
 * @param flowLabel flow label, 20 bits
 */
public record PartitionGroup(Gid mgid, int mtu, int rate, int sl, int qKey, int tClass, int flowLabel) {
    /** Code of the MTU where none is given: 2048. */
    public static final int DEFAULT_MTU = 4;

    /** Code of the rate where none is given: 10 Gb/s. */
    public static final int DEFAULT_RATE = 3;

    /** Scope where none is given: the subnet. */
    public static final int DEFAULT_SCOPE = 2;

    /** Q_Key of IP groups where none is given. */
    public static final int IP_Q_KEY = 0x0B1B;

    private static final long IPV4_SIGNATURE = 0x401BL;
    private static final long IPV6_SIGNATURE = 0x601BL;
    private static final long BROADCAST = 0xFFFF_FFFFL;
    private static final int FULL_MEMBER = 0x8000;
    private static final int KEY_MASK = 0xFFFF;

    /** Returns the broadcast group that IP over InfiniBand uses in a partition. */
    public static Gid broadcast(int pKey, int scope) {
        long prefix =
                0xFF10L << 48 | (long) scope << 48 | IPV4_SIGNATURE << 32 | (pKey | FULL_MEMBER) << 16 & 0xFFFF0000L;
        return new Gid(prefix, BROADCAST);
    }

    /** Tells whether a group is one of IP over InfiniBand: its address has the P_Key in it. */
    public static boolean isIp(Gid mgid) {
        long signature = mgid.prefix() >>> 32 & 0xFFFF;
        return mgid.isMulticast() && (signature == IPV4_SIGNATURE || signature == IPV6_SIGNATURE);
    }

    /** Returns the P_Key in the address of an IP group, 0 if none was written there. */
    public static int keyOf(Gid mgid) {
        return (int) (mgid.prefix() >>> 16) & KEY_MASK;
    }

    /** Returns the scope in the address of a group. */
    public static int scopeOf(Gid mgid) {
        return (int) (mgid.prefix() >>> 48) & 0xF;
    }

    static Gid withKey(Gid mgid, int pKey) {
        long key = (long) (pKey | FULL_MEMBER) << 16;
        return new Gid(mgid.prefix() & ~((long) KEY_MASK << 16) | key, mgid.guid());
    }

    static Gid withScope(Gid mgid, int scope) {
        return new Gid(mgid.prefix() & ~(0xFL << 48) | (long) scope << 48, mgid.guid());
    }
}
