package org.railyard.lnet.stack;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.MessageQueue;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.portal.Portal;

/**
 * PUTs that match nothing yet and wait on their portal, their payload in memory of their own, so that the connection
 * they came on is free (spec 10 §4.2, 01 §4.3). When there is room for no more, whoever has most there gives way to
 * others; and where nobody has asked for them to wait, they do so no longer than their sender would for an answer.
 */
final class DelayedPuts {
    /** Most PUTs that wait at a time, in the whole node; further ones are dropped. */
    static final int MAX_MESSAGES = 4096;

    /** Most bytes of payload that wait at a time; what would be more is dropped. */
    static final long MAX_BYTES = 64L << 20;

    private static final String GIVES_WAY = "no match, and too many of this sender wait for one";
    private static final String TOO_LATE = "no match for as long as a transaction may take";

    /** What waits, of one sender or of all. */
    private static final class Waiting {
        private int count;
        private long bytes;

        void add(int payload) {
            count++;
            bytes += payload;
        }

        void remove(int payload) {
            count--;
            bytes -= payload;
        }
    }

    private final Node node;
    private final Drops drops;

    /** By who sent them. */
    private final Map<Nid, Waiting> shares = new LinkedHashMap<>();

    private final Waiting all = new Waiting();

    DelayedPuts(Node node, Drops drops) {
        this.node = node;
        this.drops = drops;
    }

    /** Finds room for one more PUT: of whoever has more waiting than its sender, the oldest is dropped. */
    boolean makeRoomFor(Message message, Pending work) {
        node.lock.assertHeld();
        int payload = message.header().payloadLength();
        while (all.count >= MAX_MESSAGES || all.bytes + payload > MAX_BYTES) {
            if (!dropOfLargest(message, work)) {
                return false;
            }
        }
        return true;
    }

    private boolean dropOfLargest(Message newcomer, Pending work) {
        boolean byCount = all.count >= MAX_MESSAGES;
        long most = sizeOf(shares.get(senderOf(newcomer)), byCount);
        Nid largest = null;
        for (Map.Entry<Nid, Waiting> each : shares.entrySet()) {
            long size = sizeOf(each.getValue(), byCount);
            if (size > most) {
                most = size;
                largest = each.getKey();
            }
        }
        return largest != null && dropOldestOf(largest, work);
    }

    private static long sizeOf(@Nullable Waiting share, boolean byCount) {
        return share == null ? 0 : byCount ? share.count : share.bytes;
    }

    /**
     * Returns who sent a PUT: the neighbour that brought it, whatever source it names, but for gateways, which bring
     * those of many.
     */
    private Nid senderOf(Message message) {
        PeerNi hop = message.peerNi();
        return hop == null || hop.peer().gateway != null ? message.header().srcNid() : hop.peer().primaryNid;
    }

    private boolean dropOldestOf(Nid sender, Pending work) {
        for (int i = 0; i < Wire.PORTALS; i++) {
            MessageQueue waiting = node.portals.get(i).delayed();
            for (Message each = waiting.peek(); each != null; each = waiting.following(each)) {
                if (each.share().equals(sender)) {
                    drop(each, waiting, GIVES_WAY, work);
                    return true;
                }
            }
        }
        // The payload of all of them is still to come.
        return false;
    }

    /**
     * Drops what has waited too long, where it waits only because it came early; returns whether there may be more.
     *
     * @param most how many to drop at most
     */
    boolean expire(long now, int most, Pending work) {
        node.lock.assertHeld();
        int left = all.count == 0 ? 0 : most;
        for (int i = 0; i < Wire.PORTALS && left > 0; i++) {
            Portal portal = node.portals.get(i);
            Message oldest = portal.isLazy() ? null : portal.delayed().peek();
            while (oldest != null && oldest.deadlineNanos() - now <= 0 && left > 0) {
                drop(oldest, portal.delayed(), TOO_LATE, work);
                left--;
                oldest = portal.delayed().peek();
            }
        }
        return all.count > 0 && left == 0;
    }

