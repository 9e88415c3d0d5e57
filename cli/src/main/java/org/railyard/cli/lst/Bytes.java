package org.railyard.cli.lst;

import java.util.Locale;

/** Numbers of bytes as they are typed: 4096, 64K, 1M. */
final class Bytes {
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;

    private Bytes() {}

    /**
     * Reads a number of bytes.
     *
     * @throws IllegalArgumentException if the text is none
     */
    static int parse(String text) {
        String upper = text.toUpperCase(Locale.ROOT);
        int unit = upper.endsWith("K") ? KIB : upper.endsWith("M") ? MIB : 1;
        String digits = unit == 1 ? upper : upper.substring(0, upper.length() - 1);
        try {
            return Math.multiplyExact(Integer.parseInt(digits), unit);
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no number of bytes; expected one like 4096, 64K or 1M", e);
        }
    }
}
