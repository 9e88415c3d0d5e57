package org.railyard.console.node;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.railyard.control.Dlc;
import org.railyard.control.DlcException;
import org.railyard.control.DocumentSink;
import org.railyard.control.EventsOperation;
import org.railyard.control.Operation;

/** A node, asked with a limit of time: a daemon that was stopped would never answer. Thread-safe. */
final class NodeLink implements AutoCloseable {
    private final Dlc dlc;
    private final Duration limit;
    private final ExecutorService asking = Executors.newVirtualThreadPerTaskExecutor();

    NodeLink(Dlc dlc, Duration limit) {
        this.dlc = dlc;
        this.limit = limit;
    }

    /**
     * Asks; whatever it is must not change the node.
     *
     * @throws NodeException if there is no answer
     */
    Map<String, Object> ask(Operation.Query question) throws NodeException {
        return execute(question);
    }

    /**
     * Lets the node do something.
     *
     * @throws NodeException if it refuses, or there is no answer; then it may have done it
     */
    Map<String, Object> execute(Operation operation) throws NodeException {
        Future<Map<String, Object>> answer = asking.submit(() -> dlc.execute(operation));
        try {
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } catch (TimeoutException e) {
            // The interrupt closes its connection.
            answer.cancel(true);
            throw new NodeException("lnetd does not answer within " + limit.toSeconds() + " s", false, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NodeException("the console ends", false, e);
        }
    }

    /**
     * Listens to events, in the calling thread.
     *
     * @throws NodeException if there is no answer, or no more
     * @throws InterruptedException if the thread is interrupted
     */
    void follow(EventsOperation.Show which, DocumentSink to) throws NodeException, InterruptedException {
        try {
            dlc.follow(which, to);
        } catch (RuntimeException e) {
            throw failure(e);
        }
    }

    private static NodeException failure(@Nullable Throwable cause) {
        return switch (cause) {
            case DlcException refused -> new NodeException(refused.failure().text(), true, refused);
            case UncheckedIOException gone -> new NodeException("no lnetd answers " + gone.getMessage(), false, gone);
            case null, default -> new NodeException("lnetd can not be asked: " + cause, false, cause);
        };
    }

    @Override
    public void close() {
        asking.shutdownNow();
    }
}
