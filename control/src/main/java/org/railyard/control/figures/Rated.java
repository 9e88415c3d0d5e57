package org.railyard.control.figures;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.railyard.control.figures.Reading.Counters;

/**
 * An NI with its rates, per second; not a number where they are not known: without an earlier reading, and after
 * counters were reset.
 *
 * @param now its counters
 * @param out messages sent
 * @param in messages received
 * @param outBytes payload sent
 * @param inBytes payload received
 * @param worse whether drops, resends or time-outs became more
 */
public record Rated(Counters now, double out, double in, double outBytes, double inBytes, boolean worse) {
    private static final double NANOS = 1e9;
    private static final long FULL_HEALTH = 1000;

    /** Returns the NIs of a reading with their rates since an earlier one. */
    public static List<Rated> all(@Nullable Reading before, Reading now, Function<Reading, List<Counters>> which) {
        Map<String, Counters> earlier = new LinkedHashMap<>();
        if (before != null) {
            which.apply(before).forEach(each -> earlier.put(key(each), each));
        }
        double seconds = before == null ? 0 : (now.nanos() - before.nanos()) / NANOS;
        return which.apply(now).stream()
                .map(each -> of(earlier.get(key(each)), each, seconds))
                .toList();
    }

    private static String key(Counters of) {
        return of.nid() + " " + of.of();
    }

    private static Rated of(@Nullable Counters before, Counters now, double seconds) {
        // A daemon that was started anew has another clock: its time may even go back.
        if (before == null || seconds <= 0) {
            return new Rated(now, Double.NaN, Double.NaN, Double.NaN, Double.NaN, false);
        }
        return new Rated(
                now,
                rate(before, now, Counters::sent, seconds),
                rate(before, now, Counters::received, seconds),
                rate(before, now, Counters::sentBytes, seconds),
                rate(before, now, Counters::receivedBytes, seconds),
                troubles(now) > troubles(before));
    }

    private static double rate(Counters before, Counters now, ToLongFunction<Counters> which, double seconds) {
        long more = which.applyAsLong(now) - which.applyAsLong(before);
        return more < 0 ? Double.NaN : more / seconds;
    }

    private static long troubles(Counters of) {
        return of.dropped() + of.resends() + of.timeouts();
    }

    /** Tells whether it is not as it should be. */
    public boolean isBad() {
        return worse || now.health() < FULL_HEALTH || isDown();
    }

    /** Tells whether it carries nothing. */
    public boolean isDown() {
        return now.state().equals("FAILED") || now.state().equals("down");
    }
}
