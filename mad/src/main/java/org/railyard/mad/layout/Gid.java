package org.railyard.mad.layout;

import java.util.Locale;

/**
 * A global identifier: subnet prefix and GUID, or a multicast address (spec 40 §5.3).
 *
 * @param prefix upper 64 bits
 * @param guid lower 64 bits
 */
public record Gid(long prefix, long guid) {
    /** Bits of a GID. */
    public static final int BITS = 128;

    /** The prefix of a subnet that has no other one. */
    public static final long DEFAULT_PREFIX = 0xFE80_0000_0000_0000L;

    /** No GID. */
    public static final Gid ZERO = new Gid(0, 0);

    private static final int GROUPS = 8;
    private static final int GROUP_BITS = 16;
    private static final int MULTICAST = 0xFF;

    /** Tells whether it is the address of a multicast group. */
    public boolean isMulticast() {
        return prefix >>> 56 == MULTICAST;
    }

    /** Returns eight groups of hexadecimal digits. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++) {
            long half = i < GROUPS / 2 ? prefix : guid;
            long group = half >>> GROUP_BITS * (3 - i % 4) & 0xFFFF;
            text.append(i == 0 ? "" : ":").append(String.format(Locale.ROOT, "%x", group));
        }
        return text.toString();
    }
}
