package org.railyard.socklnd.link;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * What the kernel says of the IPv6 addresses of this machine: which of them stay. A temporary one (RFC 8981) is gone
 * after a day, and an NI with it.
 */
final class AddressFlags {
    private static final Path TABLE = Path.of("/proc/self/net/if_inet6");
    private static final System.Logger LOG = System.getLogger("org.railyard.socklnd");

    private static final int ADDRESS = 0;
    private static final int FLAGS = 4;
    private static final int FIELDS = 6;
    private static final int HEX_DIGITS = 32;

    /** Bits of the kernel: IFA_F_TEMPORARY, DADFAILED, DEPRECATED, TENTATIVE; and PERMANENT, that it has no end. */
    private static final int PASSING = 0x01 | 0x08 | 0x20 | 0x40;

    private static final int PERMANENT = 0x80;

    private final Map<String, Integer> flags = new HashMap<>();

    private AddressFlags() {}

    /** Reads what the kernel says now; where it says nothing, all addresses are alike. */
    static AddressFlags read() {
        try {
            return parse(Files.readAllLines(TABLE));
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "no table of IPv6 addresses", e);
            return new AddressFlags();
        }
    }

    /** Takes lines of the table; what is none is passed over. */
    static AddressFlags parse(List<String> lines) {
        AddressFlags all = new AddressFlags();
        for (String line : lines) {
            String[] fields = line.trim().split(" +");
            if (fields.length >= FIELDS && fields[ADDRESS].length() == HEX_DIGITS) {
                try {
                    all.flags.put(fields[ADDRESS], HexFormat.fromHexDigits(fields[FLAGS]));
                } catch (IllegalArgumentException e) {
                    LOG.log(System.Logger.Level.TRACE, "no address: " + line, e);
                }
            }
        }
        return all;
    }

    /** Returns how good an address is for a NID: 0 if it stays, 1 if its end can be moved, 2 if it passes. */
    int rank(InetAddress address) {
        int known = flags.getOrDefault(HexFormat.of().formatHex(address.getAddress()), 0);
        if ((known & PASSING) != 0) {
            return 2;
        }
        return (known & PERMANENT) != 0 ? 0 : 1;
    }
}
