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
public final class CardCq implements Cq {
    private final CardDevice<?> device;
    private final CardLoop loop;
    private final int entries;
    private final CqListener listener;
    private final ArrayDeque<Completion> waiting = new ArrayDeque<>();
    private final ArrayDeque<Completion> spare = new ArrayDeque<>();
    private final Runnable notice;
    private boolean armed;
    private boolean overflown;
    private boolean closed;

    CardCq(CardDevice<?> device, CardLoop loop, int entries, CqListener listener) {
        this.device = device;
        this.loop = loop;
        this.entries = entries;
        this.listener = listener;
        this.notice = this::tell;
    }

    CardDevice<?> device() {
        return device;
    }

    CardLoop loop() {
        return loop;
    }

    @Override
    public int entries() {
        return entries;
    }

    private void tell() {
        if (!closed) {
            listener.onCompletions(this);
        }
    }

    /** Appends a completion. */
    public void add(long id, WorkStatus status, Completion.Operation operation, int bytes, int qpNumber) {
        append(id, status, operation, bytes, qpNumber, false);
    }

    /**
     * Appends the completion of a request to send that was flushed.
     *
     * @param left whether its last packet may have left the card
     */
    public void addFlushed(long id, Completion.Operation operation, int qpNumber, boolean left) {
        append(id, WorkStatus.FLUSHED, operation, 0, qpNumber, operation == Completion.Operation.SEND && !left);
    }

    private void append(
            long id, WorkStatus status, Completion.Operation operation, int bytes, int qpNumber, boolean undelivered) {
        if (closed || overflown) {
            return;
        }
        if (waiting.size() == entries) {
            overflown = true;
            device.overflow(this);
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
            device.tell(loop, notice);
        }
    }

    @Override
    public int poll(Completion[] into) {
        loop.check(this);
        int count = 0;
        while (count < into.length && !waiting.isEmpty()) {
            Completion next = waiting.remove();
            into[count++].set(next);
            spare.add(next);
        }
        return count;
    }

    @Override
    public void arm() {
        loop.check(this);
        if (waiting.isEmpty()) {
            armed = true;
        } else {
            device.tell(loop, notice);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            waiting.clear();
            device.cqClosed();
        }
    }

    @Override
    public String toString() {
        return "completion queue of " + device;
    }
}
