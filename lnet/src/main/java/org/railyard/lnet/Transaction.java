package org.railyard.lnet;

import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventHandler;
import org.railyard.lnet.api.EventKind;

/**
 * Follows the one PUT with ACK or GET of a memory descriptor that goes with it. Done with the descriptor's last event,
 * and not before: until then the transport may still hold the memory.
 *
 * @param <T> what it yields
 */
final class Transaction<T> implements EventHandler {
    private final EventKind last;
    private final String what;
    private final IntFunction<T> result;
    private final CompletableFuture<T> done = new CompletableFuture<>();
    private @Nullable Errno failure;
    private boolean answered;
    private final BooleanSupplier stopping;
    private int mlength;

    /**
     * Makes the handler of a descriptor with a threshold of two and auto-unlink.
     *
     * @param last the kind of event that brings the result
     * @param what for error messages
     * @param result makes the result of the length in that event
     * @param stopping tells whether the node is stopping
     */
    Transaction(EventKind last, String what, IntFunction<T> result, BooleanSupplier stopping) {
        this.stopping = stopping;
        this.last = last;
        this.what = what;
        this.result = result;
    }

    CompletableFuture<T> done() {
        return done;
    }

    @Override
    public void onEvent(Event event) {
        if (event.status() < 0) {
            failure = failure == null ? Errno.ofStatus(event.status()) : failure;
        } else if (event.kind() == last) {
            answered = true;
            mlength = event.mlength();
        }
        if (event.unlinked()) {
            finish();
        } else if (event.kind() == EventKind.SEND
                && event.status() < 0
                && !event.md().isUnlinked()) {
            event.md().unlink();
        }
    }

    private void finish() {
        if (answered) {
            done.complete(result.apply(mlength));
        } else if (failure != null) {
            done.completeExceptionally(new ErrnoException(failure, what + ": " + failure.text()));
        } else {
            // Nobody but the node unlinks the descriptor: at the end, or because the response does not come.
            done.completeExceptionally(
                    stopping.getAsBoolean()
                            ? new ErrnoException(Errno.ESHUTDOWN, what + ": the node was closed")
                            : new ErrnoException(Errno.ETIMEDOUT, what + ": " + Errno.ETIMEDOUT.text()));
        }
    }
}
