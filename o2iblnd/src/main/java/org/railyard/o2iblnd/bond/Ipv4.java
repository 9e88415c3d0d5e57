package org.railyard.o2iblnd.bond;

/** IPv4 addresses in dotted decimal, and as numbers whose highest bits are the first octet. */
public final class Ipv4 {
    private static final int OCTETS = 4;
    private static final int MAX_OCTET = 255;
    private static final int FIRST_MULTICAST = 224;

    private Ipv4() {}

    /**
     * Reads an address: four decimal numbers; no name, no range.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static int parse(String text) {
        String[] parts = text.split("\\.", -1);
        int address = 0;
        boolean good = parts.length == OCTETS;
        for (int i = 0; good && i < OCTETS; i++) {
            good = parts[i].matches("[0-9]{1,3}") && Integer.parseInt(parts[i]) <= MAX_OCTET;
            address = good ? address << Byte.SIZE | Integer.parseInt(parts[i]) : 0;
        }
        if (!good) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no IPv4 address, expected four numbers such as 10.1.1.2");
        }
        return address;
    }

    /** Tells whether a host can have an address: not so 0.x, those of groups, and what is above. */
    static boolean isOfHost(int address) {
        int first = address >>> 24;
        return first > 0 && first < FIRST_MULTICAST;
    }

    /** Writes an address. */
    public static String text(int address) {
        return (address >>> 24) + "." + (address >>> 16 & 0xFF) + "." + (address >>> 8 & 0xFF) + "." + (address & 0xFF);
    }
}
