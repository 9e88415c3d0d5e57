package org.railyard.lnet.stack;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.Errno;
import org.railyard.lnet.EventKind;
import org.railyard.lnet.MdOption;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/**
 * The one funnel through which messages end, and from which events come (spec 10 §6). Decides; what follows is left to the {@link Dispatcher}.
 * Everything here needs the stack's lock.
 */
final class Completer {
    private final Node node;
    private final CreditGate credits;
    private final DelayedPuts delayed;

    Completer(Node node, CreditGate credits, DelayedPuts delayed) {
        this.node = node;
        this.credits = credits;
        this.delayed = delayed;
    }

    /** Ends a message that its transport gives back, or that never got there; its status is set. */
    void end(Message message, Pending work) {
        if (message.sending) {
            endSend(message, work);
        } else {
            endReceive(message, work);
        }
    }

    private void endSend(Message message, Pending work) {
        LNetHeader header = message.header();
        if (message.status == 0) {
            node.ledger.sent(message);
        }
        if (message.status < 0) {
            judge(message);
        }
        credits.leave(message, work);
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
                expectNoResponse(header, md);
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

    /** A request was not sent: no response follows the failure. */
    private void expectNoResponse(LNetHeader header, MemoryDescriptor md) {
        if (header.type() == MessageType.GET) {
            md.awaitedReplies = Math.max(0, md.awaitedReplies - 1);
        } else if (header.wantsAck()) {
            md.awaitedAcks = Math.max(0, md.awaitedAcks - 1);
        }
        untrackIfAnswered(md);
    }

    /** Ends the timing of responses when none is outstanding any more. */
    void untrackIfAnswered(MemoryDescriptor md) {
        if (md.awaitedAcks + md.awaitedReplies == 0) {
            node.responses.untrack(md);
        }
    }

    private void endReceive(Message message, Pending work) {
        LNetHeader header = message.header();
        if (message.status == 0) {
            node.ledger.received(message);
        }
        if (message.md == null) {
            Message matched = delayed.settle(message, work);
            if (matched != null) {
                endPut(matched, work);
            }
        } else if (header.type() == MessageType.REPLY) {
            endReply(message, message.md, work);
        } else {
            endPut(message, work);
        }
    }

    /** The payload of a PUT is in its descriptor, or failed to arrive. */
    void endPut(Message message, Pending work) {
        MemoryDescriptor md = Receiver.requireMd(message);
        // What its owner is told to have failed is not confirmed either.
        if (message.status == 0 && !md.aborted && message.header().wantsAck() && !md.has(MdOption.ACK_DISABLE)) {
            message.after = Message.After.SEND_ACK;
        }
        finish(message, md, work);
    }

    private void endReply(Message message, MemoryDescriptor md, Pending work) {
        if (message.status == 0) {
            node.ledger.answered(message, md);
            untrackIfAnswered(md);
            finish(message, md, work);
            return;
        }
        // A damaged REPLY never was: the operation is still open, and its timer still runs.
        if (!md.unlinked || md.refs > 1) {
            if (md.threshold >= 0) {
                md.threshold++;
            }
            md.awaitedReplies++;
            message.releaseViews();
            md.refs--;
            leave(message);
            node.release(message);
            return;
        }
        // But somebody waits for the last event.
        message.event.setBare(EventKind.REPLY, MessageType.GET);
        message.status = Errno.ETIMEDOUT.status();
        finish(message, md, work);
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
    private void retire(MemoryDescriptor md) {
        md.unlinked = true;
        node.mds.remove(md);
        node.responses.untrack(md);
        if (md.entry != null) {
            node.portals.get(md.entry.config().portal()).detach(md.entry);
        }
    }

    private void queueEvent(Message message, MemoryDescriptor md, Pending work) {
        message.md = md;
        if (md.current == null) {
            md.current = message;
            work.ready.add(md);
        } else {
            md.events.add(message);
        }
    }

    /** A message lets go of its NI. */
    static void leave(Message message) {
        if (message.ni != null) {
            message.ni.refs--;
            message.ni = null;
        }
    }

    /**
     * Ends a descriptor: at once with the given event if it is idle, else with its last message.
     *
     * @param abort whether what would be a success of the messages that refer to it ends as a time-out
     */
    void unlink(MemoryDescriptor md, EventKind kind, int status, boolean abort, Pending work) {
        retire(md);
        if (md.refs > 0) {
            md.aborted = abort;
            return;
        }
        Message carrier = node.take();
        carrier.event.setBare(kind, md.trackedType);
        carrier.event.setOutcome(md, status, true, node.nextSequence());
        queueEvent(carrier, md, work);
    }

    /** Ends the descriptor whose response is overdue longest; returns it, or null if none is overdue. */
    @Nullable
    MemoryDescriptor expire(long now, Pending work) {
        MemoryDescriptor md = node.responses.overdue(now);
        if (md != null) {
            PeerNi nextHop = node.peers.find(md.trackedNextHop);
            if (nextHop != null && node.nis.find(md.trackedNextHop) == null) {
                node.health.lower(nextHop);
            }
            EventKind kind = md.trackedType == MessageType.GET ? EventKind.REPLY : EventKind.ACK;
            unlink(md, kind, Errno.ETIMEDOUT.status(), true, work);
        }
        return md;
    }
}
