package org.railyard.decode.tcp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Where the IP packet starts in a frame, by LINKTYPE number. */
final class LinkLayer {
    /** What {@link #isKnown} accepts, for messages. */
    static final String KNOWN =
            "Ethernet (1), Linux cooked (113, 276), raw IP (12, 14, 101, 228, 229), null (0) or loopback (108)";

    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final int ETHERTYPE_IPV4 = 0x0800;
    private static final int ETHERTYPE_IPV6 = 0x86dd;
    private static final int MAX_VLAN_TAGS = 4;
    private static final int VLAN_TAG = 4;

    private static final int NONE = -1;

    private LinkLayer() {}

    static boolean isKnown(int linkType) {
        return switch (linkType) {
            case 0, 1, 12, 14, 101, 108, 113, 228, 229, 276 -> true;
            default -> false;
        };
    }

    /** Returns the offset of the IP header, or -1 if the frame carries something else or ends before it says what. */
    static long ipOffset(int linkType, MemorySegment frame) {
        return switch (linkType) {
            case 1 -> behindEtherType(frame, 12, 14);
            case 113 -> behindEtherType(frame, 14, 16);
            case 276 -> behindEtherType(frame, 0, 20);
            case 0, 108 -> behindFamily(frame);
            case 12, 14, 101, 228, 229 -> 0;
            default -> NONE;
        };
    }

    private static long behindEtherType(MemorySegment frame, long typeAt, long payloadAt) {
        long type = typeAt;
        long payload = payloadAt;
        for (int tags = 0; tags <= MAX_VLAN_TAGS && type + 2 <= frame.byteSize(); tags++) {
            switch (frame.get(U16, type) & 0xffff) {
                case ETHERTYPE_IPV4, ETHERTYPE_IPV6 -> {
                    return payload;
                }
                case 0x8100, 0x88a8, 0x9100 -> {
                    // The tag: two bytes of VLAN, then the type of what follows.
                    type = payload + 2;
                    payload += VLAN_TAG;
                }
                default -> {
                    return NONE;
                }
            }
        }
        return NONE;
    }

    /**
     * The address family stands in front, in the byte order of the capturing host, and IPv6 has a number per system.
     */
    private static long behindFamily(MemorySegment frame) {
        if (frame.byteSize() < 4) {
            return NONE;
        }
        int family = frame.get(U32, 0);
        int number = (family & 0xffff) == 0 ? Integer.reverseBytes(family) : family;
        return switch (number) {
            case 2, 10, 24, 28, 30 -> 4;
            default -> NONE;
        };
    }
}
