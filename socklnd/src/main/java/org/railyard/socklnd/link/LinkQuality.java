package org.railyard.socklnd.link;

import org.jspecify.annotations.Nullable;

/**
 * Tells from the counters of a device whether it works worse than it should (hlt-015). The rule can not flap: three bad
 * intervals in a row make a device bad, and it takes six without any error to make it good again. Not thread-safe.
 *
 * <pre>
 * state  event                                    next
 * good   third bad interval in a row              bad, reported
 * good   any other interval                       good
 * bad    sixth interval in a row without errors   good
 * bad    any other interval                       bad
 * </pre>
 */
public final class LinkQuality {
    /** Time between two looks, ns. */
    public static final long INTERVAL_NANOS = 10_000_000_000L;

    /** Errors of a bad interval, at least: some happen on any link. */
    static final long LEAST_ERRORS = 100;

    /** One error in so many frames, or more, makes an interval bad. */
    public static final long FRAMES_PER_ERROR = 1000;

    public static final int BAD_INTERVALS = 3;
    public static final int GOOD_INTERVALS = 6;

    private @Nullable LinkCounts last;
    private long lookTime;
    private boolean bad;
    private int row;

    /** Tells whether it is time to look at the counters. */
    public boolean isDue(long now) {
        return last == null || now - lookTime >= INTERVAL_NANOS;
    }

    /**
     * Takes the counters of now.
     *
     * @param counts null if the device does not tell
     * @return whether the device has become bad
     */
    public boolean look(@Nullable LinkCounts counts, long now) {
        LinkCounts before = last;
        last = counts;
        lookTime = now;
        if (before == null || counts == null || counts.errors() < before.errors()) {
            // The first look, or another device of that name.
            return false;
        }
        long errors = counts.errors() - before.errors();
        long frames = counts.frames() - before.frames();
        boolean counting = bad ? errors == 0 : errors >= LEAST_ERRORS && errors * FRAMES_PER_ERROR >= frames;
        row = counting ? row + 1 : 0;
        if (row < (bad ? GOOD_INTERVALS : BAD_INTERVALS)) {
            return false;
        }
        row = 0;
        bad = !bad;
        return bad;
    }
}
