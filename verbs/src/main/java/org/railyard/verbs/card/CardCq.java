package org.railyard.verbs.card;

import org.railyard.verbs.Completion;
import org.railyard.verbs.Cq;
import org.railyard.verbs.CqListener;
import org.railyard.verbs.WorkStatus;

/**
 * A completion queue of a card made of software. Makes no garbage once it has been as full as it becomes. Not
 * thread-safe.
 */
public final class CardCq implements Cq {
    private static final int FIRST_SIZE = 4;

    private final CardDevice<?> device;
    private final CardLoop loop;
    private final int entries;
    private final CqListener listener;

    /** A ring, a power of two long: those that wait, and behind them those that are used again. */
    private Completion[] ring = Completion.batch(FIRST_SIZE);

    private int first;
    private int count;
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
        if (count == entries) {
            overflown = true;
            device.overflow(this);
            return;
        }
        if (count == ring.length) {
            grow();
        }
        Completion completion = ring[first + count++ & ring.length - 1];
        completion.set(id, status, operation, bytes, qpNumber);
        if (undelivered) {
            completion.setUndelivered();
        }
        if (armed) {
            armed = false;
            device.tell(loop, notice);
        }
    }

    private void grow() {
        Completion[] larger = Completion.batch(count * 2);
        for (int i = 0; i < count; i++) {
            larger[i] = ring[first + i & count - 1];
        }
        ring = larger;
        first = 0;
    }

    @Override
    public int poll(Completion[] into) {
        loop.check(this);
        int polled = Math.min(into.length, count);
        for (int i = 0; i < polled; i++) {
            into[i].set(ring[first]);
            first = first + 1 & ring.length - 1;
        }
        count -= polled;
        return polled;
    }

    @Override
    public void arm() {
        loop.check(this);
        if (count == 0) {
            armed = true;
        } else {
            device.tell(loop, notice);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            count = 0;
            device.cqClosed();
        }
    }

    @Override
    public String toString() {
        return "completion queue of " + device;
    }
}
