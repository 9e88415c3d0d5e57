package org.railyard.fabric.torus.conf;

/** Numbers as C writes them: decimal, {@code 0x} hexadecimal, leading {@code 0} octal; unsigned 64 bits. */
public final class CNumber {
    private static final int HEX = 16;
    private static final int OCTAL = 8;
    private static final int DECIMAL = 10;

    private CNumber() {}

    /** Tells whether the characters from {@code from} to before {@code to} are such a number. */
    static boolean isNumber(String text, int from, int to) {
        int base = base(text, from, to);
        int at = base == HEX ? from + 2 : from;
        if (at >= to) {
            return false;
        }
        long value = 0;
        for (; at < to; at++) {
            int digit = digit(text.charAt(at));
            if (digit < 0 || digit >= base || Long.compareUnsigned(value, Long.divideUnsigned(-1L - digit, base)) > 0) {
                return false;
            }
            value = value * base + digit;
        }
        return true;
    }

    /** Returns the number, as an unsigned 64-bit one, or −1 if there is none. */
    public static long parse(String text, int from, int to) {
        if (!isNumber(text, from, to)) {
            return -1;
        }
        int base = base(text, from, to);
        long value = 0;
        for (int at = base == HEX ? from + 2 : from; at < to; at++) {
            value = value * base + digit(text.charAt(at));
        }
        return value;
    }

    private static int base(String text, int from, int to) {
        if (from >= to || text.charAt(from) != '0') {
            return DECIMAL;
        }
        return from + 1 < to && (text.charAt(from + 1) | 0x20) == 'x' ? HEX : OCTAL;
    }

    /** Returns the value of an ASCII digit; other scripts' digits are none. */
    private static int digit(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        int lower = c | 0x20;
        return c < 128 && lower >= 'a' && lower <= 'f' ? lower - 'a' + DECIMAL : -1;
    }
}
