package org.railyard.bench.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures the contenders of one measure in turn, A B C, B C A …, so that a disturbance of the machine meets all of
 * them alike, and nobody always comes behind the same one. A contender that fails says so in its row and takes no
 * further part; the others go on.
 *
 * <p>Rounds to warm up, if any are wanted, go on until the JVM has compiled next to nothing in one of each contender.
 */
public final class SideBySide {
    private static final System.Logger LOG = System.getLogger(SideBySide.class.getName());

    /** What a round may take beyond three times its length: start-up of tools, connections, tidying up. */
    private static final long OVERHEAD_NANOS = 10_000_000_000L;

    private static final long GRACE_NANOS = 5_000_000_000L;

    /** A millisecond, ns. */
    private static final double MILLI = 1e6;

    private final Plan plan;
    private final TimedRound timedRound;
    private final LongSupplier compilingMillis;

    /** Sets up a run. */
    public SideBySide(Plan plan) {
        this(plan, Compiling::millis);
    }

    /** Sets up a run in a JVM that has compiled for so many milliseconds. */
    SideBySide(Plan plan, LongSupplier compilingMillis) {
        this.plan = plan;
        this.compilingMillis = compilingMillis;
        this.timedRound = new TimedRound(3 * plan.settings().nanos() + OVERHEAD_NANOS, GRACE_NANOS);
    }

    /**
     * Measures and closes the contenders.
     *
     * @param contenders all of the given measure
     * @throws InterruptedException if the calling thread is interrupted
     */
    public Comparison run(Measure measure, List<? extends Contender> contenders) throws InterruptedException {
        List<Entrant> entrants = new ArrayList<>();
        for (Contender contender : contenders) {
            if (contender.measure() != measure) {
                throw new IllegalArgumentException(contender.name() + " does not take part in " + measure.key());
            }
            entrants.add(new Entrant(contender));
        }
        Optional<Surroundings.Mark> start = Optional.empty();
        Optional<Surroundings> surroundings;
        try {
            int warmups = warmUp(entrants);
            start = Surroundings.Mark.now();
            for (int round = 0; round < plan.rounds(); round++) {
                turn(entrants, warmups + round, true);
            }
            surroundings = Surroundings.since(start);
        } finally {
            entrants.forEach(Entrant::close);
        }
        return new Comparison(measure, entrants.stream().map(Entrant::series).toList(), surroundings.orElse(null));
    }

    /** Lets everybody warm up; returns how many rounds each had. */
    private int warmUp(List<Entrant> entrants) throws InterruptedException {
        int round = 0;
        boolean compiles = plan.warmups() > 0;
        while (round < plan.warmups() || compiles && round < Plan.MAX_WARMUPS) {
            long before = compilingMillis.getAsLong();
            turn(entrants, round++, false);
            long present =
                    entrants.stream().filter(each -> each.trouble == null).count();
            double length = present * plan.settings().nanos() / MILLI;
            compiles = compilingMillis.getAsLong() - before > Compiling.BUSY * length && present > 0;
        }
        return round;
    }

    /** A round of each contender. */
    private static void turn(List<Entrant> entrants, int round, boolean counts) throws InterruptedException {
        for (int i = 0; i < entrants.size(); i++) {
            entrants.get((round + i) % entrants.size()).run(counts);
        }
    }

    /** A contender and its samples so far. */
    private final class Entrant {
        private final Contender contender;
        private final List<Sample> samples = new ArrayList<>();
        private final List<Double> cpuMicros = new ArrayList<>();
        private @Nullable String trouble;
        private boolean failed;

        Entrant(Contender contender) {
            this.contender = contender;
            Optional<String> absence = contender.absence();
            if (absence.isPresent()) {
                trouble = absence.get();
            }
        }

        void run(boolean counts) throws InterruptedException {
            if (trouble != null) {
                return;
            }
            try {
                long before = CpuTime.nanos();
                Sample sample = timedRound.run(contender, plan.settings());
                long after = CpuTime.nanos();
                if (counts) {
                    samples.add(sample);
                    if (after != CpuTime.UNKNOWN && sample.messages() > 0) {
                        cpuMicros.add((after - before) / 1e3 / sample.messages());
                    }
                }
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, contender.name() + " failed", e);
                fail("failed: " + e.getMessage());
            }
        }

        private void fail(String text) {
            trouble = text;
            failed = true;
        }

        void close() {
            try {
                contender.close();
            } catch (IOException | RuntimeException e) {
                LOG.log(System.Logger.Level.DEBUG, contender.name() + " failed to close", e);
                if (trouble == null) {
                    fail("failed to close: " + e.getMessage());
                }
            }
        }

        Series series() {
            return new Series(
                    contender.name(),
                    contender.isPeer(),
                    samples,
                    cpuMicros,
                    trouble,
                    failed,
                    contender.note().orElse(null));
        }
    }
}
