package org.railyard.cli.lst;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/**
 * Pauses that Ctrl-C ends, so that a command can still tell what it knows. A second Ctrl-C ends the program as usual,
 * and so does one after it is closed.
 */
final class Pauses implements AutoCloseable {
    private static final String INTERRUPT = "INT";

    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final @Nullable Object previous;

    Pauses() {
        previous = Signals.register(INTERRUPT, this::interrupt);
    }

    /** What Ctrl-C does. */
    void interrupt() {
        close();
        interrupted.countDown();
    }

    /** Waits; returns false if Ctrl-C has ended it, now or before. */
    boolean pause(int seconds) {
        try {
            return !interrupted.await(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Gives Ctrl-C its usual meaning back. */
    @Override
    public void close() {
        Signals.unregister(INTERRUPT, previous);
    }
}
