package org.railyard.lnet.nid;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.NetType.AddressForm;

/** What stands in front of the {@code @} of a NID range (spec 01 §1.4). Immutable; matching allocates nothing. */
sealed interface AddressPattern {
    /** Tells whether the address of a NID, on whatever net, is meant. */
    boolean matches(Nid nid);

    /** {@code *}. */
    record Any() implements AddressPattern {
        @Override
        public boolean matches(Nid nid) {
            return true;
        }

        @Override
        public String toString() {
            return "*";
        }
    }

    /**
     * An IP address of which the first bits count.
     *
     * @param address a NID with the address as it was written
     * @param length bits that count, 1…32 or 1…128
     */
    record Prefix(Nid address, int length) implements AddressPattern {
        @Override
        public boolean matches(Nid nid) {
            return nid.size() == address.size()
                    && same(nid.addrHigh(), address.addrHigh(), length)
                    && same(nid.addrLow(), address.addrLow(), length - Long.SIZE);
        }

        private static boolean same(long a, long b, int bits) {
            return bits <= 0 || (a ^ b) >>> Math.max(0, Long.SIZE - bits) == 0;
        }

        @Override
        public String toString() {
            String text = NidText.address(address);
            return length == 128 ? text : text + "/" + length;
        }
    }

    /** Four octets of an IPv4 address. */
    record Octets(List<NumberSet> octets) implements AddressPattern {
        public Octets {
            octets = List.copyOf(octets);
        }

        @Override
        public boolean matches(Nid nid) {
            return nid.size() == 0
                    && octets.get(0).matches(nid.addrHigh() >>> 56)
                    && octets.get(1).matches(nid.addrHigh() >>> 48 & 0xff)
                    && octets.get(2).matches(nid.addrHigh() >>> 40 & 0xff)
                    && octets.get(3).matches(nid.addrHigh() >>> 32 & 0xff);
        }

        @Override
        public String toString() {
            return octets.stream().map(NumberSet::toString).collect(Collectors.joining("."));
        }
    }

    /** The numeric address of nets such as {@code gni}. */
    record Numbers(NumberSet numbers) implements AddressPattern {
        @Override
        public boolean matches(Nid nid) {
            return nid.size() == 0 && numbers.matches(nid.addrHigh() >>> 32);
        }

        @Override
        public String toString() {
            return numbers.toString();
        }
    }

    /** Largest numeric address. */
    long MAX_NUMBER = 0xffffffffL;

    /**
     * Reads a whole text as a pattern, wildcards and prefixes included.
     *
     * @param form how addresses of the net are written, or null if the net may be any
     */
    static AddressPattern readPattern(TextCursor in, @Nullable AddressForm form) {
        if (in.accept('*')) {
            if (in.atEnd()) {
                return new Any();
            }
            in.moveTo(in.position() - 1);
        }
        if (isIpv6(in, form)) {
            return readIpv6(in, true);
        }
        if (form == AddressForm.NUMBER || (form == null && !in.contains('.'))) {
            return readNumbers(in);
        }
        if (in.contains('/') && !in.contains('[')) {
            return readIpv4Prefix(in);
        }
        return readOctets(in, true);
    }

    /** Reads a whole text as an address or a set of addresses that can be counted: no wildcard, no prefix. */
    static AddressPattern readCountable(TextCursor in, AddressForm form) {
        if (isIpv6(in, form)) {
            return readIpv6(in, false);
        }
        return form == AddressForm.NUMBER ? readNumbers(in) : readOctets(in, false);
    }

    private static boolean isIpv6(TextCursor in, @Nullable AddressForm form) {
        return (form == null || form == AddressForm.IP) && in.contains(':');
    }

    private static AddressPattern readNumbers(TextCursor in) {
        NumberSet numbers = NumberSet.read(in, MAX_NUMBER, "an address");
        in.expectEnd("'@' behind the address");
        return new Numbers(numbers);
    }

    private static AddressPattern readOctets(TextCursor in, boolean wildcards) {
        List<NumberSet> octets = new ArrayList<>(4);
        for (int i = 0; i < 4; i++) {
            if (i > 0) {
                in.expect('.', "'.'");
            }
            octets.add(wildcards && in.accept('*') ? NumberSet.between(0, 255) : NumberSet.read(in, 255, "an octet"));
        }
        in.expectEnd("'@' behind the IPv4 address");
        return new Octets(octets);
    }

    private static AddressPattern readIpv4Prefix(TextCursor in) {
        int slash = in.find('/');
        TextCursor address = in.until(slash);
        Nid nid = NidText.ofIpv4(Net.TCP, address.rest());
        if (nid == null) {
            throw in.fail("an IPv4 address in front of '/'");
        }
        in.moveTo(slash + 1);
        return new Prefix(nid, readLength(in, 32));
    }

    private static AddressPattern readIpv6(TextCursor in, boolean prefixes) {
        int start = in.position();
        int slash = prefixes ? in.find('/') : -1;
        Nid nid =
                NidText.ofIpv6(Net.TCP, slash < 0 ? in.rest() : in.until(slash).rest());
        if (nid == null) {
            in.moveTo(start);
            throw in.fail("an IPv6 address" + (prefixes ? ", or one with '/' and a prefix length" : ""));
        }
        if (slash < 0) {
            return new Prefix(nid, 128);
        }
        in.moveTo(slash + 1);
        return new Prefix(nid, readLength(in, 128));
    }

    private static int readLength(TextCursor in, int max) {
        String expected = "a prefix length 1…" + max;
        int start = in.position();
        int length = (int) in.number(max, expected);
        if (length == 0) {
            in.moveTo(start);
            throw in.fail(expected);
        }
        in.expectEnd("'@' behind the prefix length");
        return length;
    }
}
