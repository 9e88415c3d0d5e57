package org.railyard.lnet.nid;

import org.jspecify.annotations.Nullable;

/**
 * The name of one network interface, {@code address@net} (spec 01 §1.1). Immutable; usable as a key.
 *
 * <p>A NID has 4 to 16 address bytes. One with 4 is "nid4-able" and packs into 64 bits. The order is the unsigned order
 * of the 20 bytes of the large form, which for two nid4-able NIDs is the unsigned order of their nid4 values.
 */
public final class Nid implements Comparable<Nid> {
    /** The nid4 value of the wildcard. */
    public static final long ANY_NID4 = -1L;

    /** Largest value of the size field: 16 address bytes. */
    public static final int MAX_SIZE = 12;

    /** The wildcard. */
    public static final Nid ANY = new Nid(-1, -1L, -1L);

    /** The loopback NID {@code 0@lo}. */
    public static final Nid LOOPBACK = ofNid4((long) Net.LO.id() << 32);

    /** The first 10 bits of a link-local address of IPv6. */
    private static final int LINK_LOCAL = 0xfe80 >>> 6;

    /** Size, type and number: the first four bytes of the large form, most significant first. */
    private final int head;

    private final long addrHigh;
    private final long addrLow;

    private Nid(int head, long addrHigh, long addrLow) {
        this.head = head;
        this.addrHigh = addrHigh;
        this.addrLow = addrLow;
    }

    /** Returns the NID with the given nid4 value; all ones is {@link #ANY}. */
    public static Nid ofNid4(long nid4) {
        if (nid4 == ANY_NID4) {
            return ANY;
        }
        return new Nid((int) (nid4 >>> 32) & 0x00ffffff, nid4 << 32, 0);
    }

    /** Returns the NID of a four-byte address on a net. */
    public static Nid of(Net net, int address) {
        return ofNid4((long) net.id() << 32 | (address & 0xffffffffL));
    }

    /**
     * Returns the NID of an address on a net.
     *
     * @param address 4 to 16 bytes, most significant first
     */
    public static Nid of(Net net, byte[] address) {
        if (address.length < 4 || address.length > 16) {
            throw new IllegalArgumentException("address of " + address.length + " bytes; a NID has 4 to 16");
        }
        long high = 0;
        long low = 0;
        for (int i = 0; i < 16; i++) {
            long b = i < address.length ? address[i] & 0xffL : 0;
            if (i < 8) {
                high = high << 8 | b;
            } else {
                low = low << 8 | b;
            }
        }
        return new Nid((address.length - 4) << 24 | net.id(), high, low);
    }

    /**
     * Returns the NID whose 20-byte large form is {@code head} (4 bytes) followed by the address (16 bytes), most
     * significant first.
     *
     * @throws IllegalArgumentException if the size field exceeds {@link #MAX_SIZE} and the NID is not the wildcard
     */
    public static Nid ofLarge(int head, long addrHigh, long addrLow) {
        if ((head >>> 16 & 0xff) == 0xff) {
            return ANY;
        }
        if (!isLegalHead(head)) {
            throw new IllegalArgumentException("NID size field " + (head >>> 24) + "; the limit is " + MAX_SIZE);
        }
        return new Nid(head, addrHigh, addrLow);
    }

    /** Tells whether the first four bytes of a large form name a legal size or the wildcard. */
    public static boolean isLegalHead(int head) {
        return (head >>> 16 & 0xff) == 0xff || head >>> 24 <= MAX_SIZE;
    }

    /**
     * Reads a NID, for example {@code 10.0.0.1@tcp1}, {@code 2001:db8::1@tcp} or {@code 0@lo}; {@code *} is {@link
     * #ANY}, and without {@code @} the net is {@code tcp}.
     *
     * @throws NidFormatException if the text is not a NID
     */
    public static Nid parse(String text) {
        return NidText.parseNid(text);
    }

    /** Tells whether this is the wildcard. */
    public boolean isAny() {
        return head == -1;
    }

