package org.railyard.lnet.nid;

import java.util.Locale;
import java.util.Optional;

/**
 * A network id: type and number (spec 01 §1.1, §1.3). {@code tcp} and {@code tcp0} are the same net.
 *
 * @param id {@code type << 16 | number}, the upper half of a nid4
 */
public record Net(int id) {
    /** Largest net number. */
    public static final int MAX_NUMBER = 0xffff;

    /** The net of the loopback NID. */
    public static final Net LO = of(NetType.LO, 0);

    /** The default net of a NID written without {@code @}. */
    public static final Net TCP = of(NetType.TCP, 0);

    /** Returns the net of the given type and number 0…65535. */
    public static Net of(NetType type, int number) {
        return of(type.number(), number);
    }

    /** Returns the net of the given type number 0…255 and number 0…65535. */
    public static Net of(int typeNumber, int number) {
        if (typeNumber < 0 || typeNumber > 0xff || number < 0 || number > MAX_NUMBER) {
            throw new IllegalArgumentException("net type " + typeNumber + " number " + number + " out of range");
        }
        return new Net(typeNumber << 16 | number);
    }

    /**
     * Reads a net name such as {@code tcp}, {@code tcp0} or {@code o2ib3}.
     *
     * @throws NidFormatException if the text is not the name of a net
     */
    public static Net parse(String text) {
        TextCursor in = TextCursor.over(text);
        Net net = read(in);
        in.expectEnd(
                net.equals(LO) ? "no number, there is only one net lo" : "a net number 0…" + MAX_NUMBER + ", decimal");
        return net;
    }

    /** Reads a net name up to where it ends. */
    static Net read(TextCursor in) {
        NetType type = NetRange.readType(in, "");
        int next = in.peek();
        if (type == NetType.LO || next < '0' || next > '9') {
            return of(type, 0);
        }
        return of(type, (int) in.decimal(MAX_NUMBER, "a net number 0…" + MAX_NUMBER));
    }

    /** Returns the number of the net's type, 0…255. */
    public int typeNumber() {
        return id >>> 16 & 0xff;
    }

    /** Returns the net's type, if it has a name. */
    public Optional<NetType> type() {
        return NetType.ofNumber(typeNumber());
    }

    /** Returns the net number, 0…65535. */
    public int number() {
        return id & 0xffff;
    }

    /** Returns the text form; the number is left out when it is 0. */
    @Override
    public String toString() {
        Optional<NetType> type = type();
        if (type.isEmpty()) {
            return String.format(Locale.ROOT, "<%d:%d>", typeNumber(), number());
        }
        return number() == 0 ? type.get().text() : type.get().text() + number();
    }
}
