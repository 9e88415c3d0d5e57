package org.railyard.cli.sm;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.railyard.base.ErrnoException;
import org.railyard.mad.smp.Notice;
import org.railyard.sm.SmListener;
import org.railyard.sm.SweepReport;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.role.SmRole;

/** Keeps the last sweeps and events of a subnet manager, for those who ask later. Thread-safe. */
final class SweepLog implements SmListener {
    /** Sweeps that are kept. */
    static final int MAX_SWEEPS = 256;

    /** Events that are kept. */
    static final int MAX_EVENTS = 1024;

    private final SmListener next;
    private final InstantSource clock;
    private final String wrote;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private final Deque<Sweep> sweeps = new ArrayDeque<>();
    private final Deque<Event> events = new ArrayDeque<>();
    private final long[] results = new long[SweepReport.Result.values().length];
    private long numbers;
    private long nanos;

    /**
     * A sweep that has ended.
     *
     * @param at when
     * @param report what it did
     */
    record Sweep(Instant at, SweepReport report) {}

    /**
     * Something that happened.
     *
     * @param number from 1
     * @param at when
     * @param text one line
     */
    record Event(long number, Instant at, String text) {}

    /**
     * Makes an empty one.
     *
     * @param next hears of all, too, before it is kept
     * @param wrote "wrote" or "would write"
     */
    SweepLog(SmListener next, InstantSource clock, String wrote) {
        this.next = next;
        this.clock = clock;
        this.wrote = wrote;
    }

    @Override
    public void swept(SweepReport report) {
        next.swept(report);
        lock.lock();
        try {
            results[report.result().ordinal()]++;
            nanos += report.nanos();
            sweeps.add(new Sweep(clock.instant(), report));
            if (sweeps.size() > MAX_SWEEPS) {
                sweeps.remove();
            }
        } finally {
            lock.unlock();
        }
        SmText.lines(report, wrote).forEach(this::tell);
    }

    @Override
    public void role(SmRole role, String why) {
        next.role(role, why);
        tell(role.text() + ": " + why);
    }

    @Override
    public void published(SubnetSnapshot snapshot) {
        next.published(snapshot);
    }

    @Override
    public void trapped(Notice notice, int fromLid, String text) {
        next.trapped(notice, fromLid, text);
        tell(text);
    }

    @Override
    public void noisy(int fromLid, boolean isIgnored, String text) {
        next.noisy(fromLid, isIgnored, text);
        tell(text);
    }

    @Override
    public void failed(ErrnoException why) {
        next.failed(why);
        tell("the port failed: " + why.getMessage());
    }

    /** Keeps an event. */
    void tell(String text) {
        lock.lock();
        try {
            numbers++;
            events.add(new Event(numbers, clock.instant(), text));
            if (events.size() > MAX_EVENTS) {
                events.remove();
            }
            more.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the last sweeps, oldest first. */
    List<Sweep> last(int count) {
        lock.lock();
        try {
            return sweeps.stream().skip(Math.max(0, sweeps.size() - count)).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the last sweep. */
    Optional<Sweep> last() {
        return last(1).stream().findFirst();
    }

    /** Returns how many sweeps have ended, by result. */
    Map<String, Long> results() {
        lock.lock();
        try {
            Map<String, Long> counts = new TreeMap<>();
            for (SweepReport.Result each : SweepReport.Result.values()) {
                counts.put(each.name().toLowerCase(Locale.ROOT), results[each.ordinal()]);
            }
            return counts;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how long all sweeps took together, ns. */
    long nanos() {
        lock.lock();
        try {
            return nanos;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of the last event, 0 if there is none. */
    long lastEvent() {
        lock.lock();
        try {
            return numbers;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the events behind a number; if there is none yet, waits so long, ms, for one. */
    List<Event> after(long number, long millis) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            while (numbers <= number && left > 0) {
                left = more.awaitNanos(left);
            }
            return events.stream().filter(event -> event.number() > number).toList();
        } finally {
            lock.unlock();
        }
    }
}
