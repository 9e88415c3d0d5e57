package org.railyard.o2iblnd.wire;

import static org.railyard.base.wire.Wire.BE32;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.railyard.base.wire.Ordered;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;

/**
 * Addresses at which a group of interfaces can be reached, behind the CONNACK in the private data of an acceptance
 * (spec 21 cb-090). Kernel nodes read the CONNACK only, whose length does not count them. Addresses have their first
 * octet in the highest bits.
 */
public final class AdvertisedAddresses {
    /** Most addresses of a list, as of a target. */
    public static final int MAX = 16;

    /** "LNI1". */
    public static final int MARKER = 0x4C4E4931;

    private static final int FIRST_MULTICAST = 224;
    private static final int LOOPBACK = 127;

    /** What a list begins with; the addresses follow. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    BE32.withName("marker"), ValueLayout.JAVA_BYTE.withName("count"))
            .withName("advertised_ips");

    private static final VarHandle MARKER_FIELD = Wire.field(LAYOUT, "marker");
    private static final VarHandle COUNT = Wire.field(LAYOUT, "count");

    /** Where a list begins: behind the CONNACK. */
    public static final int OFFSET = KibHeader.BYTES + ConnectionParameters.BYTES;

    /** Bytes of a list with as many addresses as there can be. */
    public static final int BYTES = (int) LAYOUT.byteSize() + MAX * Integer.BYTES;

    private AdvertisedAddresses() {}

    /**
     * Returns the bytes of a list.
     *
     * @param ips 1…16
     */
    public static int bytesOf(List<Integer> ips) {
        return (int) LAYOUT.byteSize() + ips.size() * Integer.BYTES;
    }

    /**
     * Writes a list behind a CONNACK.
     *
     * @param to private data that begin with the CONNACK, with {@link #bytesOf} more bytes
     * @param ips 1…16, in the order in which they are to be used
     * @throws IllegalArgumentException if there are none, or too many
     */
    public static void write(MemorySegment to, List<Integer> ips) {
        if (ips.isEmpty() || ips.size() > MAX) {
            throw new IllegalArgumentException(ips.size() + " addresses to advertise, expected 1 to " + MAX);
        }
        MARKER_FIELD.set(to, (long) OFFSET, MARKER);
        COUNT.set(to, (long) OFFSET, (byte) ips.size());
        for (int i = 0; i < ips.size(); i++) {
            to.set(BE32, at(i), ips.get(i));
        }
    }

    private static long at(int index) {
        return OFFSET + LAYOUT.byteSize() + (long) index * Integer.BYTES;
    }

    /**
     * Reads the list behind a CONNACK.
     *
     * @param from the private data of an acceptance
     * @return 1…16 addresses, each once; none if there is no list
     * @throws WireFormatException if there is one that can not be used as a whole: none or too many addresses, some are
     *     missing, one is there twice, or is none of a host
     */
    public static List<Integer> read(MemorySegment from) throws WireFormatException {
        if (from.byteSize() < OFFSET + LAYOUT.byteSize() || (int) MARKER_FIELD.get(from, (long) OFFSET) != MARKER) {
            return List.of();
        }
        int count = (byte) COUNT.get(from, (long) OFFSET) & 0xFF;
        if (count < 1 || count > MAX) {
            throw new WireFormatException(count + " advertised addresses, expected 1 to " + MAX);
        }
        Ordered.requireBytes("list of advertised addresses", from.byteSize(), at(count));
        Set<Integer> ips = new LinkedHashSet<>();
        for (int i = 0; i < count; i++) {
            int ip = from.get(BE32, at(i));
            if (!isOfHost(ip)) {
                throw new WireFormatException("advertised address 0x" + Integer.toHexString(ip) + " is none of a host");
            }
            if (!ips.add(ip)) {
                throw new WireFormatException("advertised address 0x" + Integer.toHexString(ip) + " is there twice");
            }
        }
        return new ArrayList<>(ips);
    }

    private static boolean isOfHost(int ip) {
        int first = ip >>> 24;
        return first > 0 && first != LOOPBACK && first < FIRST_MULTICAST;
    }
}
