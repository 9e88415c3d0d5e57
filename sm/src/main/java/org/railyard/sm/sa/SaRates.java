package org.railyard.sm.sa;

import org.railyard.mad.sa.LinkRateCode;
import org.railyard.mad.smp.PortInfo;

/** Rates of links, units of 0.1 Gb/s, and the order of their codes, which is not that of the numbers. */
final class SaRates {
    private static final int CODES = 64;
    private static final int[] LANES = {1, 4, 8, 12, 2};
    private static final int[] SPEEDS = {25, 50, 100};
    private static final int[] EXTENDED_SPEEDS = {140, 250, 500, 1000};
    private static final int NONE = -1;

    /** Codes by rate: the largest that is not larger. */
    private static final int[] LOWER = lower();

    private SaRates() {}

    /** Returns the rate at which a port runs; 0 if it does not tell. */
    static int ofPort(PortInfo info) {
        int lanes = highest(info.getInt(PortInfo.WIDTH_ACTIVE), LANES);
        int extended = highest(info.getInt(PortInfo.SPEED_EXT_ACTIVE), EXTENDED_SPEEDS);
        int speed = extended > 0 ? extended : highest(info.getInt(PortInfo.SPEED_ACTIVE), SPEEDS);
        return lanes * speed;
    }

    /** Returns the value that belongs to the highest bit; 0 if none does. */
    private static int highest(int bits, int[] values) {
        int bit = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(bits);
        return bit >= 0 && bit < values.length ? values[bit] : 0;
    }

    /** Tells whether a code is that of a rate. */
    static boolean isCode(int code) {
        return LinkRateCode.tenthsOfGigabits(code) > 0;
    }

    /** Returns the code of the next lower rate; −1 if there is none. */
    static int below(int code) {
        return LOWER[code];
    }

    private static int[] lower() {
        int[] lower = new int[CODES];
        for (int code = 0; code < CODES; code++) {
            int below = LinkRateCode.ofTenths(LinkRateCode.tenthsOfGigabits(code) - 1);
            lower[code] = isCode(below) ? below : NONE;
        }
        return lower;
    }
}
