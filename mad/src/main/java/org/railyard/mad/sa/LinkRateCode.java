package org.railyard.mad.sa;

/** Codes of link rates in records of the SA: not in the order of speed (spec 40 §5.1). */
public final class LinkRateCode {
    /** By code: units of 0.1 Gb/s; 0 where a code means nothing. */
    private static final int[] TENTHS = {
        0, 0, 25, 100, 300, 50, 200, 400, 600, 800, 1200, 140, 560, 1120, 1680, 250, 1000, 2000, 3000, 280, 500, 4000,
        6000, 8000, 12000
    };

    private LinkRateCode() {}

    /** Returns the rate of a code, units of 0.1 Gb/s; 0 if the code means nothing. */
    public static int tenthsOfGigabits(int code) {
        return code >= 0 && code < TENTHS.length ? TENTHS[code] : 0;
    }

    /** Returns the code of a rate, units of 0.1 Gb/s: the largest that is not larger; 0 if all are. */
    public static int ofTenths(int tenths) {
        int best = 0;
        for (int code = 0; code < TENTHS.length; code++) {
            if (TENTHS[code] <= tenths && TENTHS[code] > TENTHS[best]) {
                best = code;
            }
        }
        return best;
    }

    /** Returns a code's rate for people. */
    public static String text(int code) {
        int tenths = tenthsOfGigabits(code);
        return tenths == 0 ? "rate " + code : tenths / 10 + (tenths % 10 == 0 ? "" : "." + tenths % 10) + " Gb/s";
    }
}
