package org.railyard.lnet.nid;

import java.util.Optional;

/**
 * A network type, that is, the kind of LND that serves a net (spec 01 §1.2).
 *
 * <p>NIDs of types without a constant here are legal and carried unchanged; only their text form is generic.
 */
public enum NetType {
    TCP(2, "tcp", AddressForm.IP),
    O2IB(5, "o2ib", AddressForm.IP),
    LO(9, "lo", AddressForm.NUMBER),
    GNI(13, "gni", AddressForm.NUMBER),
    GIP(14, "gip", AddressForm.IPV4),
    PTLF(15, "ptlf", AddressForm.NUMBER),
    KFI(16, "kfi", AddressForm.NUMBER),
    EFA(18, "efa", AddressForm.IP),
    BXI3F(19, "bxi3f", AddressForm.NUMBER);

    /** How addresses of a type are written. */
    public enum AddressForm {
        /** IPv4 or IPv6 address. */
        IP,
        /** IPv4 address only. */
        IPV4,
        /** One unsigned 32-bit number. */
        NUMBER
    }

    private static final NetType[] BY_NUMBER = new NetType[256];

    static {
        for (NetType type : values()) {
            BY_NUMBER[type.number] = type;
        }
    }

    private final int number;
    private final String text;
    private final AddressForm form;

    NetType(int number, String text, AddressForm form) {
        this.number = number;
        this.text = text;
        this.form = form;
    }

    /** Returns the number used in NIDs, 0…255. */
    public int number() {
        return number;
    }

    /** Returns the name used in net names, for example {@code o2ib}. */
    public String text() {
        return text;
    }

    /** Returns how addresses of this type are written. */
    public AddressForm addressForm() {
        return form;
    }

    /** Tells whether NIDs of the type with the given number have IP addresses; allocates nothing. */
    static boolean hasIpAddresses(int number) {
        NetType type = BY_NUMBER[number & 0xff];
        return type != null && type.form != AddressForm.NUMBER;
    }

    /** Returns the type with the given number, if it has a name. */
    public static Optional<NetType> ofNumber(int number) {
        return number < 0 || number > 255 ? Optional.empty() : Optional.ofNullable(BY_NUMBER[number]);
    }
}
