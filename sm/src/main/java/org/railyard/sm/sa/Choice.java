package org.railyard.sm.sa;

import org.railyard.mad.sa.LinkRateCode;
import org.railyard.mad.sa.SaSelector;

/** What a requester asks of MTU, rate and packet life: a selector and a value (spec 41 §7.2). */
final class Choice {
    /** Nothing fits. */
    static final int NONE = -1;

    private static final int MIN_MTU = 1;
    private static final int MAX_MTU = 5;

    private Choice() {}

    /** Tells whether a value means something as an MTU; what is largest needs none. */
    static boolean isMtu(int selector, int mtu) {
        return selector == SaSelector.LARGEST || mtu >= MIN_MTU && mtu <= MAX_MTU;
    }

    /** Tells whether a value means something as a rate. */
    static boolean isRate(int selector, int rate) {
        return selector == SaSelector.LARGEST || SaRates.isCode(rate);
    }

    /** Returns the MTU to answer where up to {@code there} is possible, {@link #NONE} if that does not do. */
    static int mtu(int selector, int asked, int there) {
        return switch (selector) {
            case SaSelector.GREATER -> there > asked ? there : NONE;
            case SaSelector.LESS -> asked > MIN_MTU ? Math.min(there, asked - 1) : NONE;
            case SaSelector.EXACTLY -> there >= asked ? asked : NONE;
            default -> there;
        };
    }

    /** Returns the rate code to answer where up to {@code there} is possible, {@link #NONE} if that does not do. */
    static int rate(int selector, int asked, int there) {
        int has = LinkRateCode.tenthsOfGigabits(there);
        int wants = LinkRateCode.tenthsOfGigabits(asked);
        return switch (selector) {
            case SaSelector.GREATER -> has > wants ? there : NONE;
            case SaSelector.LESS -> {
                int below = SaRates.below(asked);
                yield below == NONE || LinkRateCode.tenthsOfGigabits(below) < has ? below : there;
            }
            case SaSelector.EXACTLY -> has >= wants ? asked : NONE;
            default -> there;
        };
    }

    /** Returns the packet life to answer, {@link #NONE} if it does not do; the smaller the better. */
    static int life(int selector, int asked, int there) {
        return switch (selector) {
            case SaSelector.GREATER -> there > asked ? there : NONE;
            case SaSelector.LESS -> there < asked ? there : NONE;
            case SaSelector.EXACTLY -> there <= asked ? asked : NONE;
            default -> there;
        };
    }

    /** Tells whether a value that is fixed is one that is asked for; of those that are ordered as numbers. */
    static boolean fits(int selector, int asked, int is) {
        return switch (selector) {
            case SaSelector.GREATER -> is > asked;
            case SaSelector.LESS -> is < asked;
            case SaSelector.EXACTLY -> is == asked;
            default -> true;
        };
    }

    /** Tells whether a rate that is fixed is one that is asked for. */
    static boolean fitsRate(int selector, int asked, int is) {
        return fits(selector, LinkRateCode.tenthsOfGigabits(asked), LinkRateCode.tenthsOfGigabits(is));
    }
}
