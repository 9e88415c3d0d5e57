package org.railyard.softverbs;

import java.util.ArrayDeque;
import org.railyard.verbs.Completion;
import org.railyard.verbs.Cq;
import org.railyard.verbs.CqListener;
import org.railyard.verbs.WorkStatus;

/** A completion queue of a simulated card. */
final class SoftCq implements Cq {
    private final SoftDevice device;
    private final SoftLoop loop;
    private final int entries;
    private final CqListener listener;
    private final ArrayDeque<Completion> waiting = new ArrayDeque<>();
    private final ArrayDeque<Completion> spare = new ArrayDeque<>();
    private boolean armed;
    private boolean overflown;
    private boolean closed;

    SoftCq(SoftDevice device, SoftLoop loop, int entries, CqListener listener) {
        this.device = device;
        this.loop = loop;
        this.entries = entries;
        this.listener = listener;
    }

    SoftLoop loop() {
        return loop;
    }

    SoftDevice device() {
        return device;
    }

    @Override
    public int entries() {
        return entries;
    }

    void add(long id, WorkStatus status, Completion.Operation operation, int bytes, int qpNumber) {
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
        waiting.add(completion);
        if (armed) {
            armed = false;
            notice();
        }
    }

    private void notice() {
        SoftFabric fabric = device.node().fabric();
        long at = fabric.time().now() + fabric.settings().noticeDelay() + device.completionDelay();
        fabric.time()
                .at(
                        at,
                        () -> loop.execute(() -> {
                            if (!closed) {
                                listener.onCompletions(this);
                            }
                        }));
    }

    @Override
    public int poll(Completion[] into) {
        loop.check(this);
        int count = 0;
        while (count < into.length && !waiting.isEmpty()) {
            Completion next = waiting.remove();
            into[count++].set(next.id(), next.status(), next.operation(), next.bytes(), next.qpNumber());
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
            notice();
        }
    }

    @Override
    public void close() {
        closed = true;
        waiting.clear();
        device.forget(this);
    }

    @Override
    public String toString() {
        return "completion queue of " + device;
    }
}
