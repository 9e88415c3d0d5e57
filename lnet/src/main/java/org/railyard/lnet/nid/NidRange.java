package org.railyard.lnet.nid;

import java.util.Objects;
import org.railyard.lnet.nid.NetType.AddressForm;

/**
 * A set of NIDs for matching: {@code 10.0.*.[1-5/2]@tcp}, {@code 10.0.0.0/24@tcp1}, {@code fd00::/16@tcp}, {@code
 * [1-8]@gni}, {@code *@o2ib[0-2]} (spec 01 §1.4, 12 §7.4). Immutable; matching allocates nothing.
 */
public final class NidRange {
    private final AddressPattern address;
    private final NetRange net;

    private NidRange(AddressPattern address, NetRange net) {
        this.address = address;
        this.net = net;
    }

    /**
     * Reads a NID range. The {@code @net} is required.
     *
     * @throws NidFormatException if the text is none
     */
    public static NidRange parse(String text) {
        TextCursor in = TextCursor.over(text);
        in.skipBlanks();
        NidRange range = read(in);
        in.skipBlanks();
        in.expectEnd("the end of the NID range");
        return range;
    }

    /** Reads a NID range up to where it ends. */
    static NidRange read(TextCursor in) {
        int at = in.find('@');
        if (at < 0) {
            throw in.fail("a NID range with '@' and a net");
        }
        TextCursor address = in.until(at).withoutTrailingBlanks();
        in.moveTo(at + 1);
        in.skipBlanks();
        NetRange net = NetRange.read(in);
        AddressForm form = net.addressForm();
        return new NidRange(AddressPattern.readPattern(address, form), net);
    }

    /** Tells whether a NID is in this range. */
    public boolean matches(Nid nid) {
        return net.matches(nid) && address.matches(nid);
    }

    /** Returns the nets of this range. */
    public NetRange net() {
        return net;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof NidRange other && address.equals(other.address) && net.equals(other.net);
    }

    @Override
    public int hashCode() {
        return Objects.hash(address, net);
    }

    /**
     * Returns a text that reads back as an equal range; an octet {@code *} becomes {@code [0-255]}, as the kernel's
     * tools show it.
     */
    @Override
    public String toString() {
        return address + "@" + net;
    }
}
