package org.railyard.bench.compare;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * What else went on on the machine, and in the JVM, while something was measured.
 *
 * @param load mean number of runnable tasks over the last minute, at the end
 * @param steal share of the CPUs' time that the hypervisor gave to others, 0 to 1
 * @param others share of the CPUs' time that other programs used, 0 to 1
 * @param compiling for how much of the time the JVM compiled, from 0; above 1 if several of its threads did
 */
public record Surroundings(double load, double steal, double others, double compiling) {
    /** From so much on, figures are called disturbed. */
    private static final double DISTURBED = 0.05;

    // Columns of the first line of /proc/stat behind its name (proc(5)).
    private static final int USER = 0;
    private static final int NICE = 1;
    private static final int SYSTEM = 2;
    private static final int IRQ = 5;
    private static final int SOFTIRQ = 6;
    private static final int STEAL = 7;

    /** The kernel counts in 1/100 s. */
    private static final double TICK_NANOS = 1e7;

    private static final double MILLIS = 1e3;
    private static final double NANOS = 1e9;

    /** Where the machine stands; the difference of two is what went on between them. */
    static final class Mark {
        private final double busy;
        private final double steal;
        private final double all;
        private final double own;
        private final double compiled;
        private final double time;

        /**
         * Reads the first line of {@code /proc/stat}.
         *
         * @param nanos monotonic time
         * @param ownNanos CPU time of this process, ns
         * @param compiledMillis how long the JVM has compiled, ms
         */
        Mark(String line, long nanos, double ownNanos, long compiledMillis) {
            String[] words = line.strip().split(" +", -1);
            double[] ticks = new double[words.length - 1];
            double sum = 0;
            for (int i = 0; i < ticks.length; i++) {
                ticks[i] = Double.parseDouble(words[i + 1]);
                // Time of guests is in that of users, too.
                sum += i <= STEAL ? ticks[i] : 0;
            }
            busy = ticks[USER] + ticks[NICE] + ticks[SYSTEM] + ticks[IRQ] + ticks[SOFTIRQ];
            steal = ticks[STEAL];
            all = sum;
            own = ownNanos / TICK_NANOS;
            compiled = compiledMillis / MILLIS;
            time = nanos / NANOS;
        }

        /** Returns the mark of this moment, or empty if this is not Linux. */
        static Optional<Mark> now() {
            long own = CpuTime.nanos();
            try {
                return own == CpuTime.UNKNOWN
                        ? Optional.empty()
                        : Optional.of(new Mark(
                                Files.readAllLines(Path.of("/proc/stat")).getFirst(),
                                System.nanoTime(),
                                (double) own,
                                Compiling.millis()));
            } catch (IOException e) {
                return Optional.empty();
            }
        }

        /** Returns what went on since an earlier mark. */
        Surroundings since(Mark earlier, double load) {
            double ticks = Math.max(1, all - earlier.all);
            double others = busy - earlier.busy - (own - earlier.own);
            return new Surroundings(
                    load,
                    (steal - earlier.steal) / ticks,
                    Math.max(0, others) / ticks,
                    (compiled - earlier.compiled) / Math.max(1 / NANOS, time - earlier.time));
        }
    }

    /** Returns what went on since an earlier mark until now, or empty if this is not Linux. */
    static Optional<Surroundings> since(Optional<Mark> earlier) {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return earlier.flatMap(before -> Mark.now().map(now -> now.since(before, load)));
    }

    /** Tells whether the figures can not be those of a quiet machine. */
    boolean disturbs() {
        return steal + others > DISTURBED;
    }

    /** Returns it as one line. */
    String asText() {
        return String.format(
                Locale.ROOT,
                "meanwhile: load %.1f, steal %.1f %%, other programs %.1f %% of the CPUs%s%s",
                load,
                100 * steal,
                100 * others,
                disturbs() ? "; disturbed, read with care" : "",
                compiling > Compiling.BUSY
                        ? String.format(
                                Locale.ROOT,
                                "; the JVM compiled for %.0f %% of the time, more --warmup or --seconds help",
                                100 * compiling)
                        : "");
    }
}
