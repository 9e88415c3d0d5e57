package org.railyard.campaign.work;

import java.util.Locale;

/** How cells and commands write things. */
final class CellText {
    private static final double MILLION = 1e6;
    private static final double THOUSAND = 1e3;

    private CellText() {}

    static String number(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }

    static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.3f", nanos / MILLION);
    }

    static String micros(double nanos) {
        return String.format(Locale.ROOT, "%.3f", nanos / THOUSAND);
    }

    static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
