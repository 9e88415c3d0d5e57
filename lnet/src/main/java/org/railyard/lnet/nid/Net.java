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
        NetType best = null;
        for (NetType type : NetType.values()) {
            if (text.startsWith(type.text()) && isNumberOrEmpty(text, type.text().length())) {
                best = type;
                break;
            }
        }
        if (best == null) {
            throw new NidFormatException(text, 1, "a net name, one of tcp, o2ib, lo, gni, gip, ptlf, kfi, efa, bxi3f, with an optional number");
        }
        String digits = text.substring(best.text().length());
        if (digits.isEmpty()) {
            return of(best, 0);
        }
        if (best == NetType.LO) {
            throw new NidFormatException(text, best.text().length() + 1, "no number, there is only one net lo");
        }
        int number = digits.length() > 6 ? Integer.MAX_VALUE : Integer.parseInt(digits);
        if (number > MAX_NUMBER) {
            throw new NidFormatException(text, best.text().length() + 1, "a net number 0…" + MAX_NUMBER);
        }
        return of(best, number);
    }

    private static boolean isNumberOrEmpty(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return false;
            }
        }
        return true;
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
