package org.railyard.lnet.stats;

/**
 * A sum that forgets: every whole second it loses a fixed share, so that what happened long ago counts for little.
 * Costs one comparison while the second lasts.
 */
public final class DecayingCount {
    private static final long TICK_NANOS = 1_000_000_000L;

    private final double keptPerTick;
    private double value;
    private long tick;

    /** When the tick ends, monotonic ns. */
    private long tickEnd;

    /**
     * Makes a count of 0.
     *
     * @param halfLifeSeconds time after which an event counts half, at least 1 s
     */
    public DecayingCount(int halfLifeSeconds) {
        keptPerTick = Math.pow(0.5, 1.0 / halfLifeSeconds);
    }

    /** Adds an amount at a monotonic time, ns. */
    public void add(double amount, long now) {
        decay(now);
        value += amount;
    }

    /** Returns what is left of all amounts at a monotonic time, ns. */
    public double value(long now) {
        decay(now);
        return value;
    }

    /** Returns the amount per second that would keep the value as it is, at a monotonic time, ns. */
    public double perSecond(long now) {
        return value(now) * (1 - keptPerTick);
    }

    private void decay(long now) {
        if (now - tickEnd < 0 && value != 0) {
            return;
        }
        long to = Math.floorDiv(now, TICK_NANOS);
        if (value == 0) {
            tick = to;
        } else if (to > tick) {
            value *= Math.pow(keptPerTick, (double) (to - tick));
            tick = to;
        }
        tickEnd = (tick + 1) * TICK_NANOS;
    }
}
