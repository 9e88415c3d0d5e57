package org.railyard.cli.lnetctl.top;

import java.util.Locale;

/** Numbers in few characters: at most five. */
final class ShortNumbers {
    private static final String[] LETTERS = {"", "k", "M", "G", "T", "P", "E"};
    private static final double STEP = 1000;
    private static final double LARGE = 9999.5;
    private static final double WHOLE = 9.95;

    private ShortNumbers() {}

    /** Returns a whole number, see {@link #of(double)}. */
    static String of(long value) {
        return of((double) value);
    }

    /** Returns a number: {@code 0}, {@code 3.5}, {@code 9999}, {@code 12k}, {@code 1.2M}; {@code -} if it is none. */
    static String of(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        if (value < 0) {
            return "-" + of(-value);
        }
        double rest = value;
        int letter = 0;
        while (rest >= LARGE && letter == 0 || rest >= STEP - 0.5 && letter > 0 && letter < LETTERS.length - 1) {
            rest /= STEP;
            letter++;
        }
        boolean fraction = rest < WHOLE && rest != Math.rint(rest);
        return String.format(Locale.ROOT, fraction ? "%.1f%s" : "%.0f%s", rest, LETTERS[letter]);
    }
}