    /** Gives a PUT memory of its own to receive into; false if there is none. */
    boolean begin(Message message) {
        node.lock.assertHeld();
        int payload = message.header().payloadLength();
        MemorySegment own;
        try {
            own = payload == 0 ? MemorySegment.NULL : OwnMemory.allocate(payload);
        } catch (ErrnoException _) {
            return false;
        }
        all.add(payload);
        message.setShare(senderOf(message));
        shares.computeIfAbsent(message.share(), _ -> new Waiting()).add(payload);
        message.selectOwn(own);
        message.setDeadline(node.now() + node.settings.transactionNanos());
        return true;
    }

    /**
     * The payload of a PUT has arrived, or failed to: it gets its descriptor if there is one by now, or waits on, or is
     * gone.
     *
     * @return the message, if it has a descriptor now
     */
    @Nullable
    Message settle(Message message, Pending work) {
        node.lock.assertHeld();
        Portal portal = node.portals.get(message.header().portal());
        if (message.status() < 0) {
            end(message);
            node.release(message);
            return null;
        }
        Portal.Outcome outcome = match(portal, message, work);
        if (outcome == Portal.Outcome.NO_MATCH) {
            if (!node.stopping && portal.parksUnmatched()) {
                portal.delayed().add(message);
            } else {
                end(message);
                drops.discard(message, "no match", work);
            }
        }
        return outcome == Portal.Outcome.MATCHED ? message : null;
    }

    /** A descriptor was attached: PUTs that match now go to it, oldest first. */
    void matchAll(Portal portal, Completer completer, Pending work) {
        node.lock.assertHeld();
        for (int left = portal.delayed().size(); left > 0; left--) {
            Message message = portal.delayed().poll();
            if (message == null) {
                return;
            }
            switch (match(portal, message, work)) {
                case MATCHED -> completer.endPut(message, work);
                case NO_MATCH -> portal.delayed().add(message);
                case TOO_LONG -> {}
            }
        }
    }

    /**
     * Tries to find a descriptor; if there is one, the payload is in it then. A PUT that is too long for it is dropped.
     */
    private Portal.Outcome match(Portal portal, Message message, Pending work) {
        node.lock.assertHeld();
        // Discovery may have learnt in the meantime whose NID it is.
        message.setInitiator(node.peers.primaryOf(message.header().srcNid()));
        Portal.Outcome outcome = portal.match(message, node.identity);
        if (outcome == Portal.Outcome.NO_MATCH) {
            return outcome;
        }
        MemorySegment payload = end(message);
        if (outcome == Portal.Outcome.TOO_LONG) {
            drops.discard(message, Receiver.TOO_LONG, work);
        } else {
            Receiver.openPut(message);
            copy(payload, message);
        }
        return outcome;
    }

    private static void copy(MemorySegment payload, Message message) {
        long at = 0;
        for (int i = 0; i < message.fragmentCount(); i++) {
            MemorySegment target = MemorySegment.ofBuffer(message.fragments()[i]);
            MemorySegment.copy(payload, at, target, 0, target.byteSize());
            at += target.byteSize();
        }
    }

    /** A PUT waits no more; returns its payload. */
    private MemorySegment end(Message message) {
        node.lock.assertHeld();
        Nid sender = message.share();
        int payload = message.header().payloadLength();
        all.remove(payload);
        Waiting share = shares.get(sender);
        if (share != null) {
            share.remove(payload);
            if (share.count == 0) {
                shares.remove(sender);
            }
        }
        return message.takeOwn();
    }

    /** Drops everything that waits on a portal. */
    void drop(Portal portal, String why, Pending work) {
        node.lock.assertHeld();
        MessageQueue waiting = portal.delayed();
        for (Message oldest = waiting.peek(); oldest != null; oldest = waiting.peek()) {
            drop(oldest, waiting, why, work);
        }
    }

    private void drop(Message message, MessageQueue waiting, String why, Pending work) {
        waiting.remove(message);
        end(message);
        drops.discard(message, why, work);
    }
}