    /**
     * Returns why this can not be the NID of one node, as {@code is a multicast address}; null if it can be. These are
     * the wildcard, the loopback NID, and on nets with IP addresses those that no host has. Allocates nothing.
     */
    public @Nullable String whyNobodys() {
        if (isAny()) {
            return "is the wildcard";
        }
        if (isLoopback()) {
            return "is the loopback NID";
        }
        return NetType.hasIpAddresses(typeNumber()) ? whyNoHosts() : null;
    }

    /**
     * Returns why nobody can be called by this NID, as {@code is a multicast address}; null if somebody may. Beside
     * {@linkplain #whyNobodys those that nobody has} these are link-local ones of IPv6: each link has its own, and a
     * NID names none. Allocates nothing.
     */
    public @Nullable String whyNotCalled() {
        boolean linkLocal = size() == MAX_SIZE && addrHigh >>> 54 == LINK_LOCAL && NetType.hasIpAddresses(typeNumber());
        return linkLocal
                ? "is a link-local address, which needs an interface that a NID can not name; take a global or unique"
                        + " local one (fd00::/8) of that node"
                : whyNobodys();
    }

    private @Nullable String whyNoHosts() {
        int first = (int) (addrHigh >>> 56);
        boolean large = size() == MAX_SIZE;
        if (addrHigh == 0 && addrLow == 0 && (large || size() == 0)) {
            return "is the address that stands for none";
        }
        if (size() == 0) {
            return (int) (addrHigh >>> 32) == -1
                    ? "is the broadcast address"
                    : first >>> 4 == 0xe ? "is a multicast address" : null;
        }
        return large && first == 0xff ? "is a multicast address" : null;
    }

    /** Tells whether this NID is on the net {@code lo}. */
    public boolean isLoopback() {
        return (head & 0xffffff) == Net.LO.id() && head >>> 24 == 0;
    }

    /** Tells whether this NID has a four-byte address and so a nid4 value; the wildcard has one too. */
    public boolean isNid4() {
        return head >>> 24 == 0 || isAny();
    }

    /** Returns the nid4 value. A longer address is cut to its first four bytes, as on a nid4 wire. */
    public long nid4() {
        return isAny() ? ANY_NID4 : (head & 0xffffffL) << 32 | addrHigh >>> 32;
    }

    /** Returns the first four bytes of the large form, most significant first. */
    public int head() {
        return head;
    }

    /** Returns bytes 0…7 of the address, left-aligned, most significant first. */
    public long addrHigh() {
        return addrHigh;
    }

    /** Returns bytes 8…15 of the address, left-aligned, most significant first. */
    public long addrLow() {
        return addrLow;
    }

    /** Returns the value of the size field: address bytes minus 4; 0…12. */
    public int size() {
        return isAny() ? 0 : head >>> 24;
    }

    /** Returns the net. */
    public Net net() {
        return new Net(head & 0xffffff);
    }

    /** Tells whether this NID is on the given net; allocates nothing. */
    public boolean isOn(Net net) {
        return (head & 0xffffff) == net.id();
    }

    /** Tells whether both NIDs are on one net; allocates nothing. */
    public boolean isOnNetOf(Nid other) {
        return (head & 0xffffff) == (other.head & 0xffffff);
    }

    /** Returns the number of the net's type, 0…255. */
    public int typeNumber() {
        return head >>> 16 & 0xff;
    }

    /** Returns the address bytes, 4 to 16 of them, most significant first. */
    public byte[] address() {
        byte[] bytes = new byte[size() + 4];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i < 8 ? addrHigh >>> (56 - 8 * i) : addrLow >>> (120 - 8 * i));
        }
        return bytes;
    }

    @Override
    public int compareTo(Nid other) {
        int c = Integer.compareUnsigned(head, other.head);
        if (c == 0) {
            c = Long.compareUnsigned(addrHigh, other.addrHigh);
        }
        return c != 0 ? c : Long.compareUnsigned(addrLow, other.addrLow);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Nid other && head == other.head && addrHigh == other.addrHigh && addrLow == other.addrLow;
    }

    @Override
    public int hashCode() {
        long mixed = (addrHigh ^ Long.rotateLeft(addrLow, 17) ^ head) * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32);
    }

    /** Returns the text form (spec 01 §1.3). */
    @Override
    public String toString() {
        return NidText.format(this);
    }
}
