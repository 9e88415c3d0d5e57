package org.railyard.node.facts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the machine knows of its neighbours: {@code /proc/net/arp}. */
public final class ArpTable {
    private static final Path FILE = Path.of("/proc/net/arp");

    /** Columns: address, type of hardware, flags, hardware address, mask, device. */
    private static final int FLAGS = 2;

    private static final String UNANSWERED = "0x0";
    private static final int IPV4_BYTES = 4;

    private ArpTable() {}

    /** Tells whether the machine asked who has an address, and nobody answered. */
    public static boolean isUnanswered(byte[] address) {
        try {
            return isUnanswered(address, Files.readAllLines(FILE));
        } catch (IOException e) {
            // Without the file nothing is known.
            return false;
        }
    }

    static boolean isUnanswered(byte[] address, List<String> lines) {
        if (address.length != IPV4_BYTES) {
            return false;
        }
        String wanted =
                (address[0] & 0xff) + "." + (address[1] & 0xff) + "." + (address[2] & 0xff) + "." + (address[3] & 0xff);
        boolean asked = false;
        for (String line : lines) {
            String[] columns = line.strip().split("\\s+", -1);
            if (columns.length > FLAGS && columns[0].equals(wanted)) {
                if (!columns[FLAGS].equals(UNANSWERED)) {
                    // Somebody is there on another device.
                    return false;
                }
                asked = true;
            }
        }
        return asked;
    }
}
