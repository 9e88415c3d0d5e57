package org.railyard.cli.sm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.railyard.base.ErrnoException;

/** Tasks of those who wait for them, in a loop that is busy. */
@Timeout(60)
final class LoopCallsTest {
    private final List<Runnable> waiting = new ArrayList<>();
    private final List<String> done = new ArrayList<>();

    @Test
    void whatIsRefusedBecauseTheLoopIsBusyIsNotDoneLater() {
        LoopCalls calls = new LoopCalls(waiting::add, Duration.ZERO);
        assertThatThrownBy(() -> calls.run(() -> done.add("sweep")))
                .isInstanceOf(ErrnoException.class)
                .hasMessageStartingWith("EBUSY: it is busy");
        waiting.forEach(Runnable::run);
        assertThat(done).isEmpty();
    }

    /** Else it would be done although it was refused. */
    @Test
    void whatHasBegunIsWaitedForHoweverLongItTakes() {
        Thread caller = Thread.currentThread();
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean isGiven = new AtomicBoolean();
        AtomicBoolean isAnswered = new AtomicBoolean();
        LoopCalls calls = new LoopCalls(
                task -> {
                    Thread.ofPlatform().start(task);
                    await(begun);
                    isGiven.set(true);
                },
                Duration.ZERO);
        try {
            calls.run(() -> {
                begun.countDown();
                // Longer than the caller is patient: it waits without a limit then.
                while (!isAnswered.get() && !(isGiven.get() && caller.getState() == Thread.State.WAITING)) {
                    Thread.onSpinWait();
                }
                return done.add("sweep");
            });
        } finally {
            isAnswered.set(true);
        }
        assertThat(done).containsExactly("sweep");
    }

    @Test
    void whatGoesWrongIsToldToWhoAsked() {
        LoopCalls calls = new LoopCalls(Runnable::run, Duration.ofMinutes(1));
        assertThatThrownBy(() -> calls.run(() -> {
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
