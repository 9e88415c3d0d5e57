package org.railyard.mad.sim;

import java.util.function.BooleanSupplier;
import org.railyard.mad.transport.MadLoop;
import org.railyard.mad.transport.TimerQueue;

/**
 * Virtual time: events in the order of their times, and those of one time in the order in which they were planned. For
 * one thread.
 */
public final class VirtualLoop implements MadLoop {
    private final TimerQueue timers = new TimerQueue();
    private long now;

    /** Makes one at time 0 with nothing planned. */
    public VirtualLoop() {}

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public void execute(Runnable task) {
        schedule(0, task);
    }

    @Override
    public Runnable schedule(long delayNanos, Runnable task) {
        return timers.add(now + Math.max(0, delayNanos), task);
    }

    /** Runs the next event; false if there is none. */
    public boolean step() {
        long until = timers.untilNext(now);
        if (until == Long.MAX_VALUE) {
            return false;
        }
        now += until;
        timers.remove().run();
        return true;
    }

    /** Runs events until a condition holds; false if it does not within this time, or if nothing is left. */
    public boolean runUntil(BooleanSupplier condition, long limitNanos) {
        long end = now + limitNanos;
        while (!condition.getAsBoolean()) {
            if (timers.untilNext(now) > end - now || !step()) {
                return false;
            }
        }
        return true;
    }

    /** Runs all events of the next so many ns, and lets that time pass. */
    public void runFor(long nanos) {
        long end = now + nanos;
        boolean more = true;
        while (more && timers.untilNext(now) <= end - now) {
            more = step();
        }
        now = end;
    }
}
