package org.railyard.verbs.card;

import java.util.ArrayDeque;
import org.railyard.verbs.Completion;
import org.railyard.verbs.Cq;
import org.railyard.verbs.CqListener;
import org.railyard.verbs.WorkStatus;

/**
 * A completion queue of a card made of software. Makes no garbage once it has been as full as it becomes. Not
 * thread-safe.
 */
public abstract class CardCq implements Cq {
    private final int entries;
    private final CqListener listener;
    private final ArrayDeque<Completion> waiting = new ArrayDeque<>();
    private final ArrayDeque<Completion> spare = new ArrayDeque<>();
    private final Runnable notice;
    private boolean armed;
    private boolean overflown;
    private boolean closed;

    /**
     * Makes an empty queue.
     *
     * @param entries how many completions it can hold
     * @param listener is told that there are completions
     */
    protected CardCq(int entries, CqListener listener) {
        this.entries = entries;
        this.listener = listener;
        this.notice = this::tell;
    }

    /** Checks that the caller runs in the loop of the queue. */
    protected abstract void checkLoop();

    /** Runs something in the loop of the queue, soon. */
    protected abstract void notice(Runnable telling);

    /** A completion came for which there was no room; the queue is of no more use. */
    protected abstract void overflow();

    /** The queue was given back. */
    protected abstract void forget();

    @Override
    public final int entries() {
        return entries;
    }

    private void tell() {
        if (!closed) {
            listener.onCompletions(this);
        }
    }

    /** Appends a completion. */
    public final void add(long id, WorkStatus status, Completion.Operation operation, int bytes, int qpNumber) {
        append(id, status, operation, bytes, qpNumber, false);
    }

    /**
     * Appends the completion of a request to send that was flushed.
     *
     * @param left whether its last packet may have left the card
     */
    public final void addFlushed(long id, Completion.Operation operation, int qpNumber, boolean left) {
        append(id, WorkStatus.FLUSHED, operation, 0, qpNumber, operation == Completion.Operation.SEND && !left);
    }

    private void append(
            long id, WorkStatus status, Completion.Operation operation, int bytes, int qpNumber, boolean undelivered) {
        if (closed || overflown) {
            return;
        }
        if (waiting.size() == entries) {
            overflown = true;
            overflow();
            return;
        }
        Completion completion = spare.isEmpty() ? new Completion() : spare.remove();
        completion.set(id, status, operation, bytes, qpNumber);
        if (undelivered) {
            completion.setUndelivered();
        }
        waiting.add(completion);
        if (armed) {
            armed = false;
            notice(notice);
        }
    }

    @Override
    public final int poll(Completion[] into) {
        checkLoop();
        int count = 0;
        while (count < into.length && !waiting.isEmpty()) {
            Completion next = waiting.remove();
            into[count++].set(next);
            spare.add(next);
        }
        return count;
    }

    @Override
    public final void arm() {
        checkLoop();
        if (waiting.isEmpty()) {
            armed = true;
        } else {
            notice(notice);
        }
    }

    @Override
    public final void close() {
        closed = true;
        waiting.clear();
        forget();
    }
}
