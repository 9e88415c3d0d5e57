package org.railyard.cli.sm;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/**
 * What the system tells a subnet manager: SIGTERM and Ctrl-C end it in order, SIGHUP makes it read its configuration
 * again. Closed when the end was made, so that the process may go.
 */
final class SmEnd implements AutoCloseable {
    private static final int CLOSE_SECONDS = 9;
    private static final String HANG_UP = "HUP";

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook;
    private @Nullable Object before;

    /** Calls {@code end} when the process is told to end. */
    SmEnd(Runnable end) {
        hook = new Thread(() -> {
            end.run();
            try {
                // The control socket is removed, and the SM bit, before the process ends.
                closed.await(CLOSE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Calls {@code reload} at SIGHUP, where there is such a signal. */
    void reloadBy(Runnable reload) {
        // Where there is no such signal nothing is registered: sm reload does the same.
        before = Signals.register(HANG_UP, () -> Thread.startVirtualThread(reload));
    }

    @Override
    public void close() {
        Object old = before;
        if (old != null) {
            Signals.unregister(HANG_UP, old);
        }
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // It is ending already.
        }
    }
}
