package org.railyard.lnet.stack;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.FaultKind;
import org.railyard.lnet.api.FaultRule;
import org.railyard.lnet.api.FaultRuleInfo;
import org.railyard.lnet.fault.ActiveRule;
import org.railyard.lnet.fault.FaultTable;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/**
 * Does to messages what the fault rules say (spec 10 §18). {@link Node#faults} refers to it while there are rules, and
 * costs a look otherwise.
 */
public final class FaultGate {
    private final Node node;
    private final Drops drops;
    private final Dispatcher dispatcher;
    private final Receiver receiver;
    private final FaultTable table;
    private final DelayLine delayed;

    FaultGate(Node node, Drops drops, Dispatcher dispatcher, Receiver receiver) {
        this.node = node;
        this.drops = drops;
        this.dispatcher = dispatcher;
        this.receiver = receiver;
        this.table = new FaultTable(node.host.random());
        this.delayed = new DelayLine(node.lock);
    }

    /**
     * Adds a rule before all others of its kind.
     *
     * @throws ErrnoException ENOSPC at {@link FaultTable#MAX_RULES}
     */
    public void add(FaultRule rule) {
        node.lock.lock();
        try {
            table.add(rule, node.now());
            node.faults = this;
        } finally {
            node.lock.unlock();
        }
    }

    /**
     * Deletes the rules of a kind with a source and a target, as they were given; the wildcard stands for any. What
     * they held goes on at once.
     *
     * @return how many
     * @throws ErrnoException ENOENT if there is none
     */
    public int delete(FaultKind kind, Nid source, Nid target) {
        List<ActiveRule> gone;
        List<DelayLine.Held> released;
        node.lock.lock();
        try {
            gone = table.delete(kind, source, target);
            released = delayed.takeOf(gone);
            if (table.isEmpty()) {
                node.faults = null;
            }
        } finally {
            node.lock.unlock();
        }
        goOn(released);
        if (gone.isEmpty()) {
            throw new ErrnoException(
                    Errno.ENOENT, "there is no " + kind + " rule from " + source + " to " + target + " to delete");
        }
        return gone.size();
    }

    /** Takes the counters of the rules of a kind to 0 and begins new windows. */
    public void reset(FaultKind kind) {
        node.lock.lock();
        try {
            table.reset(kind, node.now());
        } finally {
            node.lock.unlock();
        }
    }

    /** Returns the rules of a kind, newest first. */
    public List<FaultRuleInfo> rules(FaultKind kind) {
        return node.locked(any -> table.rules(kind));
    }

    /**
     * A message that has its credits is about to go: returns whether it is not to be handed to its transport now. Needs
     * no lock.
     */
    boolean stops(Message message) {
        HealthStatus failure;
        node.lock.lock();
        try {
            long now = node.now();
            failure = table.failsOnSending(message.header(), now);
            if (failure == HealthStatus.OK) {
                return hold(message, null, 0, now);
            }
        } finally {
            node.lock.unlock();
        }
        message.setInjected(true);
        dispatcher.complete(message, errnoOf(failure).status(), failure);
        return true;
    }

    private static Errno errnoOf(HealthStatus failure) {
        return switch (failure) {
            case LOCAL_INTERRUPT -> Errno.EINTR;
            case LOCAL_ABORTED -> Errno.ECONNABORTED;
            case LOCAL_NO_ROUTE, REMOTE_DROPPED -> Errno.EHOSTUNREACH;
            case LOCAL_TIMEOUT, REMOTE_TIMEOUT, NETWORK_TIMEOUT -> Errno.ETIMEDOUT;
            case OK, LOCAL_DROPPED, LOCAL_ERROR, REMOTE_ERROR -> Errno.EIO;
        };
    }

    /** A message for this node arrived: returns whether it vanishes. */
    boolean drops(LNetHeader header, LocalNi ni) {
        node.lock.assertHeld();
        return table.dropsOnReceipt(header, ni.nid(), node.now());
    }

    /**
     * A message was received, but not looked at yet: returns whether it is held up; then {@link Receiver#resume} comes
     * later. Loopback waits when it is sent, not here: its memory is gone when the sender has been
     * told.
     */
    boolean holds(Message message, LndReceiver source, int length) {
        node.lock.assertHeld();
        return message.peerNi() != null && hold(message, source, length, node.now());
    }

    private boolean hold(Message message, @Nullable LndReceiver source, int length, long now) {
        node.lock.assertHeld();
        LocalNi ni = message.ni();
        if (ni == null || ni.state() == LocalNi.State.DELETING || node.stopping || delayed.isFull()) {
            return false;
        }
        ActiveRule rule = table.delays(message.header(), now);
        if (rule == null) {
            return false;
        }
        delayed.add(rule, new DelayLine.Held(message, source, length, now + FaultTable.latencyNanos(rule)));
        return true;
    }

    /** Lets go what was held up long enough. Needs no lock. */
    public void release(long now) {
        List<DelayLine.Held> due;
        node.lock.lock();
        try {
            due = delayed.takeDue(now);
        } finally {
            node.lock.unlock();
        }
        if (!due.isEmpty()) {
            goOn(due);
        }
    }

    /** Returns when something is held up long enough next, at latest {@code latest}; monotonic ns. */
    public long nextRelease(long latest) {
        node.lock.lock();
        try {
            return delayed.nextDue(latest);
        } finally {
            node.lock.unlock();
        }
    }

    private void goOn(List<DelayLine.Held> released) {
        for (DelayLine.Held each : released) {
            if (each.source() == null) {
                dispatcher.post(each.message());
            } else {
                receiver.resume(each.message(), each.source(), each.length());
            }
        }
    }

    /**
     * Gives up what is held up on NIs that go: sends end with ECANCELED at nobody's cost, what was received is dropped.
     * Needs no lock.
     *
     * @param nis the NIs, in state DELETING: nothing more is held up for them
     */
    public void cancel(List<LocalNi> nis) {
        List<DelayLine.Held> canceled = new ArrayList<>();
        Pending work = node.pending();
        node.lock.lock();
        try {
            for (LocalNi ni : nis) {
                canceled.addAll(delayed.takeOf(ni));
            }
            for (DelayLine.Held each : canceled) {
                if (each.source() == null) {
                    work.fail(each.message(), Errno.ECANCELED.status(), HealthStatus.OK);
                } else {
                    drops.discardQuietly(each.message(), "its NI goes", work);
                }
            }
        } finally {
            node.lock.unlock();
        }
        for (DelayLine.Held each : canceled) {
            if (each.source() != null) {
                each.source().receive(null, 0, each.length());
            }
        }
        dispatcher.run(work);
    }
}
