package org.railyard.lnet.stack;

import org.railyard.base.host.LimitedLog;
import org.railyard.lnet.api.NodeEventKind;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.nid.Nid;

/**
 * Ends what takes too long: messages past their deadline (spec 10 §14), responses that are overdue (spec 10 §16), PUTs
 * that came early and that nobody wants. Needs no lock.
 */
public final class Expiry {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");

    /** Most that is ended while the lock is held. */
    private static final int BATCH = 64;

    private static final String MESSAGE = "message";
    private static final String RESPONSE = "response";

    private final Node node;
    private final LimitedLog log;
    private final Completer completer;
    private final DelayedPuts delayed;
    private final Dispatcher dispatcher;

    Expiry(Node node, Completer completer, DelayedPuts delayed, Dispatcher dispatcher) {
        this.node = node;
        this.log = new LimitedLog(LOG, System.Logger.Level.WARNING, node.host.clock());
        this.completer = completer;
        this.delayed = delayed;
        this.dispatcher = dispatcher;
    }

    /**
     * Ends what is overdue, oldest first: messages end with ETIMEDOUT, and so does what descriptors wait for.
     *
     * @param now monotonic time, ns
     */
    public void run(long now) {
        Pending work = node.pending();
        boolean more = true;
        while (more) {
            node.lock.lock();
            try {
                more = expireMessages(now, work);
            } finally {
                node.lock.unlock();
            }
            dispatcher.run(work);
        }
        more = true;
        while (more) {
            node.lock.lock();
            try {
                more = expireResponses(now, work);
                more |= delayed.expire(now, BATCH, work);
            } finally {
                node.lock.unlock();
            }
            dispatcher.run(work);
        }
    }

    private boolean expireMessages(long now, Pending work) {
        node.lock.assertHeld();
        if (!node.settings.is(Tunable.EXPIRE_ACTIVE_MESSAGES)) {
            return false;
        }
        for (int i = 0; i < BATCH; i++) {
            Message message = node.active.overdue(now);
            if (message == null) {
                return false;
            }
            LocalNi ni = message.ni();
            node.events.tell(
                    NodeEventKind.MESSAGE_EXPIRED,
                    ni == null ? Nid.ANY : ni.nid(),
                    message.path().requestedTarget(),
                    "");
            if (log.wants(MESSAGE)) {
                String line =
                        message.header().type() + " to " + message.path().requestedTarget() + " was not sent in time";
                work.calls.add(() -> log.log(MESSAGE, line));
            }
            completer.expire(message, work);
        }
        return true;
    }

    private boolean expireResponses(long now, Pending work) {
        node.lock.assertHeld();
        for (int i = 0; i < BATCH; i++) {
            MemoryDescriptor md = completer.expireResponse(now, work);
            if (md == null) {
                return false;
            }
            node.events.tell(NodeEventKind.RESPONSE_EXPIRED, Nid.ANY, md.trackedNextHop, md.trackedType.name());
            if (log.wants(RESPONSE)) {
                String line = "no answer in time to a " + md.trackedType
                        + (md.trackedNextHop.isAny()
                                ? " that has not left this node"
                                : " sent to " + md.trackedNextHop);
                work.calls.add(() -> log.log(RESPONSE, line));
            }
        }
        return true;
    }

    /** Returns when something is overdue next, at latest {@code latest}; monotonic ns. */
    public long nextDeadline(long latest) {
        node.lock.lock();
        try {
            long next = node.responses.nextDeadline(latest);
            return node.settings.is(Tunable.EXPIRE_ACTIVE_MESSAGES) ? node.active.nextDeadline(next) : next;
        } finally {
            node.lock.unlock();
        }
    }
}
