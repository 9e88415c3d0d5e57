package org.railyard.lnet.stack;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.host.Traced;
import org.railyard.base.host.Tracer;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.health.Blame;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Role;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/**
 * The one funnel through which messages end, and from which events come (spec 10 §6). Decides; what follows is left to
 * the {@link Dispatcher}.
 */
final class Completer {
    private final Node node;
    private final Tracer tracer;
    private final Drops drops;
    private final CreditGate credits;
    private final DelayedPuts delayed;
    private final FailureJudge judge;
    private final Forwarder forwarder;

    Completer(
            Node node, Drops drops, CreditGate credits, DelayedPuts delayed, FailureJudge judge, Forwarder forwarder) {
        this.node = node;
        this.tracer = node.host.tracer();
        this.drops = drops;
        this.credits = credits;
        this.delayed = delayed;
        this.judge = judge;
        this.forwarder = forwarder;
    }

    /** Ends a message that its transport gives back, or that never got there; its status is set. */
    void end(Message message, Pending work) {
        node.lock.assertHeld();
        trace(message);
        if (message.isAbandoned()) {
            judge.late(message);
            if (message.status() == 0) {
                node.ledger.sent(message);
            }
            credits.leave(message, work);
            letGo(message, work);
        } else if (message.role().isPlaced()) {
            endPlaced(message, work);
        } else if (message.isSending()) {
            endSend(message, work);
        } else {
            endReceive(message, work);
        }
    }

    /** A message without payload, which its transport has nothing more to bring of, was received. */
    void received(Message message) {
        node.lock.assertHeld();
        node.ledger.received(message);
        trace(message);
    }

    private void trace(Message message) {
        if (!tracer.wants(Traced.Kind.MESSAGE)) {
            return;
        }
        boolean sent = message.isSending();
        long since = message.path().committed();
        tracer.trace(new Traced.Message(
                sent,
                message.header().type(),
                message.ni(),
                message.peerNi(),
                message.header().payloadLength(),
                sent && since != 0 ? node.now() - since : 0,
                message.path().retries() + 1,
                message.status(),
                message.health()));
    }

    /**
     * The transport has no more to do with the memory behind a message whose end was told long ago. If its descriptor
     * waited for nothing else, it is gone now, and only now may its owner use the memory for something else.
     */
    private void letGo(Message message, Pending work) {
        MemoryDescriptor md = message.md();
        if (md == null) {
            node.release(message);
            return;
        }
        message.releaseViews();
        md.refs--;
        if (isOver(md)) {
            retire(md);
            message.event().setBare(EventKind.UNLINK, md.trackedType);
            message.event().setOutcome(md, 0, true, node.nextSequence());
            queueEvent(message, md, work);
        } else {
            node.release(message);
        }
    }

    private void endSend(Message message, Pending work) {
        LocalNi ni = message.ni();
        PeerNi peerNi = message.peerNi();
        if (message.status() == 0) {
            node.ledger.sent(message);
        }
        boolean again = judge.sent(message, work) && !message.isAnswered();
        credits.leave(message, work);
        if (again && ni != null && peerNi != null) {
            resend(message, ni, peerNi);
            return;
        }
        node.active.remove(message);
        MemoryDescriptor md = message.md();
        if (message.isForwarding()) {
            forwarder.sent(message, work);
        } else if (md == null) {
            node.release(message);
        } else {
            finishSend(message, md, work);
        }
    }

    /** A message failed and may go another way; its descriptor hears nothing of it. */
    private void resend(Message message, LocalNi ni, PeerNi peerNi) {
        Blame blame = Blame.of(message.health());
        if (blame.isLocal()) {
            ni.healthCounters.resent(message.health());
        }
        if (blame.isRemote()) {
            peerNi.healthCounters().resent(message.health());
        }
        message.path().failed(ni, peerNi);
        message.setInjected(false);
        message.rewindViews();
        node.resends.addFailed(message);
    }

    /** The sending of a message has ended, and its descriptor is told. */
    private void finishSend(Message message, MemoryDescriptor md, Pending work) {
        if (message.status() < 0 && message.isAnswered()) {
            // Whatever the transport thinks: it arrived.
            message.setStatus(0);
        }
        if (!message.isResponse()) {
            // A response of ours has had its event filled in when the request was matched.
            message.event().setSend(message.header());
            if (message.status() < 0) {
                expectNoResponse(message.header(), md);
            }
        }
        finish(message, md, work);
    }

    /**
     * Ends a message whose time is over: it leaves the line that it waits in; or a transport has it, then its
     * descriptor is told, and what becomes of the message itself is of no interest any more. Until the transport gives
     * it back it keeps its credits and its memory, so that the descriptor's last event comes then.
     */
    void expire(Message message, Pending work) {
        node.lock.assertHeld();
        node.active.remove(message);
        switch (message.waiting()) {
            case FOR_CREDIT -> {
                node.ledger.dropped(message.ni(), message.peerNi(), message.header());
                credits.withdraw(message, work);
                timeOut(message, work);
            }
            case FOR_DISCOVERY, FOR_GATEWAY, FOR_RESEND -> {
                message.leaveQueue();
                timeOut(message, work);
            }
            case NO -> {
                MemoryDescriptor md = message.md();
                if (message.isAnswered()) {
                    // Only the memory is not free yet: that is the transport's to say.
                    return;
                }
                message.abandon();
                if (md != null) {
                    timeOut(standIn(message, md), work);
                }
            }
        }
    }

    private void timeOut(Message message, Pending work) {
        message.waitFor(Message.Waiting.NO);
        message.setOutcome(Errno.ETIMEDOUT.status(), HealthStatus.NETWORK_TIMEOUT);
        MemoryDescriptor md = message.md();
        if (md == null) {
            node.release(message);
        } else {
            finishSend(message, md, work);
        }
    }

