package org.railyard.verbs.card.cm;

import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.railyard.verbs.card.CardScheduler;

/** Looks for the neighbour with an address, as ARP does: again and again, until it answers or time is over. */
final class AddressLookup {
    private static final int ETIMEDOUT = 110;
    private static final int EHOSTUNREACH = 113;

    private final CardScheduler time;
    private final CmTimes times;
    private final Supplier<Reach> probe;
    private final BooleanSupplier wanted;
    private final Runnable found;
    private final IntConsumer failed;
    private final long deadline;
    private final int errno;

    /**
     * Makes a look-up that has not begun.
     *
     * @param limitNanos how long it may take at most, ns
     * @param probe asks once
     * @param wanted whether anybody waits for it still
     * @param found is run, or the other one, once
     * @param failed hears the errno: ETIMEDOUT after the limit, otherwise EHOSTUNREACH
     */
    AddressLookup(
            CardScheduler time,
            CmTimes times,
            long limitNanos,
            Supplier<Reach> probe,
            BooleanSupplier wanted,
            Runnable found,
            IntConsumer failed) {
        this.time = time;
        this.times = times;
        this.probe = probe;
        this.wanted = wanted;
        this.found = found;
        this.failed = failed;
        this.deadline = time.now() + Math.min(limitNanos, times.lookupLimit());
        this.errno = limitNanos < times.lookupLimit() ? ETIMEDOUT : EHOSTUNREACH;
    }

    void begin() {
        probe(times.firstLookup());
    }

    private void probe(long pause) {
        switch (probe.get()) {
            case YES -> found.run();
            case NO -> failed.accept(EHOSTUNREACH);
            case WAIT -> {
                long left = deadline - time.now();
                if (left <= 0) {
                    failed.accept(errno);
                } else {
                    time.schedule(Math.min(pause, left), () -> {
                        if (wanted.getAsBoolean()) {
                            probe(Math.min(times.maxLookup(), pause * 2));
                        }
                    });
                }
            }
        }
    }
}
