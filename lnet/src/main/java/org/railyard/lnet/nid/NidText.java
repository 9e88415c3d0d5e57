package org.railyard.lnet.nid;

import java.net.InetAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Text forms of single NIDs (spec 01 §1.3). */
final class NidText {
    /** How the wildcard is written on output; on input {@code *} means the same. */
    private static final String ANY = "<?>";

    /** Longest text of an IPv6 address, characters: eight groups, the last two as a dotted quad. */
    private static final int MAX_IPV6_TEXT = 45;

    private NidText() {}

    static Nid parseNid(String text) {
        if (text.equals("*") || text.equals(ANY)) {
            return Nid.ANY;
        }
        TextCursor in = TextCursor.over(text);
        int at = in.find('@');
        Net net = Net.TCP;
        String address;
        if (at < 0) {
            address = in.rest();
        } else {
            address = in.until(at).rest();
            in.moveTo(at + 1);
            net = Net.read(in);
            in.expectEnd("the end of the NID, or a net number 0…" + Net.MAX_NUMBER);
        }
        NetType type = net.type().orElseThrow();
        Nid nid = switch (type.addressForm()) {
            case NUMBER -> ofNumber(net, address);
            case IPV4 -> ofIpv4(net, address);
            case IP -> address.indexOf(':') >= 0 ? ofIpv6(net, address) : ofIpv4(net, address);
        };
        if (nid == null || (nid.isLoopback() && !nid.equals(Nid.LOOPBACK))) {
            throw new NidFormatException(text, 1, expectedAddress(type));
        }
        return nid;
    }

    private static String expectedAddress(NetType type) {
        return switch (type.addressForm()) {
            case NUMBER ->
                type == NetType.LO
                        ? "0, the only address on net lo"
                        : "a number 0…4294967295, decimal or 0x hexadecimal";
            case IPV4 -> "an IPv4 address";
            case IP -> "an IPv4 or IPv6 address";
        };
    }

    private static @Nullable Nid ofNumber(Net net, String text) {
        TextCursor in = TextCursor.over(text);
        try {
            long value = in.number(AddressPattern.MAX_NUMBER, "a number");
            return in.atEnd() ? Nid.of(net, (int) value) : null;
        } catch (NidFormatException e) {
            return null;
        }
    }

    /** Returns the NID of a dotted quad, or null if the text is none. */
    static @Nullable Nid ofIpv4(Net net, String text) {
        int address = 0;
        int octet = -1;
        int dots = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= '0' && c <= '9') {
                octet = Math.max(octet, 0) * 10 + c - '0';
                if (octet > 255) {
                    return null;
                }
            } else if (c == '.' && octet >= 0 && dots < 3) {
                address = address << 8 | octet;
                octet = -1;
                dots++;
            } else {
                return null;
            }
        }
        return dots == 3 && octet >= 0 ? Nid.of(net, address << 8 | octet) : null;
    }

    /** Returns the NID of an IPv6 address, or null if the text is none. */
    static @Nullable Nid ofIpv6(Net net, String text) {
        if (text.length() > MAX_IPV6_TEXT) {
            return null;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != ':' && c != '.' && (c >= 128 || Character.digit(c, 16) < 0)) {
                return null;
            }
        }
        try {
            byte[] bytes = InetAddress.ofLiteral(text).getAddress();
            if (bytes.length == 4) {
                // The platform turns an IPv4-mapped literal into its IPv4 address; as a NID it stays sixteen bytes.
                byte[] mapped = new byte[16];
                mapped[10] = (byte) 0xff;
                mapped[11] = (byte) 0xff;
                System.arraycopy(bytes, 0, mapped, 12, 4);
                bytes = mapped;
            }
            return Nid.of(net, bytes);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    static String format(Nid nid) {
        return nid.isAny() ? ANY : address(nid) + "@" + nid.net();
    }

    /** Returns the part in front of the {@code @}. */
    static String address(Nid nid) {
        NetType type = nid.net().type().orElse(null);
        if (type == null) {
            return words(nid);
        }
        return switch (type.addressForm()) {
            case NUMBER -> nid.isNid4() ? Integer.toUnsignedString((int) (nid.addrHigh() >>> 32)) : words(nid);
            case IP, IPV4 -> ip(nid);
        };
    }

    private static String words(Nid nid) {
        StringBuilder out = new StringBuilder();
        byte[] bytes = nid.address();
        for (int i = 0; i < bytes.length; i++) {
            if (i > 0 && i % 4 == 0) {
                out.append(':');
            }
            out.append(String.format(Locale.ROOT, "%02x", bytes[i] & 0xff));
        }
        return out.toString();
    }

    private static String ip(Nid nid) {
        byte[] b = nid.address();
        if (b.length == 4) {
            return (b[0] & 0xff) + "." + (b[1] & 0xff) + "." + (b[2] & 0xff) + "." + (b[3] & 0xff);
        }
        if (b.length == 16) {
            return compressIpv6(b);
        }
        return words(nid);
    }

    /**
     * Writes an IPv6 address as RFC 5952 asks: lower case, the longest run of two or more zero groups as {@code ::}.
     */
    private static String compressIpv6(byte[] b) {
        int[] groups = new int[8];
        for (int i = 0; i < 8; i++) {
            groups[i] = (b[2 * i] & 0xff) << 8 | (b[2 * i + 1] & 0xff);
        }
        int bestStart = -1;
        int bestLength = 1;
        for (int i = 0; i < 8; i++) {
            int j = i;
            while (j < 8 && groups[j] == 0) {
                j++;
            }
            if (j - i > bestLength) {
                bestStart = i;
                bestLength = j - i;
            }
            i = Math.max(i, j - 1);
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            if (i == bestStart) {
                out.append("::");
                i += bestLength - 1;
                continue;
            }
            if (!out.isEmpty() && out.charAt(out.length() - 1) != ':') {
                out.append(':');
            }
            out.append(Integer.toHexString(groups[i]));
        }
        return out.toString();
    }
}
