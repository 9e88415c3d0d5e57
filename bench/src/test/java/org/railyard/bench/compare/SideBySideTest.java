package org.railyard.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SideBySideTest {
    private static final RoundSettings SETTINGS = new RoundSettings(1, 1);
    private static final long PLENTY = TimeUnit.MINUTES.toNanos(1);

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    /** Writes down what it is asked; its rounds give 1, 2, 3 … */
    private class Scripted implements Contender {
        private final String name;
        private int round;

        Scripted(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Measure measure() {
            return Measure.MESSAGE_RATE;
        }

        @Override
        public boolean isPeer() {
            return true;
        }

        @Override
        public Sample run(RoundSettings settings) throws IOException, InterruptedException {
            log.add(name);
            round++;
            return new Sample.Rate(round, 1_000_000_000);
        }

        @Override
        public void close() throws IOException {
            log.add(name + " closed");
        }
    }

    private Comparison run(int rounds, int warmups, Contender... contenders) throws InterruptedException {
        return new SideBySide(new Plan(SETTINGS, rounds, warmups), () -> 0)
                .run(Measure.MESSAGE_RATE, List.of(contenders));
    }

    @Test
    void roundsTakeTurnsAndWarmUpsDoNotCount() throws Exception {
        Comparison comparison = run(2, 1, new Scripted("A"), new Scripted("B"));
        assertThat(log).containsExactly("A", "B", "B", "A", "A", "B", "A closed", "B closed");
        assertThat(comparison.series()).allSatisfy(s -> {
            assertThat(s.values()).containsExactly(2, 3);
            assertThat(s.cpuMicros()).hasSizeLessThanOrEqualTo(2).allMatch(micros -> micros >= 0);
        });
    }

    @Test
    void warmUpGoesOnWhileTheJvmCompiles() throws Exception {
        // 500, 400, 60 ms in a turn of two rounds of a second: 3 % is 60.
        Iterator<Long> millis = List.of(0L, 500L, 500L, 900L, 900L, 960L).iterator();
        Comparison comparison = new SideBySide(new Plan(SETTINGS, 2, 1), millis::next)
                .run(Measure.MESSAGE_RATE, List.of(new Scripted("A"), new Scripted("B")));
        assertThat(comparison.series()).allSatisfy(s -> assertThat(s.values()).containsExactly(4, 5));
        assertThat(millis).isExhausted();
    }

    @Test
    void warmUpEndsThoughTheJvmCompilesForEver() throws Exception {
        AtomicLong millis = new AtomicLong();
        Comparison comparison = new SideBySide(new Plan(SETTINGS, 1, 1), () -> millis.addAndGet(1000))
                .run(Measure.MESSAGE_RATE, List.of(new Scripted("A")));
        assertThat(comparison.series().getFirst().values()).containsExactly(Plan.MAX_WARMUPS + 1);
    }

    @Test
    void withoutWarmUpNobodyWaitsForTheJvm() throws Exception {
        AtomicLong millis = new AtomicLong();
        Comparison comparison = new SideBySide(new Plan(SETTINGS, 1, 0), () -> millis.addAndGet(1000))
                .run(Measure.MESSAGE_RATE, List.of(new Scripted("A")));
        assertThat(comparison.series().getFirst().values()).containsExactly(1);
    }

    @Test
    void whoFailsTakesNoFurtherPart() throws Exception {
        Contender failing = new Scripted("A") {
            @Override
            public Sample run(RoundSettings settings) throws IOException, InterruptedException {
                Sample sample = super.run(settings);
                if (sample.value() == 2) {
                    throw new IOException("out of luck");
                }
                return sample;
            }
        };
        Comparison comparison = run(3, 0, failing, new Scripted("B"));
        assertThat(log).containsExactly("A", "B", "B", "A", "B", "A closed", "B closed");
        assertThat(comparison.series().getFirst())
                .returns("failed: out of luck", Series::trouble)
                .returns(true, Series::failed)
                .returns(1, s -> s.samples().size());
        assertThat(comparison.series().getLast().samples()).hasSize(3);
    }

    @Test
    void unexpectedExceptionIsAFailureToo() throws Exception {
        Contender failing = new Scripted("A") {
            @Override
            public Sample run(RoundSettings settings) {
                throw new IllegalStateException("bug");
            }
        };
        assertThat(run(1, 0, failing).series().getFirst().trouble())
                .isEqualTo("failed: java.lang.IllegalStateException: bug");
    }

    @Test
    void whoIsAbsentIsNotRun() throws Exception {
        Contender absent = new Scripted("A") {
            @Override
            public Optional<String> absence() {
                return Optional.of("not installed");
            }
        };
        Comparison comparison = run(1, 1, absent);
        assertThat(log).containsExactly("A closed");
        assertThat(comparison.series().getFirst())
                .returns("not installed", Series::trouble)
                .returns(false, Series::failed);
    }

    @Test
    void failureToCloseIsToldAndTheOthersAreClosed() throws Exception {
        Contender failing = new Scripted("A") {
            @Override
            public void close() throws IOException {
                throw new IOException("stuck");
            }
        };
        Comparison comparison = run(1, 0, failing, new Scripted("B"));
        assertThat(comparison.series().getFirst().trouble()).isEqualTo("failed to close: stuck");
        assertThat(log).endsWith("B closed");
    }

    @Test
    void otherMeasureIsRefused() {
        SideBySide sideBySide = new SideBySide(new Plan(SETTINGS, 1, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sideBySide.run(Measure.ROUND_TRIP, List.of(new Scripted("A"))))
                .withMessage("A does not take part in latency");
    }

    @Test
    void roundThatHangsIsCalledOff() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        Contender hanging = new Scripted("A") {
            @Override
            public Sample run(RoundSettings settings) throws InterruptedException {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                    throw e;
                }
                throw new IllegalStateException("nobody counts down");
            }
        };
        assertThatThrownBy(() -> new TimedRound(TimeUnit.MILLISECONDS.toNanos(20), PLENTY).run(hanging, SETTINGS))
                .isInstanceOf(IOException.class)
                .hasMessage("did not end within 20 ms");
        assertThat(interrupted.await(1, TimeUnit.MINUTES)).isTrue();
    }
}
