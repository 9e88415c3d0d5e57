package org.railyard.lnet.stack;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.Errno;
import org.railyard.lnet.EventHandler;
import org.railyard.lnet.EventKind;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/** The one funnel through which messages end, and from which events come (spec 10 §6). */
public final class Completer {
    private static final System.Logger LOG = System.getLogger(Completer.class.getName());

    private final Node node;
    private @Nullable Sender sender;
    private @Nullable Receiver receiver;

    /** Makes the funnel. */
    public Completer(Node node) {
        this.node = node;
    }

    void setSender(Sender other) {
        sender = other;
    }

    void setReceiver(Receiver other) {
        receiver = other;
    }

    private Sender sender() {
        if (sender == null) {
            throw new IllegalStateException("the stack is not wired up");
        }
        return sender;
    }

    /** Takes a message back from its transport. Needs no lock. */
    public void complete(LndMessage lndMessage, int status, HealthStatus health) {
        Message message = (Message) lndMessage;
        Pending work = node.pending();
        node.lock.lock();
        try {
            message.status = status;
            message.health = health;
            if (message.sending) {
                endSend(message, work);
            } else {
                endReceive(message, work);
            }
        } finally {
            node.lock.unlock();
        }
        run(work);
    }

    /** Ends a message that was sent, or was not. */
    private void endSend(Message message, Pending work) {
        LNetHeader header = message.header();
        LocalNi ni = message.ni;
        if (message.status == 0) {
            if (ni != null) {
                ni.traffic.sent(header.type());
            }
            if (message.peerNi != null) {
                message.peerNi.traffic.sent(header.type());
            }
        }
        if (message.status < 0) {
            judge(message);
        }
        sender().returnCredits(message, work);
        MemoryDescriptor md = message.md;
        if (md == null) {
            leave(message);
            node.release(message);
            return;
        }
        if (!message.response) {
            // A response of ours has had its event filled in when the request was matched.
            message.event.setSend(header);
            if (message.status < 0) {
                node.responses.untrack(md);
            }
        }
        finish(message, md, work);
    }

    /** A failure costs health, unless it is only that time ran out here, or the other side is this node itself. */
    private void judge(Message message) {
        LocalNi ni = message.ni;
        PeerNi peerNi = message.peerNi;
        if (ni != null
                && peerNi != null
                && !node.stopping
                && message.deadline - node.now() > 0
                && node.nis.find(peerNi.nid()) == null) {
            node.health.failed(ni, peerNi, message.health);
        }
    }

    /** Ends a message that was received, or half received. */
    private void endReceive(Message message, Pending work) {
        LNetHeader header = message.header();
        if (message.status == 0) {
            if (message.ni != null) {
                message.ni.traffic.received(header.type());
            }
            if (message.peerNi != null) {
                message.peerNi.traffic.received(header.type());
            }
        }
        MemoryDescriptor md = message.md;
        if (md == null) {
            endDelayed(message, work);
            return;
        }
        if (header.type() == MessageType.REPLY) {
            if (message.status < 0) {
                // A damaged REPLY never was: the operation is still open, and its timer still runs.
                if (md.threshold >= 0) {
                    md.threshold++;
                }
                dropReference(message, md, work);
                return;
            }
            node.responses.untrack(md);
        } else if (message.status == 0 && receiver != null && receiver.wantsAck(message, md)) {
            message.after = Message.After.SEND_ACK;
        }
        finish(message, md, work);
    }

    private void endDelayed(Message message, Pending work) {
        if (receiver != null) {
            if (message.status < 0) {
                receiver.abandonDelayed(message);
            } else if (receiver.settleDelayed(message, work)) {
                return;
            }
        }
        leave(message);
        node.release(message);
    }

    private void dropReference(Message message, MemoryDescriptor md, Pending work) {
        message.releaseViews();
        md.refs--;
        message.md = null;
        if (md.unlinked && md.refs == 0) {
            message.event.setBare(EventKind.UNLINK, MessageType.REPLY);
            message.event.setOutcome(md, Errno.ETIMEDOUT.status(), true, node.nextSequence());
            leave(message);
            queueEvent(message, md, work);
            return;
        }
        leave(message);
        node.release(message);
    }

    /** Takes a message off its MD and queues the event, which has been filled in but for the outcome. */
    void finish(Message message, MemoryDescriptor md, Pending work) {
        message.releaseViews();
        md.refs--;
        int status = message.status == 0 && md.aborted ? Errno.ETIMEDOUT.status() : message.status;
        boolean last = false;
        if (md.refs == 0 && (md.unlinked || (md.isAutoUnlink() && md.isExhausted()))) {
            last = true;
            retire(md);
        }
        message.event.setOutcome(md, status, last, node.nextSequence());
        queueEvent(message, md, work);
    }

    /** Ends the handle of a descriptor. */
    void retire(MemoryDescriptor md) {
        md.unlinked = true;
        node.mds.remove(md);
        node.responses.untrack(md);
        if (md.entry != null) {
            node.portals.get(md.entry.config().portal()).detach(md.entry);
        }
    }

    void queueEvent(Message message, MemoryDescriptor md, Pending work) {
        message.md = md;
        md.events.add(message);
        if (!md.delivering) {
            md.delivering = true;
            work.ready.add(md);
        }
    }

