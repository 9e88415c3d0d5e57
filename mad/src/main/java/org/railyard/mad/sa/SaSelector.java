package org.railyard.mad.sa;

/** How a value of a query is meant (spec 40 §5.1). */
public final class SaSelector {
    /** More than the value. */
    public static final int GREATER = 0;

    /** Less than the value. */
    public static final int LESS = 1;

    /** The value; answers have this. */
    public static final int EXACTLY = 2;

    /** The largest there is; of packet life times the smallest. */
    public static final int LARGEST = 3;

    private SaSelector() {}
}