    /** Makes a message that brings the event of another, which stays with the descriptor. */
    private Message standIn(Message message, MemoryDescriptor md) {
        Message other = node.take();
        message.giveEventTo(other);
        other.header().copyFrom(message.header());
        other.become(message.role());
        other.setMd(md);
        md.refs++;
        return other;
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
        node.lock.assertHeld();
        if (md.awaitedAcks + md.awaitedReplies == 0) {
            node.responses.untrack(md);
        }
    }

    private void endReceive(Message message, Pending work) {
        LNetHeader header = message.header();
        if (message.status() == 0) {
            node.ledger.received(message);
        }
        judge.received(message, work);
        if (message.isForwarding()) {
            forwarder.received(message, work);
        } else if (message.md() == null) {
            Message matched = delayed.settle(message, work);
            if (matched != null) {
                endPut(matched, work);
            }
        } else if (header.type() == MessageType.REPLY) {
            endReply(message, message.md(), work);
        } else {
            endPut(message, work);
        }
    }

    /** The payload of a PUT is in its descriptor, or failed to arrive. */
    void endPut(Message message, Pending work) {
        node.lock.assertHeld();
        MemoryDescriptor md = Receiver.requireMd(message);
        // What its owner is told to have failed is not confirmed either.
        if (message.status() == 0 && !md.aborted && message.header().wantsAck() && !md.has(MdOption.ACK_DISABLE)) {
            message.become(Role.ACK_OWED);
        }
        finish(message, md, work);
    }

    /**
     * A REPLY was written to where the GET said: by this node, or into its own memory. The GET is what is judged, and
     * what has credits.
     */
    private void endPlaced(Message message, Pending work) {
        MemoryDescriptor md = Receiver.requireMd(message);
        if (message.isSending()) {
            if (message.status() == 0) {
                node.ledger.sent(message);
            }
            finish(message, md, work);
        } else if (message.status() < 0) {
            lose(message, md, work);
        } else if (PlacedReplies.arrive(node, message, md)) {
            node.ledger.received(message);
            endReply(message, md, work);
        } else {
            drops.drop(message.ni(), message.peerNi(), message.header(), "nobody waits for this reply any more", work);
            lose(message, md, work);
        }
    }

    private void endReply(Message message, MemoryDescriptor md, Pending work) {
        if (message.status() == 0) {
            node.ledger.answered(message, md);
            untrackIfAnswered(md);
            finish(message, md, work);
            return;
        }
        if (!md.unlinked || md.refs > 1) {
            // It never was: the operation is still open, and its timer still runs.
            if (md.threshold >= 0) {
                md.threshold++;
            }
            md.awaitedReplies++;
        }
        lose(message, md, work);
    }

    /**
     * A REPLY is damaged, or did not come: its descriptor hears nothing of it, unless that was all that it waited for.
     */
    private void lose(Message message, MemoryDescriptor md, Pending work) {
        if (!md.unlinked || md.refs > 1) {
            message.releaseViews();
            md.refs--;
            node.release(message);
            return;
        }
        // But somebody waits for the last event.
        message.event().setBare(EventKind.REPLY, MessageType.GET);
        message.setStatus(Errno.ETIMEDOUT.status());
        finish(message, md, work);
    }

    /** Takes a message off its MD and queues the event, which has been filled in but for the outcome. */
    void finish(Message message, MemoryDescriptor md, Pending work) {
        node.lock.assertHeld();
        message.releaseViews();
        md.refs--;
        int status = message.status() == 0 && md.aborted ? Errno.ETIMEDOUT.status() : message.status();
        boolean last = isOver(md);
        if (last) {
            retire(md);
        }
        message.event().setOutcome(md, status, last, node.nextSequence());
        queueEvent(message, md, work);
    }

    /** Tells whether nothing refers to a descriptor any more, and nothing can. */
    private static boolean isOver(MemoryDescriptor md) {
        return md.refs == 0 && (md.unlinked || md.isAutoUnlink() && md.isExhausted());
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
        message.setMd(md);
        if (md.current == null) {
            md.current = message;
            work.ready.add(md);
        } else {
            md.events.add(message);
        }
    }

    /**
     * Ends a descriptor: at once with the given event if it is idle, else with its last message.
     *
     * @param abort whether what would be a success of the messages that refer to it ends as a time-out
     */
    void unlink(MemoryDescriptor md, EventKind kind, int status, boolean abort, Pending work) {
        node.lock.assertHeld();
        retire(md);
        if (md.refs > 0) {
            md.aborted = abort;
            return;
        }
        Message carrier = node.take();
        carrier.become(Role.EVENT);
        carrier.event().setBare(kind, md.trackedType);
        carrier.event().setOutcome(md, status, true, node.nextSequence());
        queueEvent(carrier, md, work);
    }

    /** Ends the descriptor whose response is overdue longest; returns it, or null if none is overdue. */
    @Nullable
    MemoryDescriptor expireResponse(long now, Pending work) {
        node.lock.assertHeld();
        MemoryDescriptor md = node.responses.overdue(now);
        if (md != null) {
            node.counters.count(Statistic.RESPONSE_TIMEOUT_COUNT);
            PeerNi nextHop = node.peers.find(md.trackedNextHop);
            if (nextHop != null && !md.probe) {
                judge.unanswered(md, nextHop);
            }
            if (node.settings.is(Tunable.RESPONSE_TIMEOUT_EVENT)) {
                unlink(md, EventKind.UNLINK, 0, true, work);
            } else {
                EventKind kind = md.trackedType == MessageType.GET ? EventKind.REPLY : EventKind.ACK;
                unlink(md, kind, Errno.ETIMEDOUT.status(), true, work);
            }
        }
        return md;
    }
}
