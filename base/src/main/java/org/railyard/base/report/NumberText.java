package org.railyard.base.report;

import java.util.Locale;

/** Numbers as people read them. */
public final class NumberText {
    private NumberText() {}

    /** Returns a number with at most four digits behind the point. */
    public static String text(double value) {
        String text = String.format(Locale.ROOT, "%.4f", value);
        return text.replaceFirst("\\.?0+$", "");
    }
}
