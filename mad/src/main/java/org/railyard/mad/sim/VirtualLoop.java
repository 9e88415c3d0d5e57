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
        return step(Long.MAX_VALUE);
    }

    /** Runs the next event if it comes within so many ns; false if none does. */
    private boolean step(long within) {
        long until = timers.untilNext(now);
        if (until == Long.MAX_VALUE || until > within) {
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
            if (!step(end - now)) {
                return false;
            }
        }
        return true;
    }

    /** Runs all events of the next so many ns, and lets that time pass. */
    public void runFor(long nanos) {
        long end = now + nanos;
        while (step(end - now)) {
            // Each event may plan others.
        }
        now = end;
    }
}
