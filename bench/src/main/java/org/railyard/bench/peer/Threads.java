package org.railyard.bench.peer;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The threads of one round. */
final class Threads {
    private Threads() {}

    /** Returns an executor that starts a daemon thread per task and, closed, waits for their ends. */
    static ExecutorService perTask(String name) {
        return Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().daemon().name(name + " ", 0).factory());
    }

    /** Returns what a task gave, or throws what it threw. */
    static <T> T result(Future<T> task) throws IOException, InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw new IOException(cause.toString(), cause);
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
