package org.railyard.lnet.stack;

import org.railyard.lnet.model.MemoryDescriptor;

/** Ends what waits too long: responses that are overdue (spec 10 §16). Needs no lock. */
public final class Expiry {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");

    private final Node node;
    private final Completer completer;
    private final Dispatcher dispatcher;

    Expiry(Node node, Completer completer, Dispatcher dispatcher) {
        this.node = node;
        this.completer = completer;
        this.dispatcher = dispatcher;
    }

    /**
     * Ends the responses that are overdue: the event that their descriptor waits for comes with ETIMEDOUT.
     *
     * @param now monotonic time, ns
     */
    public void run(long now) {
        Pending work = node.pending();
        boolean told = LOG.isLoggable(System.Logger.Level.DEBUG);
        node.lock.lock();
        try {
            for (MemoryDescriptor md = completer.expire(now, work); md != null; md = completer.expire(now, work)) {
                if (told) {
                    String line = "no answer in time to a " + md.trackedType + " sent to " + md.trackedNextHop;
                    work.calls.add(() -> LOG.log(System.Logger.Level.DEBUG, line));
                }
            }
        } finally {
            node.lock.unlock();
        }
        dispatcher.run(work);
    }

    /** Returns when a response is overdue next, at latest {@code latest}; monotonic ns. */
    public long nextDeadline(long latest) {
        node.lock.lock();
        try {
            return node.responses.nextDeadline(latest);
        } finally {
            node.lock.unlock();
        }
    }
}