    /** A message lets go of its NI. */
    static void leave(Message message) {
        if (message.ni != null) {
            message.ni.refs--;
        }
    }

    /** Unlinks a descriptor (spec 10 §4.3). Needs no lock. Returns false if it was gone already. */
    public boolean unlink(MemoryDescriptor md) {
        Pending work = node.pending();
        node.lock.lock();
        try {
            if (md.unlinked) {
                return false;
            }
            unlinkLocked(md, EventKind.UNLINK, 0, work);
        } finally {
            node.lock.unlock();
        }
        run(work);
        awaitDelivery(md, work);
        return true;
    }

    /** Ends a descriptor: at once with the given event if it is idle, else with its last message. */
    private void unlinkLocked(MemoryDescriptor md, EventKind kind, int status, Pending work) {
        retire(md);
        if (md.refs > 0) {
            md.aborted = true;
            return;
        }
        Message carrier = node.take();
        carrier.event.setBare(kind, md.trackedType);
        carrier.event.setOutcome(md, status, true, node.nextSequence());
        queueEvent(carrier, md, work);
    }

    /** Waits until no event of a descriptor is being delivered by another thread. */
    private void awaitDelivery(MemoryDescriptor md, Pending work) {
        if (work.running) {
            return;
        }
        node.lock.lock();
        try {
            node.lock.awaitUntil(() -> !md.delivering);
        } finally {
            node.lock.unlock();
        }
    }

    /** Ends the responses that are overdue: the event they waited for comes with ETIMEDOUT. Needs no lock. */
    public void expireResponses(long now) {
        Pending work = node.pending();
        node.lock.lock();
        try {
            for (MemoryDescriptor md = node.responses.overdue(now); md != null; md = node.responses.overdue(now)) {
                PeerNi nextHop = node.peers.find(md.trackedNextHop);
                if (nextHop != null && node.nis.find(md.trackedNextHop) == null) {
                    node.health.lower(nextHop);
                }
                LOG.log(
                        System.Logger.Level.DEBUG,
                        "no answer to a {0} sent to {1} in time",
                        md.trackedType,
                        md.trackedNextHop);
                unlinkLocked(
                        md,
                        md.trackedType == MessageType.GET ? EventKind.REPLY : EventKind.ACK,
                        Errno.ETIMEDOUT.status(),
                        work);
            }
        } finally {
            node.lock.unlock();
        }
        run(work);
    }

    /** Returns when a response is overdue next, at latest {@code latest}. Needs no lock. */
    public long nextDeadline(long latest) {
        node.lock.lock();
        try {
            return node.responses.nextDeadline(latest);
        } finally {
            node.lock.unlock();
        }
    }

    /** Does what was decided under the lock, unless a caller further up on this thread does it. Needs no lock. */
    void run(Pending work) {
        if (work.running) {
            return;
        }
        work.running = true;
        try {
            while (true) {
                Message toSend = work.toSend.poll();
                if (toSend != null) {
                    sender().hand(toSend);
                    continue;
                }
                if (!work.toFail.isEmpty()) {
                    failAll(work);
                    continue;
                }
                MemoryDescriptor ready = work.ready.poll();
                if (ready != null) {
                    deliver(ready, work);
                    continue;
                }
                Runnable call = work.calls.poll();
                if (call == null) {
                    return;
                }
                call.run();
            }
        } finally {
            work.running = false;
        }
    }

    private void failAll(Pending work) {
        node.lock.lock();
        try {
            for (Message message = work.toFail.poll(); message != null; message = work.toFail.poll()) {
                endSend(message, work);
            }
        } finally {
            node.lock.unlock();
        }
    }

    /** Hands the events of a descriptor to its handler, in order, until there is none left. */
    private void deliver(MemoryDescriptor md, Pending work) {
        EventHandler handler = md.handler();
        Message message = nextEvent(md, null, work);
        while (message != null) {
            if (handler != null) {
                try {
                    handler.onEvent(message.event);
                } catch (RuntimeException e) {
                    LOG.log(System.Logger.Level.ERROR, "an event handler failed on " + message.event, e);
                }
            }
            message = nextEvent(md, message, work);
        }
    }

    private @Nullable Message nextEvent(MemoryDescriptor md, @Nullable Message done, Pending work) {
        node.lock.lock();
        try {
            if (done != null) {
                afterEvent(done, work);
            }
            Message next = md.events.poll();
            if (next == null) {
                md.delivering = false;
                node.lock.signal();
            }
            return next;
        } finally {
            node.lock.unlock();
        }
    }

    private void afterEvent(Message message, Pending work) {
        message.md = null;
        leave(message);
        message.ni = null;
        if (message.after == Message.After.RELEASE) {
            node.release(message);
            return;
        }
        LNetHeader header = message.header();
        Nid source = header.destNid();
        Nid target = header.srcNid();
        int targetPid = header.srcPid();
        long interfaceCookie = header.interfaceCookie();
        long objectCookie = header.objectCookie();
        int accepted = message.accepted;
        message.clear();
        header.setAck(interfaceCookie, objectCookie, header.matchBits(), accepted);
        header.setRoute(target, targetPid, source, node.pid);
        message.sending = true;
        message.response = true;
        message.requestedSource = source;
        message.requestedTarget = target;
        sender().prepare(message, work);
    }
}
