package org.railyard.node.control;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/** Clients that are told events until they go away: a thread for each, and a limit to them. Thread-safe. */
final class Followers implements AutoCloseable {
    /** Most clients at a time. */
    static final int MAX = 16;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore room = new Semaphore(MAX);

    /**
     * Begins to serve one.
     *
     * @return what ends it, and gives its place back
     * @throws ErrnoException EBUSY if there are too many
     */
    Future<?> start(Runnable service) {
        if (!room.tryAcquire()) {
            throw new ErrnoException(
                    Errno.EBUSY, MAX + " clients follow the events already; end one, or ask for the last events");
        }
        // A client may be gone before its thread begins; then the service never runs.
        FutureTask<?> reader = new FutureTask<>(service, null) {
            @Override
            protected void done() {
                room.release();
            }
        };
        threads.execute(reader);
        return reader;
    }

    /** Ends all; none begins any more. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
